// Simulations, one action at a time: what other forms of the searches run on, with the same random numbers.
#pragma once

#include <vector>

#include "search/mcts.hpp"
#include "search/simulation.hpp"

namespace lastcard {

// Owns all that a `Simulator` refers to. The hypotheses must fit what the observer has seen.
class SimulatedRounds {
public:
    template <class Settings>
    SimulatedRounds(const Observation& observation, const Settings& with, std::vector<Hypothesis> from, bool by_weight,
                    u64 seed)
        : seen(observation),
          settings(with.tree),
          hypotheses(std::move(from)),
          simulator(seen.rules, seen, settings, opponents_of(with), hypotheses, by_weight, seed) {}
    SimulatedRounds(const SimulatedRounds&) = delete;
    SimulatedRounds& operator=(const SimulatedRounds&) = delete;

    void start(u64 number);
    const Simulation<Hypothetical<MAX_SEATS>>& running() const;  // the simulation under way
    ActionSet legal() const;
    bool is_over() const;
    bool is_own_choice() const;
    u64 next();  // of its random numbers
    int choose();
    int choose_by_weights_alone();
    void apply(int action);
    void transition(const MctsSettings& with, int action);  // by the rules of `mcts`, less what its options leave out
    void respond();
    void play_out();
    double value(int seat) const;
    u64 take_heard();

    const Observation seen;

private:
    TreeSettings settings;
    std::vector<Hypothesis> hypotheses;
    Simulator<Rules, Hypothetical<MAX_SEATS>> simulator;
    Simulation<Hypothetical<MAX_SEATS>> now{};
    Heard heard{0};
    bool is_started = false;

    Simulation<Hypothetical<MAX_SEATS>>& before(int action);
    Simulation<Hypothetical<MAX_SEATS>>& deciding();
};

// Faces that `mcts` as published draws from a pile that nobody counted.
std::vector<int> draw_imagined(const Rules& rules, u64 seed, int count);

}  // namespace lastcard
