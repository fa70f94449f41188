#include <nanobind/stl/string.h>

#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "round/check_rounds.hpp"

namespace lastcard {

namespace {

Check check_rounds(const Rules& rules, u64 num_rounds, u64 seed, int threads) {
    require_threads(threads);
    return check_random_rounds(rules, num_rounds, seed, threads);
}

}  // namespace

void bind_checks(nb::module_& module) {
    nb::class_<Check>(module, "Check")
        .def_ro("rounds", &Check::rounds)
        .def_ro("plies", &Check::plies)
        .def_ro("failures", &Check::failures)
        .def_ro("first_round", &Check::first_round)
        .def_ro("first_failure", &Check::first_failure);
    module.def("check_random_rounds", unlocked(&check_rounds), nb::arg("rules"), nb::arg("num_rounds"), nb::arg("seed"),
               nb::arg("threads"));
}

}  // namespace lastcard
