#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "rules/game.hpp"
#include "search/faces.hpp"

namespace lastcard {

namespace {

// `counts` holds the number of copies of each of the 54 faces; Python has checked the limits of Rule 1.2.
void fill_deck(Rules& rules, const std::vector<int>& counts) {
    if (counts.size() != 54) throw std::invalid_argument("a deck has 54 counts");
    int size = 0;
    for (int face = 0; face < 54; ++face) {
        const int copies = item(counts, face);
        if (copies < 0 || copies > (face < FIRST_WILD ? 2 : 4)) throw std::invalid_argument("count out of range");
        for (int copy = 0; copy < copies; ++copy) {
            const int card = face < FIRST_WILD ? face : face == FIRST_WILD ? FIRST_WILD + copy : FIRST_FOUR + copy;
            rules.deck[size++] = static_cast<u8>(card);
        }
    }
    rules.deck_size = size;
}

Rules make_rules(const std::vector<int>& deck, const nb::kwargs& fields) {
    Rules rules{};
    fill_deck(rules, deck);
    std::size_t count = 0;
    Rules::visit_fields([&]<class Field>(const char* name, Field Rules::* member, int least, int most) {
        long long value = 0;
        if (!fields.contains(name) || !nb::try_cast(fields[name], value) || value < least || value > most)
            throw std::invalid_argument(std::string(name) + " is missing or out of range");
        rules.*member = static_cast<Field>(value);
        count += 1;
    });
    require(fields.size() == count, "rules have no such field");
    require(rules.players * rules.hand_size < rules.deck_size - count_deck(rules)[FOUR_FACE],
            "too few cards to deal");  // Rule 2.3
    require(!rules.draw_until_playable || rules.drawn_card != DrawnCard::END_TURN,
            "drawn_card contradicts draw_until_playable");
    return rules;
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "Rules");
    module.def("make_rules", &make_rules, nb::arg("deck"), nb::arg("fields"),
               nb::sig("def make_rules(deck: Sequence[int], **fields: int) -> Rules"));
    module.def(
        "leading_seat",
        [](const Rules& rules, const std::vector<int>& scores) {
            require(scores.size() == static_cast<std::size_t>(rules.players), "as many scores as players");
            return leading_seat(scores.data(), rules);
        },
        nb::arg("rules"), nb::arg("scores"));
}

}  // namespace lastcard
