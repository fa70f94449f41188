#include "search/halving_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "round/threads.hpp"
#include "rules/legal.hpp"

namespace lastcard {

namespace {

constexpr double MOST_DOUBT = 4.0;  // of an advisor, however little it thinks of an action

double mean_value(const ActionResult& result) {
    const u64 units = result.simulations * VALUE_UNITS;
    return units == 0 ? 0.0 : static_cast<double>(result.sum) / static_cast<double>(units);
}

}  // namespace

HalvingSearch::HalvingSearch(const Observation& observation, const HalvingSettings& with, u64 with_seed,
                             std::function<Simulate()> begin, Clock::time_point start)
    : seen(observation), settings(with), seed(with_seed), begin_simulating(std::move(begin)), begun(start) {}

SearchResult HalvingSearch::run(Belief with) {
    SearchResult result;
    result.by_policy = choose_by_heuristic(seen, settings.belief.weights);
    result.belief = std::move(with);
    prepare(result.belief);
    list_candidates(result);
    take_advice(result);
    std::vector<std::size_t> left;  // indices of the actions still in
    for (std::size_t i = 0; i < result.actions.size(); ++i) left.push_back(i);
    int stages = 0;
    while (settings.drop_losers && (std::size_t{1} << stages) < left.size()) ++stages;
    stages = std::max(stages, 1);
    u64 drawn = 0;  // determinizations so far: no stage sees those of another
    for (int stage = 0; stage < stages; ++stage) {
        drawn = run_stage(result, left, drawn, stage, stages);
        const auto by_value = [&](std::size_t a, std::size_t b) { return rank(result, a) > rank(result, b); };
        std::stable_sort(left.begin(), left.end(), by_value);
        const std::size_t stay = settings.drop_losers ? (left.size() + 1) / 2 : left.size();
        result.stages.push_back(describe_stage(result, left, stay));
        left.resize(stay);
    }
    result.best = result.actions[left.front()].action;
    for (const ActionResult& action : result.actions) result.simulations += action.simulations;
    return result;
}

std::vector<TracedSimulation> HalvingSearch::trace(Belief with, int count) {
    SearchResult result;
    result.belief = std::move(with);
    prepare(result.belief);
    list_candidates(result);
    std::vector<TracedSimulation> traced;
    const Simulate simulate = begin_simulating();
    for (u64 number = 0; number < static_cast<u64>(count) && !is_stopped(); ++number) {
        TracedSimulation simulation{pick(number, settings.common_random_numbers ? 0 : 1), {}};
        for (std::size_t i = 0; i < result.actions.size(); ++i) {
            const Hypothesis& hypothesis = pick(number, settings.common_random_numbers ? 0 : i + 1);
            const u64 stream = settings.common_random_numbers ? 0 : u64{i + 1} << 56;
            const u64 value = simulate(hypothesis, result.actions[i].action, number | stream, false);
            simulation.values.push_back(static_cast<double>(value) / static_cast<double>(VALUE_UNITS));
        }
        traced.push_back(simulation);
    }
    return traced;
}

void HalvingSearch::prepare(const Belief& with) {
    belief = &with;
    shares = Shares(with.hypotheses, with.is_exact);
}

void HalvingSearch::list_candidates(SearchResult& result) const {
    ActionSet set = seen.legal;
    const bool draws = settings.consider_drawing && !(settings.short_rounds && pays_to_wait(seen.rules));
    if (!draws && set.plays != 0) set.others &= ~(other_bit(DRAW) | other_bit(KEEP));
    for (int i = 0; i < num_actions(set); ++i) result.actions.push_back(ActionResult{nth_action(set, i)});
}

// The heuristic says what it would do. A network says how much less it thinks of every other action: 1 less for one
// that it would take with a probability e times smaller.
void HalvingSearch::take_advice(SearchResult& result) const {
    if (!settings.advisor || !can_play(*settings.advisor, seen.rules)) {
        for (const ActionResult& action : result.actions)
            result.advice.push_back(action.action == result.by_policy ? 1.0 : 0.0);
        return;
    }
    const Evaluation evaluation = evaluate_observation(seen, *settings.advisor);
    for (const ActionResult& action : result.actions)
        result.advice.push_back(static_cast<double>(evaluation.policy[index_of_action(seen, action.action)]));
    const double best = *std::max_element(result.advice.begin(), result.advice.end());
    for (double& score : result.advice) score = 1.0 - std::min(best - score, MOST_DOUBT);
}

double HalvingSearch::rank(const SearchResult& result, std::size_t index) const {
    const ActionResult& action = result.actions[index];
    // Advice counts for less the more simulations speak.
    const auto count = static_cast<double>(std::max<u64>(action.simulations, BONUS_SIMULATIONS));
    const double weight = settings.bonus * std::sqrt(static_cast<double>(BONUS_SIMULATIONS) / count);
    return mean_value(action) + weight * result.advice[index];
}

std::vector<StageResult> HalvingSearch::describe_stage(const SearchResult& result,
                                                       const std::vector<std::size_t>& order, std::size_t stay) const {
    std::vector<StageResult> stage;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const ActionResult& action = result.actions[order[i]];
        stage.push_back({action.action, action.simulations, mean_value(action), rank(result, order[i]), i < stay});
    }
    return stage;
}

// One of `stages` equal parts of the budget, from determinization `first` on; returns where the next one starts.
u64 HalvingSearch::run_stage(SearchResult& result, const std::vector<std::size_t>& left, u64 first, int stage,
                             int stages) {
    if (settings.seconds <= 0.0) {
        const u64 share = static_cast<u64>(settings.simulations) / (left.size() * static_cast<u64>(stages));
        const u64 last = first + std::max<u64>(share, 1);
        run_part(result, left, first, last);
        return last;
    }
    // What the belief took is part of the budget; a stage that comes too late still gets its first determinizations.
    const auto end = begun + std::chrono::duration<double>(settings.seconds * (stage + 1) / stages);
    const u64 most = 16 * static_cast<u64>(settings.threads);
    u64 part = static_cast<u64>(settings.threads);
    for (auto before = Clock::now();;) {
        run_part(result, left, first, first + part);
        first += part;
        const auto now = Clock::now();
        if (is_stopped() || now >= end) return first;
        if (now - before < std::chrono::microseconds(200)) part = std::min(2 * part, most);
        before = now;
    }
}

// Determinizations `first` up to `last`, each for all actions still in. The sums do not depend on threads.
void HalvingSearch::run_part(SearchResult& result, const std::vector<std::size_t>& left, u64 first, u64 last) {
    std::vector<std::vector<ActionResult>> parts(static_cast<std::size_t>(settings.threads));
    run_on_threads(settings.threads, last - first, [&](u64 part, u64 begin, u64 end) {
        std::vector<ActionResult> sums(left.size());
        const Simulate simulate = begin_simulating();
        for (u64 number = first + begin; number < first + end && !is_stopped(); ++number) {
            for (std::size_t i = 0; i < left.size(); ++i) {
                const Hypothesis& hypothesis = pick(number, settings.common_random_numbers ? 0 : i + 1);
                const bool is_filled = i > 0 && settings.common_random_numbers;
                const u64 stream = settings.common_random_numbers ? 0 : u64{i + 1} << 56;
                const u64 value = simulate(hypothesis, result.actions[left[i]].action, number | stream, is_filled);
                sums[i].simulations += 1;
                sums[i].sum += value;
                sums[i].squares += value * value;
            }
        }
        parts[part] = std::move(sums);
    });
    for (const auto& sums : parts) {
        for (std::size_t i = 0; i < sums.size(); ++i) {
            ActionResult& total = result.actions[left[i]];
            total.simulations += sums[i].simulations;
            total.sum += sums[i].sum;
            total.squares += sums[i].squares;
        }
    }
}

// Hypotheses in turn, as evenly as the golden ratio spreads them; where the belief is exact, by weight.
const Hypothesis& HalvingSearch::pick(u64 number, u64 salt) const {
    return belief->hypotheses[shares.find(number * GOLDEN_STRIDE + seed + salt * 0xD1B54A32D192ED03ull)];
}

}  // namespace lastcard
