#include <stdexcept>
#include <tuple>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/outline.hpp"
#include "search/pomcp.hpp"

namespace lastcard {

namespace {

using Row = std::tuple<int, int, int, u64, double>;  // depth, action, seat, visits, mean return to the observer

std::vector<Row> as_rows(const std::vector<OutlineRow>& rows) {
    std::vector<Row> made;
    for (const OutlineRow& row : rows) {
        made.emplace_back(row.depth, row.action, row.seat, row.visits, row.own / static_cast<double>(row.visits));
    }
    return made;
}

std::vector<Row> outline_of(const TreeResult& result, int depth) {
    std::vector<OutlineRow> rows;
    outline(rows, list_roots(*result.trees), 1, depth);
    return as_rows(rows);
}

std::size_t count_nodes(const TreeResult& result) {
    std::size_t nodes = 0;
    for (const Tree& tree : *result.trees) nodes += tree.nodes.size();
    return nodes;
}

TreeSettings make_tree_settings(const BeliefSettings& belief, int simulations, double seconds, int threads, int trees,
                                int max_nodes, double exploration, u32 playout_plies, bool random_playouts,
                                bool random_opponents, bool adapts) {
    require_budget(simulations, seconds, threads);
    require_range(trees, 1, MOST_THREADS, "trees out of range");
    require(max_nodes >= 1, "max_nodes must be at least 1");
    require_range(playout_plies, 1, 1e6, "playout_plies out of range");
    require_range(exploration, 0.0, 1e6, "exploration out of range");
    return TreeSettings{simulations,   seconds,         threads,          trees,  max_nodes, exploration,
                        playout_plies, random_playouts, random_opponents, adapts, belief};
}

MctsSettings make_mcts_settings(const TreeSettings& tree, double discount, u32 max_depth, double opponent_plays,
                                bool draws_from_pile, bool draws_penalties, bool follows_turns, bool searches_color,
                                bool values_unfinished) {
    require_range(discount, 0.0, 1.0, "discount out of range");
    require_range(opponent_plays, 0.0, 1.0, "opponent_plays out of range");
    return MctsSettings{tree,           discount,        max_depth,
                        opponent_plays, draws_from_pile, draws_penalties,
                        follows_turns,  searches_color,  values_unfinished};
}

PomcpSettings make_pomcp_settings(const TreeSettings& tree, int particles, double discount, u32 rollout_depth,
                                  u32 patience, bool guides, bool reinvigorates, bool keeps_tree,
                                  bool chooses_by_visits) {
    require_range(particles, 1, 1 << 20, "particles out of range");
    require_range(discount, 0.0, 1.0, "discount out of range");
    return PomcpSettings{tree,   particles,     discount,   rollout_depth,    patience,
                         guides, reinvigorates, keeps_tree, chooses_by_visits};
}

TreeResult run_ismcts(const Observation& seen, const IsmctsSettings& settings, u64 seed, Trace* trace) {
    require_decision(seen);
    return search_by_ismcts(seen, settings, seed, trace);
}

TreeResult run_mcts(const Observation& seen, const MctsSettings& settings, u64 seed, Trace* trace) {
    require_decision(seen);
    return search_by_mcts(seen, settings, seed, trace);
}

TreeResult run_pomcp(Pomcp& pomcp, const Observation& seen, u64 seed, Trace* trace) {
    require_decision(seen);
    return pomcp.search(seen, seed, trace);
}

}  // namespace

void bind_trees(nb::module_& module) {
    nb::class_<TreeSettings>(module, "TreeSettings");
    nb::class_<IsmctsSettings>(module, "IsmctsSettings");
    nb::class_<MctsSettings>(module, "MctsSettings");
    nb::class_<PomcpSettings>(module, "PomcpSettings");
    nb::class_<RootAction>(module, "RootAction")
        .def_ro("action", &RootAction::action)
        .def_ro("simulations", &RootAction::visits)
        .def_ro("total", &RootAction::own)
        .def_ro("squares", &RootAction::squares);
    nb::class_<TreeResult>(module, "TreeResult")
        .def_ro("best", &TreeResult::best)
        .def_ro("by_policy", &TreeResult::by_policy)
        .def_ro("belief", &TreeResult::belief)
        .def_ro("simulations", &TreeResult::simulations)
        .def_prop_ro("num_nodes", &count_nodes)
        .def_prop_ro("actions", [](const TreeResult& result) { return result.actions; })
        .def_prop_ro("line", [](const TreeResult& result) { return as_rows(find_line(*result.trees, result.best)); })
        .def(
            "outline",
            [](const TreeResult& result, int depth) {
                require_range(depth, 0, 1000, "depth out of range");
                return outline_of(result, depth);
            },
            nb::arg("depth"));
    module.def("tree_settings", &make_tree_settings, nb::kw_only(), nb::arg("belief"), nb::arg("simulations"),
               nb::arg("seconds"), nb::arg("threads"), nb::arg("trees"), nb::arg("max_nodes"), nb::arg("exploration"),
               nb::arg("playout_plies"), nb::arg("random_playouts"), nb::arg("random_opponents"), nb::arg("adapts"));
    module.def(
        "ismcts_settings",
        [](const TreeSettings& tree, u32 patience, bool guides) { return IsmctsSettings{tree, patience, guides}; },
        nb::kw_only(), nb::arg("tree"), nb::arg("patience"), nb::arg("guides"));
    module.def("search_by_ismcts", unlocked(&run_ismcts), nb::arg("observation"), nb::arg("settings"), nb::arg("seed"),
               nb::arg("trace") = nb::none());
    module.def("mcts_settings", &make_mcts_settings, nb::kw_only(), nb::arg("tree"), nb::arg("discount"),
               nb::arg("max_depth"), nb::arg("opponent_plays"), nb::arg("draws_from_pile"), nb::arg("draws_penalties"),
               nb::arg("follows_turns"), nb::arg("searches_color"), nb::arg("values_unfinished"));
    module.def("search_by_mcts", unlocked(&run_mcts), nb::arg("observation"), nb::arg("settings"), nb::arg("seed"),
               nb::arg("trace") = nb::none());
    module.def("pomcp_settings", &make_pomcp_settings, nb::kw_only(), nb::arg("tree"), nb::arg("particles"),
               nb::arg("discount"), nb::arg("rollout_depth"), nb::arg("patience"), nb::arg("guides"),
               nb::arg("reinvigorates"), nb::arg("keeps_tree"), nb::arg("chooses_by_visits"));
    nb::class_<Pomcp>(module, "Pomcp")
        .def(nb::init<const PomcpSettings&>())
        .def(nb::init<const Pomcp&>())
        .def_prop_ro("num_carried", &Pomcp::num_carried)
        .def("search", unlocked(&run_pomcp), nb::arg("observation"), nb::arg("seed"), nb::arg("trace") = nb::none());
}

}  // namespace lastcard
