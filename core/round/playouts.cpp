#include "round/playouts.hpp"

#include <algorithm>

#include "round/compiled_rules.hpp"
#include "round/random_play.hpp"
#include "round/threads.hpp"

namespace lastcard {

Position position_of(const Round& round) {
    Position position{};
    for (int seat = 0; seat < round.rules.players; ++seat) position.hands[seat] = round.state.hands[seat];
    position.shown = round.state.shown;
    position.pile = forget_order(round.state.pile);
    position.turn = round.state.turn;
    return position;
}

void play_out_positions(const Positions& positions, u64 num_each, u64 seed, u64 first, u64 last, int threads,
                        u64* rows) {
    constexpr u64 BLOCK = 64;                     // playouts between two looks at whether they are still wanted
    const auto add = [](u64& place, u64 value) {  // two threads may share a position
        __atomic_fetch_add(&place, value, __ATOMIC_RELAXED);  // libc++ had no std::atomic_ref for years
    };
    const auto play_on = [](auto& state, const auto& rules) { play_on_by_pile(state, rules); };
    const auto play = [&]<int SEATS>(const auto& rules, Seats<SEATS>, u64 begin, u64 end) {
        State<SetPile, SEATS> state;
        for (u64 at = begin; at < end && !is_stopped(); at += BLOCK)
            play_out_range(state, rules, positions.starts.data(), num_each, seed, at, std::min(end, at + BLOCK), rows,
                           add, play_on);
    };
    run_on_threads(threads, last - first, [&](u64, u64 begin, u64 end) {
        begin += first;
        end += first;
        with_compiled_rules(positions.rules, [&](const auto& rules, auto seats) { play(rules, seats, begin, end); });
    });
}

}  // namespace lastcard
