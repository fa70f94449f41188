#include "bindings/bindings.hpp"
#include "round/observation.hpp"

namespace lastcard {

namespace {

std::vector<int> first_seats(const std::array<int, MAX_SEATS>& values, const Rules& rules) {
    return {values.begin(), values.begin() + rules.players};
}

}  // namespace

void bind_observation(nb::module_& module) {
    nb::class_<Observation>(module, "Observation")
        .def_ro("observer", &Observation::observer)
        .def_ro("draw_pile_size", &Observation::draw_pile_size)
        .def_ro("dealer", &Observation::dealer)
        .def_ro("number", &Observation::number)
        .def("legal", [](const Observation& seen) { return list_actions(seen.legal); })
        .def(
            "events", [](const Observation& seen, std::size_t first) { return pack_events(seen.events, first); },
            nb::arg("first") = 0)
        .def_prop_ro("hand", [](const Observation& seen) { return list_faces(seen.hand); })
        .def_prop_ro("discards",
                     [](const Observation& seen) {
                         return list_faces(seen.discards.data(), static_cast<int>(seen.discards.size()));
                     })
        .def_prop_ro("hand_sizes", [](const Observation& seen) { return first_seats(seen.hand_sizes, seen.rules); })
        .def_prop_ro("scores", [](const Observation& seen) { return first_seats(seen.scores, seen.rules); })
        .def_prop_ro("points", [](const Observation& seen) { return first_seats(seen.points, seen.rules); })
        .def_prop_ro("declared", [](const Observation& seen) { return list_seats(seen.turn.declared); })
        .def_prop_ro("seat", [](const Observation& seen) { return static_cast<int>(seen.turn.seat); })
        .def_prop_ro("phase", [](const Observation& seen) { return static_cast<int>(seen.turn.phase); })
        .def_prop_ro("direction", [](const Observation& seen) { return static_cast<int>(seen.turn.direction); })
        .def_prop_ro("draw_sum", [](const Observation& seen) { return static_cast<int>(seen.turn.draw_sum); })
        .def_prop_ro("active_color", [](const Observation& seen) { return color_or_none(seen.turn.active_color); })
        .def_prop_ro("last_color", [](const Observation& seen) { return color_or_none(seen.turn.last_color); })
        .def_prop_ro("last_actor", [](const Observation& seen) { return seat_or_none(seen.turn.last_actor); })
        .def_prop_ro("player", [](const Observation& seen) { return seat_or_none(seen.turn.player); })
        .def_prop_ro("winner", [](const Observation& seen) { return seat_or_none(seen.turn.winner); })
        .def_prop_ro("ending", [](const Observation& seen) { return static_cast<int>(seen.turn.ending); })
        .def_prop_ro("drawn", [](const Observation& seen) { return face_or_none(seen.turn.drawn); })
        .def_prop_ro("command_pending", [](const Observation& seen) { return is_command_pending(seen.turn); })
        .def_prop_ro("skip_pending", [](const Observation& seen) { return is_skip_pending(seen.turn, seen.rules); });
    module.def("observe", &observe, nb::arg("round"), nb::arg("seat"));
}

}  // namespace lastcard
