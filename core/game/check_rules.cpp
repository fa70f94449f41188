#include "game/check_rules.hpp"

#include "game/names.hpp"
#include "round/fail.hpp"

namespace lastcard {

void fill_deck(Rules& rules, const ByFace<int>& counts) {
    rules.deck_size = 0;
    for (int face = 0; face < NUM_FACES; ++face) {
        const int most = face < FIRST_WILD ? 2 : 4;
        if (counts[face] < 0 || counts[face] > most)
            fail(std::string("deck: ") + CARD_NAMES[face] + " must have 0 to " + std::to_string(most) + " copies");
        const int first = face == FOUR_FACE ? FIRST_FOUR : face;
        // Copies of a Wild have ids of their own.
        for (int copy = 0; copy < counts[face]; ++copy)
            rules.deck[rules.deck_size++] = static_cast<u8>(face < FIRST_WILD ? face : first + copy);
    }
}

void check_rules(const Rules& rules) {
    const int usable = rules.deck_size - count_deck(rules)[FOUR_FACE];
    require(rules.players * rules.hand_size < usable,
            "hand_size deals more cards than the deck has besides Wild Draw Fours; lower hand_size or players");
    require(!rules.draw_until_playable || rules.drawn_card != DrawnCard::END_TURN,
            "drawn_card must be may_play or must_play where draw_until_playable is true");
}

}  // namespace lastcard
