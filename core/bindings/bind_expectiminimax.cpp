#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "search/expectiminimax.hpp"

namespace lastcard {

namespace {

ExpectiminimaxSettings make_settings(const BeliefSettings& belief, int determinizations, int depth, int draws,
                                     int playouts, int group, int fewest, int nodes, double seconds, int threads,
                                     double bonus, bool published_belief, bool shares, bool keeps_turn,
                                     bool follows_policy, bool max_n, bool adapts) {
    require_budget(determinizations, seconds, threads);
    require_range(depth, 0, 64, "depth out of range");
    require_range(draws, 1, MAX_CARDS, "draws out of range");
    require_range(playouts, 0, 10'000, "playouts out of range");
    require_range(group, 1, 1 << 16, "group out of range");
    require_range(bonus, -1.0, 1.0, "bonus out of range");
    require(nodes >= 1, "nodes must be at least 1");
    ExpectiminimaxSettings settings;
    settings.belief = belief;
    settings.determinizations = determinizations;
    settings.depth = depth;
    settings.draws = draws;
    settings.playouts = playouts;
    settings.group = group;
    settings.fewest = fewest;
    settings.nodes = nodes;
    settings.seconds = seconds;
    settings.threads = threads;
    settings.bonus = bonus;
    settings.published_belief = published_belief;
    settings.shares = shares;
    settings.keeps_turn = keeps_turn;
    settings.follows_policy = follows_policy;
    settings.max_n = max_n;
    settings.adapts = adapts;
    return settings;
}

}  // namespace

void bind_expectiminimax(nb::module_& module) {
    nb::class_<ExpectiminimaxSettings>(module, "ExpectiminimaxSettings");
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
    module.def("expectiminimax_settings", &make_settings, nb::kw_only(), nb::arg("belief"), nb::arg("determinizations"),
               nb::arg("depth"), nb::arg("draws"), nb::arg("playouts"), nb::arg("group"), nb::arg("fewest"),
               nb::arg("nodes"), nb::arg("seconds"), nb::arg("threads"), nb::arg("bonus"), nb::arg("published_belief"),
               nb::arg("shares"), nb::arg("keeps_turn"), nb::arg("follows_policy"), nb::arg("max_n"),
               nb::arg("adapts"));
    module.def(
        "search_by_expectiminimax",
        [](const Observation& seen, const ExpectiminimaxSettings& settings, u64 seed, DeterminizationTrace* trace) {
            require_decision(seen);
            return run_unlocked([&] { return search_by_expectiminimax(seen, settings, seed, true, trace); });
        },
        nb::arg("observation"), nb::arg("settings"), nb::arg("seed"), nb::arg("trace") = nb::none());
}

}  // namespace lastcard
