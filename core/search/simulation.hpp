// What tree searches share: how a simulation starts, what the observer hears of it, and how it is played out.
#pragma once

#include "search/determinize.hpp"
#include "search/forest.hpp"
#include "search/recall.hpp"

namespace lastcard {

// What the observer hears between two decisions, as one number: two stretches of a round that sound alike are one
// history. `hear_events` gives the number of a stretch that really happened.
class Heard {
public:
    explicit Heard(int with_observer) : observer(with_observer) {}

    u64 hash = 0x2545F4914F6CDD1Dull;

    void event(EventKind kind, int seat, int other, int card) {
        if (is_private(kind) && seat != observer) return;
        const auto packed = static_cast<u64>(kind) << 24 | static_cast<u64>(seat & 255) << 16 |
                            static_cast<u64>(other & 255) << 8 | static_cast<u64>(card & 255);
        hash = multiply_mix(hash ^ packed, 0x9FB21C651E98DF25ull);
    }

    // The observer's own, in any order.
    void card(int id) {
        const auto face = static_cast<u64>(face_of(id));
        cards += multiply_mix(face + 0xA24BAED4963EE407ull, 0x9FB21C651E98DF25ull);
        num_cards += 1;
    }

    void end_cards() {
        if (num_cards > 0) hash = multiply_mix(hash ^ cards, 0xD6E8FEB86659FD93ull);
        cards = 0;
        num_cards = 0;
    }

    int observer;

private:
    u64 cards = 0;
    int num_cards = 0;
};

u64 hear_events(const std::vector<Event>& events, std::size_t first, int observer);

// One simulation under way.
template <class S>
struct Simulation {
    S state;
    Memory memory;
    Rng rng;
    const Hypothesis* hypothesis;
    u32 last_ply;  // the playout is over by then
};

// Starts simulations from the hypotheses and plays them by policies. One for each thread. What is played with sets of
// cards is compiled once, in simulation.cpp; a search may play other piles by itself.
template <class R, class S>
class Simulator {
public:
    Simulator(const R& with_rules, const Observation& observation, const TreeSettings& with,
              PolicyKind policy_of_opponents, const std::vector<Hypothesis>& from, bool by_weight, u64 with_seed)
        : rules(with_rules),
          seen(observation),
          settings(with),
          opponents(policy_of_opponents),
          hypotheses(from),
          seed(with_seed),
          determinizer(observation),
          memory(remember(observation)),
          heuristic(make_policy(with.belief.weights, 0.0)),
          shares(from, by_weight),
          starts(from.size()),
          is_filled(from.size(), 0) {
        random.is_random = true;
    }

    const R& rules;
    const Observation& seen;
    const TreeSettings& settings;
    const PolicyKind opponents;
    Trace* trace = nullptr;
    TracedDescent* told = nullptr;  // of the current simulation, if it is traced

    // Hypotheses come in turn, as evenly as the golden ratio spreads them.
    void start(Simulation<S>& simulation, u64 number) {
        const std::size_t index = shares.find(number * GOLDEN_STRIDE + seed);
        if (is_filled[index] == 0) determinizer.fill(starts[index], hypotheses[index]);
        is_filled[index] = 1;
        simulation.state = starts[index];
        simulation.state.pile.rng = split_rng(seed, number);
        simulation.memory = memory;
        simulation.rng = split_rng(seed ^ GOLDEN_STRIDE, number);
        simulation.hypothesis = &hypotheses[index];
        simulation.last_ply = seen.turn.ply + settings.playout_plies;
        if (trace == nullptr) return;
        told = trace->begin(number);
        if (told != nullptr) told->hands.assign(simulation.state.hands, simulation.state.hands + rules.players);
    }

    const Policy& policy_of(const Simulation<S>& simulation, int seat) const {
        if (seat == seen.observer) return settings.playouts == PolicyKind::RANDOM ? random : heuristic;
        const bool seems_random =
            settings.model_random_opponents && simulation.hypothesis->models[seat] == RANDOM_MODEL;
        return opponents == PolicyKind::RANDOM || seems_random ? random : heuristic;
    }

    int choose(Simulation<S>& simulation) const {
        const Policy& policy = policy_of(simulation, simulation.state.turn.seat);
        return choose_by_policy(simulation.state, rules, simulation.memory, policy, simulation.rng);
    }

    // What the heuristic alone would do, at the least of costs.
    int choose_by_weights_alone(Simulation<S>& simulation) const {
        return choose_by_policy(simulation.state, rules, simulation.memory, heuristic, simulation.rng);
    }

    void apply(Simulation<S>& simulation, Heard& heard, int action) const;

    // The others answer by their policies, and what is forced happens, until the observer has a choice or the round is
    // over.
    void respond(Simulation<S>& simulation, Heard& heard) const;

    // To the end of the round, or to the last ply that is allowed.
    void play_out(Simulation<S>& simulation) const;

    // Whether the observer has something to choose here.
    bool is_own_choice(const Simulation<S>& simulation) const {
        return simulation.state.turn.seat == seen.observer && num_actions(legal_actions(simulation.state, rules)) > 1;
    }

    bool is_over(const Simulation<S>& simulation) const {
        return simulation.state.turn.phase == Phase::OVER || simulation.state.turn.ply >= simulation.last_ply;
    }

    // The share of a win: a round without a winner is split evenly.
    double value(const Simulation<S>& simulation, int seat) const {
        const int winner = simulation.state.turn.winner;
        return winner == NO_SEAT ? 1.0 / rules.players : winner == seat ? 1.0 : 0.0;
    }

    // What a trace is told: each ply, each choice before it is made, where the tree ends, and how the playout does.

    void tell_ply(const Simulation<S>& simulation, int action) const {
        if (told != nullptr) told->plies.push_back({simulation.state.turn.seat, action});
    }

    // The choice to write the options to; null if nobody asked.
    TracedChoice* tell_choice(u32 visits) const {
        if (told == nullptr) return nullptr;
        told->choices.push_back(TracedChoice{told->plies.size(), visits});
        return &told->choices.back();
    }

    TracedChoice* told_choice(std::size_t index) const { return told == nullptr ? nullptr : &told->choices[index]; }

    void tell_leaf(const Simulation<S>& simulation) const {
        if (told == nullptr) return;
        told->plies_in_tree = told->plies.size();
        told->leaf_ply = simulation.state.turn.ply;
    }

    void tell_end(const Simulation<S>& simulation) const {
        if (told == nullptr) return;
        told->plies.resize(told->plies_in_tree);
        told->last_ply = simulation.state.turn.ply;
        told->winner = simulation.state.turn.winner;
    }

private:
    const std::vector<Hypothesis>& hypotheses;
    u64 seed;
    Determinizer determinizer;
    Memory memory;
    Policy heuristic, random{};
    Shares shares;
    std::vector<S> starts;  // each hypothesis as a state, once it was asked for
    std::vector<u8> is_filled;
};

extern template class Simulator<OfficialRules<2>, Hypothetical<2>>;
extern template class Simulator<OfficialRules<4>, Hypothetical<4>>;
extern template class Simulator<Rules, Hypothetical<MAX_SEATS>>;

}  // namespace lastcard
