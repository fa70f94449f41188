// Playouts from given positions, on several threads, with the same result on any number of them.
#pragma once

#include <algorithm>
#include <type_traits>

#include "round/batch.hpp"
#include "round/round.hpp"

namespace lastcard {

struct Positions {
    Rules rules{};
    std::vector<Position> starts;
};

// The truth, but for the order of the draw pile.
inline Position position_of(const Round& round) {
    Position position{};
    for (int seat = 0; seat < round.rules.players; ++seat) position.hands[seat] = round.state.hands[seat];
    position.shown = round.state.shown;
    position.pile = forget_order(round.state.pile);
    position.turn = round.state.turn;
    return position;
}

// Playouts `first` up to `last` of the batch that the seed fixes, `num_each` from every position, added to the rows.
inline void play_out_positions(const Positions& positions, u64 num_each, u64 seed, u64 first, u64 last, int threads,
                               u64* rows) {
    constexpr u64 BLOCK = 64;                     // playouts between two looks at whether they are still wanted
    const auto add = [](u64& place, u64 value) {  // two threads may share a position
        __atomic_fetch_add(&place, value, __ATOMIC_RELAXED);  // libc++ had no std::atomic_ref for years
    };
    const auto play = [&]<int SEATS>(const auto& rules, std::integral_constant<int, SEATS>, u64 begin, u64 end) {
        State<SetPile, SEATS> state;
        for (u64 at = begin; at < end && !is_stopped(); at += BLOCK)
            play_out_range(state, rules, positions.starts.data(), num_each, seed, at, std::min(end, at + BLOCK), rows,
                           add);
    };
    run_on_threads(threads, last - first, [&](u64, u64 begin, u64 end) {
        constexpr OfficialRules<2> two;
        constexpr OfficialRules<4> four;
        begin += first;
        end += first;
        if (are_same_rules(positions.rules, two)) play(two, std::integral_constant<int, 2>{}, begin, end);
        else if (are_same_rules(positions.rules, four)) play(four, std::integral_constant<int, 4>{}, begin, end);
        else play(positions.rules, std::integral_constant<int, MAX_SEATS>{}, begin, end);
    });
}

}  // namespace lastcard
