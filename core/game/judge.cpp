#include "game/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "game/replay.hpp"
#include "round/fail.hpp"
#include "round/stop.hpp"

namespace lastcard {

namespace {

bool names_color(int action) { return action >= FIRST_COLOR; }
bool is_swap(int action) { return action >= FIRST_SWAP && action < FIRST_COLOR; }

// The kind of a decision, from the actions that were open.
const char* find_kind(const Decision& decision) {
    const auto has = [&](auto... actions) {
        return std::ranges::any_of(decision.open, [&](int open) { return ((open == actions) || ...); });
    };
    const auto is_wild = [](int action) { return action >= FIRST_WILD && is_play(action); };
    const bool is_same_wild = is_wild(decision.played) && is_wild(decision.best) && decision.played != decision.best &&
                              (decision.played < FIRST_FOUR) == (decision.best < FIRST_FOUR);
    if (std::ranges::any_of(decision.open, is_swap)) return "swap";
    if (has(CHALLENGE, ACCEPT)) return "answer";
    if (has(PASS)) return has(CATCH, UNO) ? "catch" : "jump_in";
    if (is_same_wild || std::ranges::all_of(decision.open, names_color)) return "color";
    return has(KEEP) ? "drawn" : "turn";
}

}  // namespace

std::vector<Choice> list_choices(const Rules& rules, const PlayedRound& played) {
    Replay again(rules, played);
    std::vector<Choice> choices;
    for (int ply = 1; again.has_more() && !is_stopped(); ++ply) {
        const Truth& state = again.now().state;
        if (num_actions(legal_actions(state, rules)) > 1) choices.push_back({ply, state.turn.seat});
        again.step();
    }
    return choices;
}

Cost find_cost(const std::vector<Valued>& values, int played) {
    const auto own = std::ranges::find(values, played, &Valued::action);
    if (own == values.end()) return {};
    return {static_cast<std::size_t>(own - values.begin()), std::max(values[0].value - own->value, 0.0),
            std::sqrt(own->error * own->error + values[0].error * values[0].error)};  // hypot needs a newer glibc
}

SeatSum sum_up(const std::vector<Decision>& decisions, int seat) {
    SeatSum sum;
    double given = 0.0;
    for (const Decision& each : decisions) {
        if (each.seat != seat) continue;
        sum.decisions += 1;
        sum.agreed += each.played == each.best;
        given += each.cost;
    }
    if (sum.decisions > 0) sum.mean_cost = given / sum.decisions;
    return sum;
}

std::vector<std::size_t> rank_by_cost(const std::vector<Decision>& decisions) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (decisions[i].cost > 0) places.push_back(i);
    }
    std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) { return decisions[i].cost; });
    return places;
}

std::vector<CurvePoint> make_curve(const std::vector<Decision>& decisions, int seat, int plies, int winner,
                                   int players) {
    std::vector<CurvePoint> points;
    for (const Decision& each : decisions) {
        if (each.seat == seat) points.push_back({each.ply, each.best_value});
    }
    points.push_back({plies + 1, winner == NO_SEAT ? 1.0 / players : winner == seat ? 1.0 : 0.0});
    return points;
}

std::vector<KindCost> list_costs(const std::vector<Decision>& decisions) {
    std::map<std::string, std::vector<double>> kinds;
    for (const Decision& decision : decisions) kinds[find_kind(decision)].push_back(decision.cost);
    std::vector<KindCost> costs;
    for (const auto& [kind, given] : kinds) {
        const auto count = static_cast<double>(given.size());
        double total = 0.0, squares = 0.0;
        for (const double cost : given) total += cost;
        const double mean = total / count;
        for (const double cost : given) squares += (cost - mean) * (cost - mean);
        const double spread = std::sqrt(squares / std::max(count - 1, 1.0));
        costs.push_back({kind, given.size(), mean, 1.96 * spread / std::sqrt(count), total});
    }
    std::ranges::stable_sort(costs, std::greater{}, &KindCost::total);
    return costs;
}

}  // namespace lastcard
