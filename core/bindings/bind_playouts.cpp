#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "round/playouts.hpp"
#include "search/determinize.hpp"
#include "search/filter.hpp"

namespace lastcard {

namespace {

using Rows = nb::ndarray<u64, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Positions positions_of_rounds(const Rules& rules, const std::vector<const Round*>& rounds) {
    Positions positions{rules, {}};
    for (const Round* round : rounds) {
        require(round != nullptr, "a round is missing");
        if (round->rules != rules) throw std::invalid_argument("a round of other rules");
        positions.starts.push_back(position_of(*round));
    }
    return positions;
}

Positions positions_of_belief(const Observation& seen, const Belief& belief, u64 count, u64 seed) {
    if (seen.turn.seat != seen.observer || belief.hypotheses.empty())
        throw std::invalid_argument("the observer is not to act");
    require_decision(seen);
    require(count <= MOST_AT_ONCE, "too many determinizations");
    const FaceCounts unseen = count_unseen(seen);
    double weight = 0.0;
    for (const Hypothesis& hypothesis : belief.hypotheses) {
        require(fits(hypothesis, seen, unseen), "a belief about another observation");
        weight += hypothesis.weight;
    }
    require(weight > 0.0, "a belief without weight");
    return Positions{seen.rules, determinize(seen, belief, count, seed)};
}

void play_into(const Positions& positions, u64 num_each, u64 seed, u64 first, u64 last, int threads, const Rows& rows) {
    require_threads(threads);
    const u64 num = positions.starts.size();
    if (rows.shape(0) != num || rows.shape(1) != playout_row_size(positions.rules.players))
        throw std::invalid_argument("rows of another shape");
    if (num_each == 0 || first > last || last > num * num_each) throw std::invalid_argument("no such playouts");
    run_unlocked([&] { play_out_positions(positions, num_each, seed, first, last, threads, rows.data()); });
}

}  // namespace

void bind_playouts(nb::module_& module) {
    nb::class_<Positions>(module, "Positions")
        .def("__len__", [](const Positions& positions) { return positions.starts.size(); })
        // For a GPU, where the same sources read them.
        .def_prop_ro("bytes", [](const Positions& positions) {
            return nb::bytes(reinterpret_cast<const char*>(positions.starts.data()),
                             positions.starts.size() * sizeof(Position));
        });
    module.def("positions_of_rounds", &positions_of_rounds, nb::arg("rules"), nb::arg("rounds"));
    module.def("positions_of_belief", unlocked(&positions_of_belief), nb::arg("observation"), nb::arg("belief"),
               nb::arg("count"), nb::arg("seed"));
    module.def("play_out", &play_into, nb::arg("positions"), nb::arg("num_each"), nb::arg("seed"), nb::arg("first"),
               nb::arg("last"), nb::arg("threads"), nb::arg("rows"));
}

}  // namespace lastcard
