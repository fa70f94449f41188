#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "search/expectiminimax.hpp"

namespace lastcard {

void bind_expectiminimax(nb::module_& module) {
    nb::class_<ActionMean>(module, "ActionMean")
        .def_ro("action", &ActionMean::action)
        .def_ro("simulations", &ActionMean::determinizations)
        .def_ro("total", &ActionMean::sum)
        .def_ro("squares", &ActionMean::squares)
        .def_ro("rank", &ActionMean::rank);
    nb::class_<ExpectiminimaxResult>(module, "ExpectiminimaxResult")
        .def_ro("best", &ExpectiminimaxResult::best)
        .def_ro("by_policy", &ExpectiminimaxResult::by_policy)
        .def_ro("belief", &ExpectiminimaxResult::belief)
        .def_ro("determinizations", &ExpectiminimaxResult::determinizations)
        .def_ro("nodes", &ExpectiminimaxResult::nodes)
        .def_prop_ro("line", [](const ExpectiminimaxResult& result) { return result.line; })
        .def_prop_ro("actions", [](const ExpectiminimaxResult& result) { return result.actions; });
    module.def(
        "search_by_expectiminimax",
        [](const Observation& seen, const ExpectiminimaxSettings& settings, u64 seed, DeterminizationTrace* trace) {
            require_decision(seen);
            return run_unlocked([&] { return search_by_expectiminimax(seen, settings, seed, true, trace); });
        },
        nb::arg("observation"), nb::arg("settings"), nb::arg("seed"), nb::arg("trace") = nb::none());
}

}  // namespace lastcard
