// A hypothesis made into a state that can be played on.
#pragma once

#include "search/belief.hpp"

namespace lastcard {

template <int SEATS>
using Hypothetical = State<SetPile, SEATS>;

class Determinizer {
public:
    explicit Determinizer(const Observation& observation) : seen(observation) {
        u64 free = 0;
        for (int i = 0; i < seen.rules.deck_size; ++i) free |= bit_of(seen.rules.deck[i]);
        for (const u8 card : seen.discards) free &= is_colored(card) ? ~0ull : ~bit_of(card);
        free_wilds = free & ~seen.hand.first & (WILD_BITS | FOUR_BITS);
        unseen = count_deck(seen.rules);
        for (const u8 card : seen.discards) unseen[static_cast<std::size_t>(face_of(card))] -= 1;
        for_each_face(seen.hand, [&](int face) { unseen[static_cast<std::size_t>(face)] -= 1; });
    }

    // Hands as the hypothesis says, the rest of what is unseen in the draw pile. Wilds get ids that nobody else has.
    template <int SEATS>
    void fill(Hypothetical<SEATS>& state, const Hypothesis& hypothesis) const {
        u64 wilds = free_wilds;
        FaceCounts left = unseen;
        const auto id_of = [&](int face) {
            if (face < FIRST_WILD) return face;
            const int card = lowest_bit(wilds & bits_of_face(face));
            wilds &= ~bit_of(card);
            return card;
        };
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            Hand& hand = state.hands[seat];
            hand = Hand{0, 0};
            if (seat == seen.observer) {
                hand = seen.hand;
                continue;
            }
            for_each_face(hypothesis.hands[static_cast<std::size_t>(seat)], [&](int face) {
                add_card(hand, id_of(face));
                left[static_cast<std::size_t>(face)] -= 1;
            });
        }
        state.pile.size = 0;
        for (int face = 0; face < NUM_FACES; ++face) {
            for (int copy = left[static_cast<std::size_t>(face)]; copy > 0; --copy) put_back(state.pile, id_of(face));
        }
        state.turn = seen.turn;
        const bool is_asked = seen.turn.phase == Phase::ANSWER && seen.turn.player < seen.rules.players;
        state.shown = is_asked ? state.hands[seen.turn.player] : Hand{0, 0};  // Rule 6.4: nothing has changed since
    }

private:
    const Observation& seen;
    FaceCounts unseen{};
    u64 free_wilds = 0;
};

}  // namespace lastcard
