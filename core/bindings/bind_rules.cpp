#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"

namespace lastcard {

namespace {

// `counts` holds the number of copies of each of the 54 faces; Python has checked the limits of Rule 1.2.
void fill_deck(Rules& rules, const std::vector<int>& counts) {
    if (counts.size() != 54) throw std::invalid_argument("a deck has 54 counts");
    int size = 0;
    for (int face = 0; face < 54; ++face) {
        const int copies = counts[static_cast<std::size_t>(face)];
        if (copies < 0 || copies > (face < FIRST_WILD ? 2 : 4)) throw std::invalid_argument("count out of range");
        for (int copy = 0; copy < copies; ++copy) {
            const int card = face < FIRST_WILD ? face : face == FIRST_WILD ? FIRST_WILD + copy : FIRST_FOUR + copy;
            rules.deck[size++] = static_cast<u8>(card);
        }
    }
    rules.deck_size = size;
}

Rules make_rules(const std::vector<int>& deck, int players, int hand_size, int target_score, u32 max_plies,
                 int wild_draw_four, int uno_penalty, int stacking, int drawn_card, int scoring,
                 bool draw_until_playable, bool must_play, bool seven_zero, bool jump_in) {
    Rules rules{};
    fill_deck(rules, deck);
    require_range(players, 2, MAX_SEATS, "players out of range");
    require_range(hand_size, 1, MAX_CARDS, "hand_size out of range");
    require(players * hand_size < rules.deck_size - count_deck(rules)[FOUR_FACE], "too few cards to deal");  // Rule 2.3
    require_range(target_score, 1, 1 << 30, "target_score out of range");
    require_range(max_plies, 1, 1 << 30, "max_plies out of range");
    require_range(uno_penalty, 0, MAX_CARDS, "uno_penalty out of range");
    require_range(wild_draw_four, 0, 3, "no such wild_draw_four");
    require_range(stacking, 0, 2, "no such stacking");
    require_range(drawn_card, 0, 2, "no such drawn_card");
    require_range(scoring, 0, 1, "no such scoring");
    require(!draw_until_playable || drawn_card != 2, "drawn_card contradicts draw_until_playable");
    rules.max_plies = max_plies;
    rules.players = players;
    rules.hand_size = hand_size;
    rules.target_score = target_score;
    rules.uno_penalty = uno_penalty;
    rules.wild_draw_four = static_cast<WildDrawFour>(wild_draw_four);
    rules.stacking = static_cast<Stacking>(stacking);
    rules.drawn_card = static_cast<DrawnCard>(drawn_card);
    rules.scoring = static_cast<Scoring>(scoring);
    rules.draw_until_playable = draw_until_playable;
    rules.must_play = must_play;
    rules.seven_zero = seven_zero;
    rules.jump_in = jump_in;
    return rules;
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "Rules");
    module.def("make_rules", &make_rules, nb::kw_only(), nb::arg("deck"), nb::arg("players"), nb::arg("hand_size"),
               nb::arg("target_score"), nb::arg("max_plies"), nb::arg("wild_draw_four"), nb::arg("uno_penalty"),
               nb::arg("stacking"), nb::arg("drawn_card"), nb::arg("scoring"), nb::arg("draw_until_playable"),
               nb::arg("must_play"), nb::arg("seven_zero"), nb::arg("jump_in"));
}

}  // namespace lastcard
