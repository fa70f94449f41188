#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "round/observation.hpp"
#include "search/decision.hpp"
#include "search/imagine.hpp"

namespace lastcard {

namespace {

std::vector<int> first_seats(const BySeat<int>& values, const Rules& rules) {
    return {values.begin(), values.begin() + rules.players};
}

// `scores` are from before the round and `points` what it added, both 0 where they are not given.
Observation imagine_table(const Rules& rules, int observer, const std::vector<u8>& hand,
                          const std::vector<int>& hand_sizes, const std::vector<u8>& discards,
                          const std::vector<u32>& events, const Turn& turn, const std::vector<int>& scores,
                          const std::vector<int>& points, const std::optional<int>& dealer, int number) {
    return imagine(rules, {.observer = observer,
                           .hand = hand,
                           .discards = discards,
                           .hand_sizes = hand_sizes,
                           .events = unpack_events(events, rules.players),
                           .turn = turn,
                           .scores = scores,
                           .points = points,
                           .dealer = dealer.value_or(rules.players - 1),
                           .number = number});
}

}  // namespace

void bind_observation(nb::module_& module) {
    nb::class_<Observation>(module, "Observation")
        .def_ro("rules", &Observation::rules)
        .def_ro("observer", &Observation::observer)
        .def_ro("draw_pile_size", &Observation::draw_pile_size)
        .def_ro("dealer", &Observation::dealer)
        .def_ro("number", &Observation::number)
        .def("legal", [](const Observation& seen) { return list_actions(seen.legal); })
        .def(
            "events", [](const Observation& seen, std::size_t first) { return pack_events(seen.events, first); },
            nb::arg("first") = 0)
        .def_prop_ro("num_events", &count_events)
        .def_prop_ro("hand", [](const Observation& seen) { return list_faces(seen.hand); })
        .def_prop_ro("discards",
                     [](const Observation& seen) {
                         return list_faces(seen.discards.data(), static_cast<int>(seen.discards.size()));
                     })
        .def_prop_ro("hand_sizes", [](const Observation& seen) { return first_seats(seen.hand_sizes, seen.rules); })
        .def_prop_ro("scores", [](const Observation& seen) { return first_seats(seen.scores, seen.rules); })
        .def_prop_ro("points", [](const Observation& seen) { return first_seats(seen.points, seen.rules); })
        .def_prop_ro("turn", [](const Observation& seen) { return seen.turn; })
        .def_prop_ro("command_pending", [](const Observation& seen) { return is_command_pending(seen.turn); })
        .def_prop_ro("skip_pending", [](const Observation& seen) { return is_skip_pending(seen.turn, seen.rules); });
    module.def("imagine", &imagine_table, nb::arg("rules"), nb::arg("observer"), nb::arg("hand"), nb::arg("hand_sizes"),
               nb::arg("discards"), nb::arg("events"), nb::arg("turn"), nb::arg("scores") = std::vector<int>{},
               nb::arg("points") = std::vector<int>{}, nb::arg("dealer") = nb::none(), nb::arg("number") = 1);
    module.def(
        "observe",
        [](const Round& round, int seat) {
            if (seat != SPECTATOR) require_seat(seat, round.rules.players);
            return observe(round, seat);
        },
        nb::arg("round"), nb::arg("seat"));
}

}  // namespace lastcard
