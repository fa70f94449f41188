// The search behind `halving`, from any kind of worlds: those that a seat believes in, or the truth. Only what plays in
// a world is compiled for it; the search itself is compiled once.
#pragma once

#include <functional>

#include "round/stop.hpp"
#include "search/determinize.hpp"
#include "search/halving.hpp"
#include "search/playing.hpp"
#include "search/recall.hpp"

namespace lastcard {

// Plays the action in the world of a hypothesis, and then the round out; what it was worth, in units. A world that is
// the same as before need not be filled again.
using Simulate = std::function<u64(const Hypothesis& hypothesis, int action, u64 number, bool is_filled)>;

class HalvingSearch {
public:
    // `begin` makes what simulates on one thread.
    HalvingSearch(const Observation& observation, const HalvingSettings& with, u64 with_seed,
                  std::function<Simulate()> begin, Clock::time_point start);

    SearchResult run(Belief with);

    // The first determinizations of the first stage, as `run` plays them.
    std::vector<TracedSimulation> trace(Belief with, int count);

private:
    const Observation& seen;
    const HalvingSettings& settings;
    u64 seed;
    std::function<Simulate()> begin_simulating;
    Clock::time_point begun;
    Shares shares;
    const Belief* belief = nullptr;

    void prepare(const Belief& with);
    void list_candidates(SearchResult& result) const;
    void take_advice(SearchResult& result) const;
    double rank(const SearchResult& result, std::size_t index) const;
    std::vector<StageResult> describe_stage(const SearchResult& result, const std::vector<std::size_t>& order,
                                            std::size_t stay) const;
    u64 run_stage(SearchResult& result, const std::vector<std::size_t>& left, u64 first, int stage, int stages);
    void run_part(SearchResult& result, const std::vector<std::size_t>& left, u64 first, u64 last);
    const Hypothesis& pick(u64 number, u64 salt) const;
};

// What simulates in such worlds.
template <class R, class Worlds>
class WorldPlayer {
public:
    WorldPlayer(const R& with_rules, const Observation& observation, const Worlds& from, const HalvingSettings& with,
                u64 with_seed)
        : rules(with_rules),
          seen(observation),
          worlds(from),
          settings(with),
          seed(with_seed),
          memory(remember(observation)),
          heuristic(make_policy(with.belief.weights, with.epsilon)) {
        heuristic.is_random = with.playouts == PolicyKind::RANDOM;
        random.is_random = true;
    }

    Simulate begin() const {
        return [this, start = World{}](const Hypothesis& hypothesis, int action, u64 number, bool is_filled) mutable {
            if (!is_filled) worlds.fill(start, hypothesis);
            return simulate(start, hypothesis, action, number);
        };
    }

private:
    using World = typename Worlds::World;

    const R& rules;
    const Observation& seen;
    const Worlds& worlds;
    const HalvingSettings& settings;
    u64 seed;
    Memory memory;
    Policy heuristic, random{};

    u64 simulate(const World& start, const Hypothesis& hypothesis, int action, u64 number) const {
        World state = start;
        Memory remembered = memory;
        worlds.shuffle_anew(state, split_rng(seed, number));
        const Policy* policies[MAX_SEATS];
        for (int seat = 0; seat < rules.players; ++seat) {
            const bool plays_randomly =
                settings.model_random_opponents && seat != seen.observer && hypothesis.models[seat] == RANDOM_MODEL;
            policies[seat] = plays_randomly ? &random : &heuristic;
        }
        const u32 limit = state.turn.ply + settings.playout_plies;
        Rng rng = split_rng(seed ^ 0x9E3779B97F4A7C15ull, number);
        play_on_by_policies(state, rules, remembered, action, policies, rng, limit);
        if (state.turn.winner == NO_SEAT) return VALUE_UNITS / static_cast<u64>(rules.players);
        return state.turn.winner == seen.observer ? VALUE_UNITS : 0;
    }
};

}  // namespace lastcard
