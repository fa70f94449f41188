// The compiled core as a Python module. The package `lastcard` wraps it; users never see it.
#include "bindings/bindings.hpp"
#include "bindings/json_objects.hpp"
#include "cpu/cpu.hpp"

NB_MODULE(_core, module) {
    // A state that is kept until the interpreter ends is no leak to warn about.
    nanobind::set_leak_warnings(false);
    module.doc() = "Compiled core of lastcard; use the package `lastcard` instead.";
    module.attr("CPU") = lastcard::COMPILED_FOR;
    lastcard::raise_refusals();
    lastcard::bind_rules(module);
    lastcard::bind_turn(module);
    lastcard::bind_round(module);
    lastcard::bind_observation(module);
    lastcard::bind_batch(module);
    lastcard::bind_checks(module);
    lastcard::bind_playouts(module);
    lastcard::bind_network(module);
    lastcard::bind_options(module);
    lastcard::bind_search(module);
    lastcard::bind_agents(module);
    lastcard::bind_envs(module);
    lastcard::bind_trace(module);
    lastcard::bind_expectiminimax(module);
    lastcard::bind_trees(module);
    lastcard::bind_simulation(module);
    lastcard::bind_stop(module);
    lastcard::bind_replay(module);
    lastcard::bind_record(module);
    lastcard::bind_referee(module);
    lastcard::bind_judge(module);
    lastcard::bind_forms(module);
}
