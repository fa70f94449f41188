// A hypothesis made into a state that can be played on.
#pragma once

#include <algorithm>

#include "round/stop.hpp"
#include "rules/playout.hpp"
#include "search/belief.hpp"
#include "search/recall.hpp"

namespace lastcard {

template <int SEATS>
using Hypothetical = State<SetPile, SEATS>;

// How many cards the player of the top card has drawn since.
inline int count_drawn_since_play(const Observation& seen) {
    int count = 0;
    for (auto event = seen.events.rbegin(); event != seen.events.rend(); ++event) {
        if (event->kind == EventKind::PLAYED || event->kind == EventKind::JUMPED_IN) break;
        if (event->kind == EventKind::DREW && event->seat == seen.turn.player) count += event->other;
    }
    return count;
}

// The high half of a product: a number below `bound`, evenly spread if `bits` is.
inline u64 multiply_high(u64 bits, u64 bound) {
    __extension__ using u128 = unsigned __int128;
    return static_cast<u64>(static_cast<u128>(bits) * bound >> 64);
}

// Which hypothesis a position in [0, 2^64) falls on: an even share for each, or one by its weight.
class Shares {
public:
    Shares() = default;
    Shares(const std::vector<Hypothesis>& hypotheses, bool by_weight) : count(hypotheses.size()) {
        double sum = 0.0;
        for (std::size_t i = 0; by_weight && i < count; ++i) cumulative.push_back(sum += hypotheses[i].weight);
    }

    std::size_t find(u64 position) const {
        if (cumulative.empty()) return static_cast<std::size_t>(multiply_high(position, count));
        const double point = static_cast<double>(position >> 11) * 0x1p-53 * cumulative.back();
        const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), point);
        return std::min(static_cast<std::size_t>(at - cumulative.begin()), count - 1);
    }

private:
    std::size_t count = 0;
    std::vector<double> cumulative;
};

constexpr u64 GOLDEN_STRIDE = 0x9E3779B97F4A7C15ull;  // successive multiples are spread as evenly as can be

class Determinizer {
public:
    explicit Determinizer(const Observation& observation) : seen(observation) {
        u64 free = 0;
        for (int i = 0; i < seen.rules.deck_size; ++i) free |= bit_of(seen.rules.deck[i]);
        for (const u8 card : seen.discards) free &= is_colored(card) ? ~0ull : ~bit_of(card);
        free_wilds = free & ~seen.hand.first & (WILD_BITS | FOUR_BITS);
        unseen = count_unseen(seen);
        drawn_since_play = count_drawn_since_play(seen);
    }

    // Hands as the hypothesis says, the rest of what is unseen in the draw pile. Wilds get ids that nobody else has.
    template <class S>
    void fill(S& state, const Hypothesis& hypothesis) const {
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
            for_each_face(hypothesis.hands[seat], [&](int face) {
                add_card(hand, id_of(face));
                left[face] -= 1;
            });
        }
        state.pile.size = 0;
        for (int face = 0; face < NUM_FACES; ++face) {
            for (int copy = left[face]; copy > 0; --copy) put_back(state.pile, id_of(face));
        }
        state.turn = seen.turn;
        state.shown = Hand{0, 0};
        if (is_four(seen.turn.top) && seen.turn.player < seen.rules.players)
            state.shown = hand_at_play(state.hands[seen.turn.player]);
    }

private:
    const Observation& seen;
    int drawn_since_play = 0;
    FaceCounts unseen{};
    u64 free_wilds = 0;

    // Rule 6.4 judges the hand as it was when the card was played; a player who was caught since has drawn (Rule 7.3).
    // Which cards those were is any guess, but the same one for the same hand.
    Hand hand_at_play(Hand hand) const {
        Rng rng{multiply_mix(hand.first ^ 0x8BB84B93962EACC9ull, hand.second ^ 0x2D358DCCAA6C78A5ull)};
        for (int i = 0; i < drawn_since_play && hand.first != 0; ++i) {
            take_card(hand, nth_bit(hand.first, scale_high(next_random(rng), popcount(hand.first))));
        }
        return hand;
    }
};

// So many determinizations, each hypothesis as often as its share says; the observer must be the seat to act.
inline std::vector<Position> determinize(const Observation& seen, const Belief& belief, u64 count, u64 seed) {
    const Determinizer determinizer(seen);
    const Shares shares(belief.hypotheses, true);
    std::vector<Position> made(count);
    u64 place = split_rng(seed, 0).state;
    for (Position& position : made) {
        if (is_stopped()) break;
        determinizer.fill(position, belief.hypotheses[shares.find(place)]);
        place += GOLDEN_STRIDE;
    }
    return made;
}

}  // namespace lastcard
