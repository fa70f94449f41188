// `halving`: flat Monte Carlo at the root by sequential halving.
//
// Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits" (2013). The budget is split over
// log2 K stages; after each, the worse half of the actions drops out. All actions of a stage face the same
// determinizations and the same random numbers, so that luck cancels between them.
#pragma once

#include <chrono>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "round/batch.hpp"
#include "search/determinize.hpp"
#include "search/network.hpp"

namespace lastcard {

struct HalvingSettings {
    int simulations = 1000;
    double seconds = 0.0;  // if positive, the budget instead of simulations
    int threads = 1;
    double epsilon = 0.0;
    double bonus = 0.02;                       // of what the advisor likes best
    std::shared_ptr<const Network> advisor{};  // made for official rules; elsewhere, and without, the heuristic advises
    u32 playout_plies = 400;
    bool halves = true;  // without: the budget is split evenly
    bool shares = true;  // without: every action has determinizations of its own
    bool draws = true;   // without: drawing is no candidate while something can be played
    bool adapts = true;  // opponents believed to be random play so in playouts
    bool random_playouts = false;
    BeliefSettings belief;
};

struct ActionResult {
    int action = 0;
    u64 simulations = 0;
    u64 sum = 0;      // of values, in units of 1/2520
    u64 squares = 0;  // of those
};

// What an action had come to by the end of a stage.
struct StageResult {
    int action = 0;
    u64 simulations = 0;  // of all stages so far
    double value = 0.0;
    double rank = 0.0;  // the value, with the bonus
    bool stays = false;
};

struct SearchResult {
    int best = 0;
    int by_policy = 0;           // what the heuristic alone would do
    std::vector<double> advice;  // of each action: 1 for what the advisor likes best
    std::vector<ActionResult> actions;
    std::vector<std::vector<StageResult>> stages;  // of each the actions that were in it, the best first
    Belief belief;
    u64 simulations = 0;
};

// One determinization, and what each action was worth in it: 1 for a win.
struct TracedSimulation {
    Hypothesis hypothesis;
    std::vector<double> values;
};

constexpr u64 BONUS_SIMULATIONS = 250;  // of one action; from there on the bonus shrinks as an error does
constexpr u64 VALUE_UNITS = 2520;       // divisible by any number of seats
constexpr double MOST_DOUBT = 4.0;      // of an advisor, however little it thinks of an action

inline double mean_value(const ActionResult& result) {
    const u64 units = result.simulations * VALUE_UNITS;
    return units == 0 ? 0.0 : static_cast<double>(result.sum) / static_cast<double>(units);
}

// Where simulations start: a hypothesis made into a state, its draw pile shuffled anew each time.
template <int SEATS>
struct BelievedWorlds {
    using World = Hypothetical<SEATS>;
    Determinizer determinizer;

    void fill(World& world, const Hypothesis& hypothesis) const { determinizer.fill(world, hypothesis); }
    void shuffle_anew(World& world, const Rng& rng) const { world.pile.rng = rng; }
};

template <class R, class Worlds>
class HalvingSearch {
public:
    using World = typename Worlds::World;

    HalvingSearch(const R& with_rules, const Observation& observation, const Worlds& from, const HalvingSettings& with,
                  u64 with_seed, Clock::time_point start = Clock::now())
        : rules(with_rules), seen(observation), worlds(from), settings(with), seed(with_seed), begun(start) {}

    SearchResult run(Belief with) {
        SearchResult result;
        result.by_policy = choose_by_heuristic(seen, settings.belief.weights);
        result.belief = std::move(with);
        prepare(result.belief);
        list_candidates(result);
        take_advice(result);
        std::vector<std::size_t> left;  // indices of the actions still in
        for (std::size_t i = 0; i < result.actions.size(); ++i) left.push_back(i);
        int stages = 0;
        while (settings.halves && (std::size_t{1} << stages) < left.size()) ++stages;
        stages = std::max(stages, 1);
        u64 drawn = 0;  // determinizations so far: no stage sees those of another
        for (int stage = 0; stage < stages; ++stage) {
            drawn = run_stage(result, left, drawn, stage, stages);
            const auto by_value = [&](std::size_t a, std::size_t b) { return rank(result, a) > rank(result, b); };
            std::stable_sort(left.begin(), left.end(), by_value);
            const std::size_t stay = settings.halves ? (left.size() + 1) / 2 : left.size();
            result.stages.push_back(describe_stage(result, left, stay));
            left.resize(stay);
        }
        result.best = result.actions[left.front()].action;
        for (const ActionResult& action : result.actions) result.simulations += action.simulations;
        return result;
    }

    // The first determinizations of the first stage, as `run` plays them.
    std::vector<TracedSimulation> trace(Belief with, int count) {
        SearchResult result;
        result.belief = std::move(with);
        prepare(result.belief);
        list_candidates(result);
        std::vector<TracedSimulation> traced;
        for (u64 number = 0; number < static_cast<u64>(count) && !is_stopped(); ++number) {
            World start;
            TracedSimulation simulation{pick(number, settings.shares ? 0 : 1), {}};
            for (std::size_t i = 0; i < result.actions.size(); ++i) {
                const Hypothesis& hypothesis = pick(number, settings.shares ? 0 : i + 1);
                worlds.fill(start, hypothesis);
                const u64 stream = settings.shares ? 0 : (i + 1) << 56;
                const u64 value = simulate(start, hypothesis, result.actions[i].action, number | stream);
                simulation.values.push_back(static_cast<double>(value) / static_cast<double>(VALUE_UNITS));
            }
            traced.push_back(simulation);
        }
        return traced;
    }

private:
    const R& rules;
    const Observation& seen;
    const Worlds& worlds;
    const HalvingSettings& settings;
    u64 seed;
    Clock::time_point begun;
    Memory memory{};
    Policy heuristic{}, random{};
    Shares shares;
    const Belief* belief = nullptr;

    void prepare(const Belief& with) {
        belief = &with;
        memory = remember(seen);
        heuristic = make_policy(settings.belief.weights, settings.epsilon);
        heuristic.is_random = settings.random_playouts;
        random.is_random = true;
        shares = Shares(with.hypotheses, with.is_exact);
    }

    void list_candidates(SearchResult& result) const {
        ActionSet set = seen.legal;
        if (!settings.draws && set.plays != 0) set.others &= ~(other_bit(DRAW) | other_bit(KEEP));
        for (int i = 0; i < num_actions(set); ++i) result.actions.push_back(ActionResult{nth_action(set, i)});
    }

    // The heuristic says what it would do. A network says how much less it thinks of every other action: 1 less for one that it
    // would take with a probability e times smaller.
    void take_advice(SearchResult& result) const {
        if (!settings.advisor || !is_made_for(*settings.advisor, seen.rules)) {
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

    double rank(const SearchResult& result, std::size_t index) const {
        const ActionResult& action = result.actions[index];
        // Advice counts for less the more simulations speak.
        const auto count = static_cast<double>(std::max<u64>(action.simulations, BONUS_SIMULATIONS));
        const double weight = settings.bonus * std::sqrt(static_cast<double>(BONUS_SIMULATIONS) / count);
        return mean_value(action) + weight * result.advice[index];
    }

    std::vector<StageResult> describe_stage(const SearchResult& result, const std::vector<std::size_t>& order,
                                            std::size_t stay) const {
        std::vector<StageResult> stage;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const ActionResult& action = result.actions[order[i]];
            stage.push_back({action.action, action.simulations, mean_value(action), rank(result, order[i]), i < stay});
        }
        return stage;
    }

    // One of `stages` equal parts of the budget, from determinization `first` on; returns where the next one starts.
    u64 run_stage(SearchResult& result, const std::vector<std::size_t>& left, u64 first, int stage, int stages) {
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
    void run_part(SearchResult& result, const std::vector<std::size_t>& left, u64 first, u64 last) {
        std::vector<std::vector<ActionResult>> parts(static_cast<std::size_t>(settings.threads));
        run_on_threads(settings.threads, last - first, [&](u64 part, u64 begin, u64 end) {
            std::vector<ActionResult> sums(left.size());
            World start;
            for (u64 number = first + begin; number < first + end && !is_stopped(); ++number) {
                for (std::size_t i = 0; i < left.size(); ++i) {
                    const Hypothesis& hypothesis = pick(number, settings.shares ? 0 : i + 1);
                    if (i == 0 || !settings.shares) worlds.fill(start, hypothesis);
                    const u64 stream = settings.shares ? 0 : (i + 1) << 56;
                    const u64 value = simulate(start, hypothesis, result.actions[left[i]].action, number | stream);
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
    const Hypothesis& pick(u64 number, u64 salt) const {
        return belief->hypotheses[shares.find(number * GOLDEN_STRIDE + seed + salt * 0xD1B54A32D192ED03ull)];
    }

    // Plays the action and then the round out; the value is what it was worth, in units.
    u64 simulate(const World& start, const Hypothesis& hypothesis, int action, u64 number) const {
        World state = start;
        Memory remembered = memory;
        worlds.shuffle_anew(state, split_rng(seed, number));
        const Policy* policies[MAX_SEATS];
        for (int seat = 0; seat < rules.players; ++seat) {
            const bool plays_randomly = settings.adapts && seat != seen.observer &&
                                        hypothesis.models[static_cast<std::size_t>(seat)] == RANDOM_MODEL;
            policies[seat] = plays_randomly ? &random : &heuristic;
        }
        const u32 limit = state.turn.ply + settings.playout_plies;
        apply_and_remember(state, rules, remembered, action);
        Rng rng = split_rng(seed ^ 0x9E3779B97F4A7C15ull, number);
        play_by_policies(state, rules, remembered, policies, rng, limit);
        if (state.turn.winner == NO_SEAT) return VALUE_UNITS / static_cast<u64>(rules.players);
        return state.turn.winner == seen.observer ? VALUE_UNITS : 0;
    }
};

// Calls `use` with the rules and the number of hands to make room for: the official games are compiled for themselves;
// everything else reads its switches at run time.
template <class Use>
auto with_seats(const Rules& rules, const Use& use) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    if (are_same_rules(rules, two)) return use(two, std::integral_constant<int, 2>{});
    if (are_same_rules(rules, four)) return use(four, std::integral_constant<int, 4>{});
    return use(rules, std::integral_constant<int, MAX_SEATS>{});
}

// Calls `use` with the search that fits, and what it believes.
template <class Use>
auto with_halving_search(const Observation& seen, const HalvingSettings& settings, u64 seed, const Use& use) {
    return with_seats(seen.rules, [&]<int SEATS>(const auto& rules, std::integral_constant<int, SEATS>) {
        const auto begun = Clock::now();
        const BelievedWorlds<SEATS> worlds{Determinizer(seen)};
        Belief belief = believe(seen, settings.belief, seed);
        return use(HalvingSearch(rules, seen, worlds, settings, seed, begun), std::move(belief));
    });
}

inline SearchResult search_by_halving(const Observation& seen, const HalvingSettings& settings, u64 seed) {
    return with_halving_search(seen, settings, seed,
                               [](auto search, Belief belief) { return search.run(std::move(belief)); });
}

inline std::vector<TracedSimulation> trace_halving(const Observation& seen, const HalvingSettings& settings, u64 seed,
                                                   int count) {
    return with_halving_search(seen, settings, seed,
                               [count](auto search, Belief belief) { return search.trace(std::move(belief), count); });
}

}  // namespace lastcard
