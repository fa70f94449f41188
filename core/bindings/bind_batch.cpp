#include "bindings/bindings.hpp"
#include "round/batch.hpp"

namespace lastcard {

void bind_batch(nb::module_& module) {
    nb::class_<Tally>(module, "Tally")
        .def_prop_ro("wins", [](const Tally& tally) { return std::vector<u64>(tally.wins.begin(), tally.wins.end()); })
        .def_prop_ro("points",
                     [](const Tally& tally) { return std::vector<u64>(tally.points.begin(), tally.points.end()); })
        .def_ro("plies", &Tally::plies)
        .def_ro("drawn", &Tally::drawn)
        .def_ro("signature", &Tally::signature);
    module.def("play_random_games", &play_random_games, nb::arg("rules"), nb::arg("first"), nb::arg("num_games"),
               nb::arg("seed"), nb::arg("threads"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace lastcard
