#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "round/batch.hpp"

namespace lastcard {

namespace {

Tally play_games(const Rules& rules, u64 first, u64 num_games, u64 seed, int threads) {
    require_threads(threads);
    return play_random_games(rules, first, num_games, seed, threads);
}

}  // namespace

void bind_batch(nb::module_& module) {
    nb::class_<Tally>(module, "Tally")
        .def_prop_ro("wins", [](const Tally& tally) { return std::vector<u64>(tally.wins.begin(), tally.wins.end()); })
        .def_prop_ro("points",
                     [](const Tally& tally) { return std::vector<u64>(tally.points.begin(), tally.points.end()); })
        .def_ro("plies", &Tally::plies)
        .def_ro("drawn", &Tally::drawn)
        .def_ro("signature", &Tally::signature);
    module.def("play_random_games", unlocked(&play_games), nb::arg("rules"), nb::arg("first"), nb::arg("num_games"),
               nb::arg("seed"), nb::arg("threads"));
}

}  // namespace lastcard
