#include "round/leaves.hpp"

#include "round/stop.hpp"

namespace lastcard {

namespace {

u64 count_below(const Truth& state, const Rules& rules, int depth) {
    if (state.turn.phase == Phase::OVER || is_stopped()) return 1;
    const ActionSet legal = legal_actions(state, rules);
    if (depth == 1) return static_cast<u64>(num_actions(legal));
    u64 leaves = 0;
    NoEvents nobody;
    for (int i = 0; i < num_actions(legal); ++i) {
        Truth next = state;
        apply(next, rules, nobody, nth_action(legal, i));
        leaves += count_below(next, rules, depth - 1);
    }
    return leaves;
}

}  // namespace

u64 count_leaves(const Round& round, int depth) { return count_below(round.state, round.rules, depth); }

}  // namespace lastcard
