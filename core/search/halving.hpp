// `halving`: flat Monte Carlo at the root by sequential halving.
//
// Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits" (2013). The budget is split over
// log2 K stages; after each, the worse half of the actions drops out. All actions of a stage face the same
// determinizations and the same random numbers, so that luck cancels between them.
#pragma once

#include <chrono>
#include <cmath>
#include <type_traits>
#include <utility>

#include "round/batch.hpp"
#include "search/determinize.hpp"

namespace lastcard {

struct HalvingSettings {
    int simulations = 1000;
    double seconds = 0.0;  // if positive, the budget instead of simulations
    int threads = 1;
    double epsilon = 0.0;
    double bonus = 0.02;
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

struct SearchResult {
    int best = 0;
    int by_policy = 0;  // what the heuristic alone would do
    std::vector<ActionResult> actions;
    Belief belief;
    u64 simulations = 0;
};

// The high half of a product: a number below `bound`, evenly spread if `bits` is.
inline u64 multiply_high(u64 bits, u64 bound) {
    __extension__ using u128 = unsigned __int128;
    return static_cast<u64>(static_cast<u128>(bits) * bound >> 64);
}

constexpr u64 BONUS_SIMULATIONS = 250;  // of one action; from there on the bonus shrinks as an error does
constexpr u64 VALUE_UNITS = 2520;       // divisible by any number of seats

inline double mean_value(const ActionResult& result) {
    const u64 units = result.simulations * VALUE_UNITS;
    return units == 0 ? 0.0 : static_cast<double>(result.sum) / static_cast<double>(units);
}

inline Policy make_policy(const Weights& weights, double epsilon) {
    return Policy{weights, static_cast<u32>(epsilon * 4294967295.0), false};
}

// What the heuristic alone would do.
inline int choose_by_heuristic(const Observation& seen, const Weights& weights) {
    if (num_actions(seen.legal) == 1) return nth_action(seen.legal, 0);
    const Memory memory = remember(seen);
    u8 sizes[MAX_SEATS] = {};
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sizes[seat] = static_cast<u8>(seen.hand_sizes[seat]);
    const int players = seen.rules.players;
    const int next = (seen.observer + seen.turn.direction + players) % players;
    const View view{seen.hand, num_cards(seen.hand), sizes[next], memory.lacks[next], seen.turn.active_color,
                    sizes,     seen.turn.player};
    return choose_by_weights(view, seen.legal, weights);
}

// Calls with the rules and the number of hands to make room for, the official games as types of their own.
template <class Run>
auto with_seats(const Rules& rules, const Run& run) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    if (are_same_rules(rules, two)) return run(two, std::integral_constant<int, 2>{});
    if (are_same_rules(rules, four)) return run(four, std::integral_constant<int, 4>{});
    return run(rules, std::integral_constant<int, MAX_SEATS>{});
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
                  u64 with_seed)
        : rules(with_rules), seen(observation), worlds(from), settings(with), seed(with_seed) {}

    SearchResult run(Belief with) {
        SearchResult result;
        result.by_policy = choose_by_heuristic(seen, settings.belief.weights);
        result.belief = std::move(with);
        prepare(result.belief);
        list_candidates(result);
        std::vector<std::size_t> left;  // indices of the actions still in
        for (std::size_t i = 0; i < result.actions.size(); ++i) left.push_back(i);
        int stages = 0;
        while (settings.halves && (std::size_t{1} << stages) < left.size()) ++stages;
        stages = std::max(stages, 1);
        u64 drawn = 0;  // determinizations so far: no stage sees those of another
        for (int stage = 0; stage < stages; ++stage) {
            drawn = run_stage(result, left, drawn, stages);
            const auto by_value = [&](std::size_t a, std::size_t b) { return rank(result, a) > rank(result, b); };
            std::stable_sort(left.begin(), left.end(), by_value);
            if (settings.halves) left.resize((left.size() + 1) / 2);
        }
        result.best = result.actions[left.front()].action;
        for (const ActionResult& action : result.actions) result.simulations += action.simulations;
        return result;
    }

private:
    const R& rules;
    const Observation& seen;
    const Worlds& worlds;
    const HalvingSettings& settings;
    u64 seed;
    Memory memory{};
    Policy heuristic{}, random{};
    std::vector<double> cumulative;  // of the weights, where the belief is exact
    const Belief* belief = nullptr;

    void prepare(const Belief& with) {
        belief = &with;
        memory = remember(seen);
        heuristic = make_policy(settings.belief.weights, settings.epsilon);
        heuristic.is_random = settings.random_playouts;
        random.is_random = true;
        double sum = 0.0;
        for (const Hypothesis& hypothesis : with.hypotheses) cumulative.push_back(sum += hypothesis.weight);
    }

    void list_candidates(SearchResult& result) const {
        ActionSet set = seen.legal;
        if (!settings.draws && set.plays != 0) set.others &= ~(other_bit(DRAW) | other_bit(KEEP));
        for (int i = 0; i < num_actions(set); ++i) result.actions.push_back(ActionResult{nth_action(set, i)});
    }

    double rank(const SearchResult& result, std::size_t index) const {
        const ActionResult& action = result.actions[index];
        if (action.action != result.by_policy) return mean_value(action);
        // The heuristic's opinion counts for less the more simulations speak.
        const auto count = static_cast<double>(std::max<u64>(action.simulations, BONUS_SIMULATIONS));
        return mean_value(action) + settings.bonus * std::sqrt(static_cast<double>(BONUS_SIMULATIONS) / count);
    }

    // One of `stages` equal parts of the budget, from determinization `first` on; returns where the next one starts.
    u64 run_stage(SearchResult& result, const std::vector<std::size_t>& left, u64 first, int stages) {
        if (settings.seconds <= 0.0) {
            const u64 share = static_cast<u64>(settings.simulations) / (left.size() * static_cast<u64>(stages));
            const u64 last = first + std::max<u64>(share, 1);
            run_part(result, left, first, last);
            return last;
        }
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds / stages);
        const u64 part = 16 * static_cast<u64>(settings.threads);
        do {
            run_part(result, left, first, first + part);
            first += part;
        } while (Clock::now() < end);
        return first;
    }

    // Determinizations `first` up to `last`, each for all actions still in. The sums do not depend on threads.
    void run_part(SearchResult& result, const std::vector<std::size_t>& left, u64 first, u64 last) {
        std::vector<std::vector<ActionResult>> parts(static_cast<std::size_t>(settings.threads));
        run_on_threads(settings.threads, last - first, [&](u64 part, u64 begin, u64 end) {
            std::vector<ActionResult> sums(left.size());
            World start;
            for (u64 number = first + begin; number < first + end; ++number) {
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
        constexpr u64 STRIDE = 0x9E3779B97F4A7C15ull;
        const u64 position = number * STRIDE + seed + salt * 0xD1B54A32D192ED03ull;
        const auto count = static_cast<u64>(belief->hypotheses.size());
        if (!belief->is_exact) return belief->hypotheses[static_cast<std::size_t>(multiply_high(position, count))];
        const double point = static_cast<double>(position >> 11) * 0x1p-53 * cumulative.back();
        const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), point);
        return belief->hypotheses[std::min(static_cast<std::size_t>(at - cumulative.begin()), cumulative.size() - 1)];
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

inline SearchResult search_by_halving(const Observation& seen, const HalvingSettings& settings, u64 seed) {
    const auto run = [&]<int SEATS>(const auto& rules, std::integral_constant<int, SEATS>) {
        const BelievedWorlds<SEATS> worlds{Determinizer(seen)};
        return HalvingSearch(rules, seen, worlds, settings, seed).run(believe(seen, settings.belief, seed));
    };
    return with_seats(seen.rules, run);
}

}  // namespace lastcard
