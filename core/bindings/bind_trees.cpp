#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/outline.hpp"
#include "search/pomcp.hpp"

namespace lastcard {

namespace {

std::vector<OutlineRow> outline_of(const TreeResult& result, int depth) {
    require_range(depth, 0, 1000, "depth out of range");
    std::vector<OutlineRow> rows;
    outline(rows, list_roots(*result.trees), 1, depth);
    return rows;
}

std::size_t count_nodes(const TreeResult& result) {
    std::size_t nodes = 0;
    for (const Tree& tree : *result.trees) nodes += tree.nodes.size();
    return nodes;
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
    nb::class_<OutlineRow>(module, "OutlineRow")
        .def_ro("depth", &OutlineRow::depth)
        .def_ro("action", &OutlineRow::action)
        .def_ro("seat", &OutlineRow::seat)
        .def_ro("simulations", &OutlineRow::visits)
        .def_prop_ro("value", [](const OutlineRow& row) { return row.own / static_cast<double>(row.visits); });
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
        .def_prop_ro("line", [](const TreeResult& result) { return find_line(*result.trees, result.best); })
        .def("outline", &outline_of, nb::arg("depth"));
    module.def("search_by_ismcts", unlocked(&run_ismcts), nb::arg("observation"), nb::arg("settings"), nb::arg("seed"),
               nb::arg("trace") = nb::none());
    module.def("search_by_mcts", unlocked(&run_mcts), nb::arg("observation"), nb::arg("settings"), nb::arg("seed"),
               nb::arg("trace") = nb::none());
    nb::class_<Pomcp>(module, "Pomcp")
        .def(nb::init<const PomcpSettings&>())
        .def(nb::init<const Pomcp&>())
        .def_prop_ro("num_carried", &Pomcp::num_carried)
        .def("search", unlocked(&run_pomcp), nb::arg("observation"), nb::arg("seed"), nb::arg("trace") = nb::none());
}

}  // namespace lastcard
