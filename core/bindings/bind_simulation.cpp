#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "search/filter.hpp"
#include "search/ismcts.hpp"
#include "search/pomcp.hpp"
#include "search/simulated_rounds.hpp"

namespace lastcard {

namespace {

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

using Rounds = SimulatedRounds;

// Simulations as the search with these settings has them.
template <class Settings>
void bind_rounds_of(nb::class_<Rounds>& rounds) {
    rounds.def(
        "__init__",
        [](Rounds* made, const Observation& seen, const Settings& settings,
           const std::vector<std::vector<std::vector<int>>>& hands, const std::vector<std::vector<int>>& models,
           const std::vector<double>& weights, bool by_weight, u64 seed) {
            new (made) Rounds(seen, settings, read_hypotheses(seen, hands, models, weights), by_weight, seed);
        },
        nb::arg("observation"), nb::arg("settings"), nb::arg("hands"), nb::arg("models"), nb::arg("weights"),
        nb::arg("by_weight"), nb::arg("seed"));
}

}  // namespace

void bind_simulation(nb::module_& module) {
    nb::class_<Rounds> bound(module, "SimulatedRounds");
    bind_rounds_of<IsmctsSettings>(bound);
    bind_rounds_of<MctsSettings>(bound);
    bind_rounds_of<PomcpSettings>(bound);
    bound.def("start", &Rounds::start)
        .def("take_heard", &Rounds::take_heard)
        .def_prop_ro("turn", [](const Rounds& rounds) { return rounds.running().state.turn; })
        .def_prop_ro("is_over", &Rounds::is_over)
        .def_prop_ro("is_own_choice", &Rounds::is_own_choice)
        .def_prop_ro("is_window", [](const Rounds& rounds) { return is_window(rounds.running().state); })
        .def_prop_ro("legal", [](const Rounds& rounds) { return list_actions(rounds.legal()); })
        .def("hand",
             [](const Rounds& rounds, int seat) {
                 require_seat(seat, rounds.seen.rules.players);
                 return list_faces(rounds.running().state.hands[seat]);
             })
        .def("models",
             [](const Rounds& rounds) {
                 const auto& models = rounds.running().hypothesis->models;
                 return std::vector<int>(models.begin(), models.begin() + rounds.seen.rules.players);
             })
        .def("next_random", &Rounds::next)
        .def("choose", &Rounds::choose)
        .def("choose_by_weights", &Rounds::choose_by_weights_alone)
        .def("apply", &Rounds::apply)
        .def("transition", &Rounds::transition)
        .def("respond", &Rounds::respond)
        .def("play_out", &Rounds::play_out)
        .def("value", &Rounds::value);
    module.def("hear_events", [](const Observation& seen, std::size_t first) {
        return hear_events(seen.events, first, seen.observer);
    });
    module.def(
        "draw_imagined",
        [](const Rules& rules, u64 seed, int count) {
            require_range(count, 0, 1'000'000, "count out of range");
            return draw_imagined(rules, seed, count);
        },
        nb::arg("rules"), nb::arg("seed"), nb::arg("count"));
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
