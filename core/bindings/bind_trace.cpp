// What searches tell of themselves, as plain values.
#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "search/trace.hpp"

namespace lastcard {

namespace {

std::vector<std::vector<int>> list_hands_by_seat(const std::vector<Hand>& hands) {
    std::vector<std::vector<int>> listed;
    for (const Hand& hand : hands) listed.push_back(list_faces(hand));
    return listed;
}

void bind_descents(nb::module_& module) {
    nb::class_<TracedOption>(module, "TracedOption")
        .def_ro("action", &TracedOption::action)
        .def_ro("visits", &TracedOption::visits)
        .def_ro("available", &TracedOption::available)
        .def_ro("mean", &TracedOption::mean)
        .def_ro("exploration", &TracedOption::exploration);
    nb::class_<TracedChoice>(module, "TracedChoice")
        .def_ro("ply", &TracedChoice::ply)
        .def_ro("visits", &TracedChoice::visits)
        .def_prop_ro("options", [](const TracedChoice& choice) { return choice.options; })
        .def_ro("seat", &TracedChoice::seat)
        .def_ro("action", &TracedChoice::action)
        .def_ro("value", &TracedChoice::value)
        .def_ro("visits_after", &TracedChoice::visits_after)
        .def_ro("mean_after", &TracedChoice::mean_after);
    nb::class_<TracedPly>(module, "TracedPly").def_ro("seat", &TracedPly::seat).def_ro("action", &TracedPly::action);
    nb::class_<TracedDescent>(module, "TracedDescent")
        .def_ro("number", &TracedDescent::number)
        .def_prop_ro("hands", [](const TracedDescent& descent) { return list_hands_by_seat(descent.hands); })
        .def_prop_ro("plies", [](const TracedDescent& descent) { return descent.plies; })
        .def_prop_ro("choices", [](const TracedDescent& descent) { return descent.choices; })
        .def_prop_ro("playout_plies", [](const TracedDescent& descent) { return descent.last_ply - descent.leaf_ply; })
        .def_prop_ro("winner", [](const TracedDescent& descent) { return seat_or_none(descent.winner); });
    nb::class_<Trace>(module, "Trace")
        .def(nb::init<const std::vector<u64>&>(), nb::arg("wanted"))
        .def_prop_ro("found", [](const Trace& trace) { return trace.found; });
}

void bind_recursions(nb::module_& module) {
    nb::class_<TracedRow>(module, "TracedRow")
        .def_ro("level", &TracedRow::level)
        .def_ro("seat", &TracedRow::seat)
        .def_ro("action", &TracedRow::action)
        .def_prop_ro("card", [](const TracedRow& row) { return face_or_none(row.card); })
        .def_ro("determinizations", &TracedRow::determinizations)
        .def_ro("value", &TracedRow::value)
        .def_ro("own", &TracedRow::own)
        .def_prop_ro("ranks", [](const TracedRow& row) { return std::vector<double>(row.ranks, row.ranks + 2); })
        .def_ro("chosen_by", &TracedRow::chosen_by)
        .def_ro("is_leaf", &TracedRow::is_leaf)
        .def_ro("is_cut", &TracedRow::is_cut);
    using Found = DeterminizationTrace::Found;
    nb::class_<Found>(module, "TracedDeterminization")
        .def_prop_ro("hands",
                     [](const Found& found) {
                         std::vector<std::vector<std::vector<int>>> hands;  // by root action, then by seat
                         for (const auto& each : found.hands) hands.push_back(list_hands_by_seat(each));
                         return hands;
                     })
        .def_prop_ro("values", [](const Found& found) { return found.values; });
    nb::class_<DeterminizationTrace>(module, "DeterminizationTrace")
        .def(
            "__init__",
            [](DeterminizationTrace* trace, std::size_t wanted, int levels) {
                require(wanted <= 4096, "wanted out of range");
                require_range(levels, 0, 64, "levels out of range");
                new (trace) DeterminizationTrace(wanted, levels);
            },
            nb::arg("wanted"), nb::arg("levels"))
        .def_prop_ro("found", [](const DeterminizationTrace& trace) { return trace.found; })
        .def("rows", [](const DeterminizationTrace& trace, std::size_t determinization, std::size_t action) {
            return trace.recursions.at(determinization).at(action).rows;
        });
}

}  // namespace

void bind_trace(nb::module_& module) {
    bind_descents(module);
    bind_recursions(module);
}

}  // namespace lastcard
