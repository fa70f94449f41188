#include "game/check_rules.hpp"

#include <algorithm>

#include "game/names.hpp"
#include "round/fail.hpp"

namespace lastcard {

void fill_deck(Rules& rules, const ByFace<int>& counts) {
    std::ranges::fill(rules.deck, u8{0});
    rules.deck_size = 0;
    for (int face = 0; face < NUM_FACES; ++face) {
        const int most = face < FIRST_WILD ? 2 : 4;
        if (counts[face] < 0 || counts[face] > most)
            fail(std::string("deck: ") + CARD_NAMES[face] + " must have 0 to " + std::to_string(most) +
                 " copies, not " + std::to_string(counts[face]));
        const int first = face == FOUR_FACE ? FIRST_FOUR : face;
        // Copies of a Wild have ids of their own.
        for (int copy = 0; copy < counts[face]; ++copy)
            rules.deck[rules.deck_size++] = static_cast<u8>(face < FIRST_WILD ? face : first + copy);
    }
}

void check_rules(const Rules& rules) {
    const int usable = rules.deck_size - count_deck(rules)[FOUR_FACE];
    const int needed = rules.players * rules.hand_size;
    if (needed >= usable)
        fail("hand_size=" + std::to_string(rules.hand_size) + " with players=" + std::to_string(rules.players) +
             " deals " + std::to_string(needed) + " cards, but the deck has only " + std::to_string(usable) +
             " besides Wild Draw Fours, and one must be left to turn up; lower hand_size or players");
    require(!rules.draw_until_playable || rules.drawn_card != DrawnCard::END_TURN,
            "drawn_card='end_turn' contradicts draw_until_playable=True: one forbids playing the card the other draws "
            "for; choose 'may_play' or 'must_play'");
}

}  // namespace lastcard
