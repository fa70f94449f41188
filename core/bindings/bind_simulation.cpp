// Simulations, one action at a time: what other forms of the searches run on, with the same random numbers.
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "search/filter.hpp"
#include "search/mcts_model.hpp"

namespace lastcard {

namespace {

using Imagined = Hypothetical<MAX_SEATS>;

std::vector<Hypothesis> read_hypotheses(const Observation& seen,
                                        const std::vector<std::vector<std::vector<int>>>& hands,
                                        const std::vector<std::vector<int>>& models,
                                        const std::vector<double>& weights) {
    if (hands.empty() || hands.size() != models.size() || hands.size() != weights.size())
        throw std::invalid_argument("as many models and weights as hypotheses, and at least one");
    require_decision(seen);
    const FaceCounts unseen = count_unseen(seen);
    double weight = 0.0;
    std::vector<Hypothesis> made(hands.size());
    for (std::size_t i = 0; i < hands.size(); ++i) {
        if (hands[i].size() > MAX_SEATS || models[i].size() > MAX_SEATS) throw std::invalid_argument("too many seats");
        require_range(weights[i], 0.0, 1e300, "weights out of range");
        made[i].weight = weights[i];
        for (std::size_t seat = 0; seat < hands[i].size(); ++seat) {
            for (const int face : hands[i][seat]) {
                require_range(face, 0, NUM_FACES - 1, "no such card");
                add_face(made[i].hands[seat], face);
            }
        }
        for (std::size_t seat = 0; seat < models[i].size(); ++seat) {
            require_range(models[i][seat], 0, NUM_MODELS - 1, "no such model");
            made[i].models[seat] = static_cast<u8>(models[i][seat]);
        }
        require(fits(made[i], seen, unseen), "hands that the observer cannot believe");
        weight += weights[i];
    }
    require(weight > 0.0, "weights must add up to more than 0");
    return made;
}

// Owns all that a `Simulator` refers to.
class SimulatedRounds {
public:
    SimulatedRounds(const Observation& observation, const TreeSettings& with,
                    const std::vector<std::vector<std::vector<int>>>& hands,
                    const std::vector<std::vector<int>>& models, const std::vector<double>& weights, bool by_weight,
                    u64 seed)
        : seen(observation),
          settings(with),
          hypotheses(read_hypotheses(seen, hands, models, weights)),
          simulator(seen.rules, seen, settings, hypotheses, by_weight, seed) {}
    SimulatedRounds(const SimulatedRounds&) = delete;
    SimulatedRounds& operator=(const SimulatedRounds&) = delete;

    // The simulation under way.
    Simulation<Imagined>& running() {
        require(is_started, "start a simulation first");
        return now;
    }

    Simulation<Imagined>& running(int action) {
        require(action >= 0 && action < NUM_ACTIONS && contains(legal_actions(running().state, seen.rules), action),
                "not a legal action");
        return now;
    }

    Simulation<Imagined>& deciding() {
        require(num_actions(legal_actions(running().state, seen.rules)) > 0, "the round is over");
        return now;
    }

    void start(u64 number) {
        is_started = true;
        simulator.start(now, number);
        heard = Heard(seen.observer);
    }

    u64 take_heard() {
        const u64 hash = heard.hash;
        heard = Heard(seen.observer);
        return hash;
    }

    Observation seen;
    TreeSettings settings;
    std::vector<Hypothesis> hypotheses;
    Simulator<Rules, Imagined> simulator;
    Simulation<Imagined> now{};
    Heard heard{0};
    bool is_started = false;
};

std::vector<int> draw_imagined(const Rules& rules, u64 seed, int count) {
    require_range(count, 0, 1'000'000, "count out of range");
    ImaginedPile pile{};
    prepare_pile(pile, rules);
    pile.rng = split_rng(seed, 0);
    std::vector<int> faces;
    for (int i = 0; i < count; ++i) faces.push_back(face_of(draw_top(pile)));
    return faces;
}

}  // namespace

void bind_simulation(nb::module_& module) {
    using Rounds = SimulatedRounds;
    nb::class_<Rounds>(module, "SimulatedRounds")
        .def(nb::init<const Observation&, const TreeSettings&, const std::vector<std::vector<std::vector<int>>>&,
                      const std::vector<std::vector<int>>&, const std::vector<double>&, bool, u64>(),
             nb::arg("observation"), nb::arg("settings"), nb::arg("hands"), nb::arg("models"), nb::arg("weights"),
             nb::arg("by_weight"), nb::arg("seed"))
        .def("start", &Rounds::start)
        .def("take_heard", &Rounds::take_heard)
        .def_prop_ro("turn", [](Rounds& rounds) { return rounds.running().state.turn; })
        .def_prop_ro("is_over", [](Rounds& rounds) { return rounds.simulator.is_over(rounds.running()); })
        .def_prop_ro("is_own_choice", [](Rounds& rounds) { return rounds.simulator.is_own_choice(rounds.running()); })
        .def_prop_ro("is_window", [](Rounds& rounds) { return is_window(rounds.running().state); })
        .def_prop_ro(
            "legal",
            [](Rounds& rounds) { return list_actions(legal_actions(rounds.running().state, rounds.seen.rules)); })
        .def("hand",
             [](Rounds& rounds, int seat) {
                 require_seat(seat, rounds.seen.rules.players);
                 return list_faces(rounds.running().state.hands[seat]);
             })
        .def("models",
             [](Rounds& rounds) {
                 const auto& models = rounds.running().hypothesis->models;
                 return std::vector<int>(models.begin(), models.begin() + rounds.seen.rules.players);
             })
        .def("next_random", [](Rounds& rounds) { return next_random(rounds.running().rng); })
        .def("choose", [](Rounds& rounds) { return rounds.simulator.choose(rounds.deciding()); })
        .def("choose_by_weights",
             [](Rounds& rounds) { return rounds.simulator.choose_by_weights_alone(rounds.deciding()); })
        .def("apply",
             [](Rounds& rounds, int action) { rounds.simulator.apply(rounds.running(action), rounds.heard, action); })
        .def("transition", [](Rounds& rounds, const MctsSettings& settings,
                              int action) { transition(rounds.running(action), rounds.seen.rules, settings, action); })
        .def("respond", [](Rounds& rounds) { rounds.simulator.respond(rounds.running(), rounds.heard); })
        .def("play_out", [](Rounds& rounds) { rounds.simulator.play_out(rounds.running()); })
        .def("value", [](Rounds& rounds, int seat) { return rounds.simulator.value(rounds.running(), seat); });
    module.def("hear_events", [](const Observation& seen, std::size_t first) {
        return hear_events(seen.events, first, seen.observer);
    });
    module.def("draw_imagined", &draw_imagined, nb::arg("rules"), nb::arg("seed"), nb::arg("count"));
    module.def("effective_size", nb::overload_cast<const std::vector<double>&>(&effective_size), nb::arg("weights"));
    module.def(
        "ucb1", [](double mean, u32 visits, u32 total, double c) { return ucb1(mean, visits, log_of(total), c); },
        nb::arg("mean"), nb::arg("visits"), nb::arg("total"), nb::arg("exploration"));
    module.def(
        "resample",
        [](const std::vector<double>& weights, std::size_t count, double u) {
            require(!weights.empty() && count <= MOST_AT_ONCE, "weights or count out of range");
            require_finite(weights, "weights must be finite");
            return resample(weights, count, u);
        },
        nb::arg("weights"), nb::arg("count"), nb::arg("u"));
}

}  // namespace lastcard
