// The truth of one round: ordered piles, every event so far, and what carries over from the rounds before.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "round/indexed.hpp"
#include "rules/state.hpp"

namespace lastcard {

using Truth = State<OrderedPile, MAX_SEATS>;

struct Round {
    Rules rules{};
    Truth state{};
    std::vector<Event> events;
    std::vector<std::vector<u8>> reshuffles;  // the order of each, top last
    BySeat<int> scores{};                     // before this round
    int dealer = 0;
    int number = 1;
    std::shared_ptr<const std::vector<u8>> script;  // recorded reshuffles; the pile points into it
    std::shared_ptr<const Round> before;            // while a window is open: the round one ply earlier (Rule 10.7)
};

inline bool is_over(const Round& round) { return round.state.turn.phase == Phase::OVER; }

BySeat<int> points_scored(const Round& round);

// The same cards with nothing of their order.
SetPile forget_order(const OrderedPile& pile);

// Gives every card of `faces` its id: copies of a Wild are told apart by how many came before.
std::vector<u8> number_wilds(const std::vector<u8>& faces);

// The seed of an independent stream. Neither seed can be found from the other's stream.
Key split_key(const Key& key, Stream label, u32 ordinal);

// The cards in another order, which the key, label and ordinal fix.
std::vector<u8> shuffled(std::vector<u8> cards, const Key& key, Stream label, u32 ordinal);

// The order in which a seed stacks the deck, top last.
std::vector<u8> shuffled_deck(const Rules& rules, const Key& key);

// Deals from a draw pile in the given order, which must be the deck's cards.
void deal_round(Round& round, const Key& key, const std::vector<u8>& cards);

void apply_in_place(Round& round, int action);

}  // namespace lastcard
