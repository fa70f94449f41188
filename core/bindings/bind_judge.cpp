// The judge's arithmetic for Python, where any agent that searches can give the values.
#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "game/judge.hpp"

namespace lastcard {

void bind_judge(nb::module_& module) {
    nb::class_<Choice>(module, "Choice").def_ro("ply", &Choice::ply).def_ro("seat", &Choice::seat);
    nb::class_<Valued>(module, "Valued")
        .def(nb::new_([](int action, double value, double error) { return Valued{action, value, error}; }),
             nb::kw_only(), nb::arg("action"), nb::arg("value"), nb::arg("error"));
    nb::class_<Cost>(module, "Cost")
        .def_ro("played", &Cost::played)
        .def_ro("cost", &Cost::cost)
        .def_ro("error", &Cost::error);
    nb::class_<Decision>(module, "Decision")
        .def(nb::new_([](int round, int ply, int seat, int played, int best, double best_value, double cost) {
                 return Decision{round, ply, seat, played, best, best_value, cost, {}};
             }),
             nb::kw_only(), nb::arg("round"), nb::arg("ply"), nb::arg("seat"), nb::arg("played"), nb::arg("best"),
             nb::arg("best_value"), nb::arg("cost"));
    nb::class_<SeatSum>(module, "SeatSum")
        .def_ro("decisions", &SeatSum::decisions)
        .def_ro("agreed", &SeatSum::agreed)
        .def_ro("mean_cost", &SeatSum::mean_cost);
    nb::class_<CurvePoint>(module, "CurvePoint").def_ro("ply", &CurvePoint::ply).def_ro("value", &CurvePoint::value);
    module.def("list_choices", unlocked(&list_choices), nb::arg("rules"), nb::arg("played"));
    module.def("find_cost", &find_cost, nb::arg("values"), nb::arg("played"));
    module.def("sum_up", &sum_up, nb::arg("decisions"), nb::arg("seat"));
    module.def("rank_by_cost", &rank_by_cost, nb::arg("decisions"));
    module.def(
        "make_curve",
        [](const std::vector<Decision>& decisions, int seat, int plies, std::optional<int> winner, int players) {
            require_range(players, 2, MAX_SEATS, "no such number of seats");
            require_range(plies, 0, 1 << 30, "no such number of plies");
            return make_curve(decisions, seat, plies, winner.value_or(NO_SEAT), players);
        },
        nb::arg("decisions"), nb::kw_only(), nb::arg("seat"), nb::arg("plies"), nb::arg("winner").none(),
        nb::arg("players"));
}

}  // namespace lastcard
