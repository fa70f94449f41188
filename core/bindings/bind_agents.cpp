// Agents that decide without a search.
#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "search/decision.hpp"
#include "search/frequency.hpp"

namespace lastcard {

void bind_agents(nb::module_& module) {
    nb::enum_<FrequencyReason>(module, "FrequencyReason")
        .value("ONLY_LEGAL", FrequencyReason::ONLY_LEGAL)
        .value("CALL", FrequencyReason::CALL)
        .value("SMALLEST_HAND", FrequencyReason::SMALLEST_HAND)
        .value("COLOR", FrequencyReason::COLOR)
        .value("LAST_FOUR", FrequencyReason::LAST_FOUR)
        .value("FOUR_IN_TIME", FrequencyReason::FOUR_IN_TIME)
        .value("WILD", FrequencyReason::WILD)
        .value("SPECIAL", FrequencyReason::SPECIAL)
        .value("NOTHING_YET", FrequencyReason::NOTHING_YET)
        .value("ONLY_COLOR", FrequencyReason::ONLY_COLOR)
        .value("ONLY_NUMBER", FrequencyReason::ONLY_NUMBER)
        .value("KEEPS_COLOR", FrequencyReason::KEEPS_COLOR)
        .value("KEEPS_NUMBER", FrequencyReason::KEEPS_NUMBER)
        .value("DISTRUST", FrequencyReason::DISTRUST)
        .value("TRUST", FrequencyReason::TRUST)
        .value("FOUR_IS_ALL", FrequencyReason::FOUR_IS_ALL);
    nb::class_<FrequencyChoice>(module, "FrequencyChoice")
        .def_ro("action", &FrequencyChoice::action)
        .def_ro("reason", &FrequencyChoice::reason);
    nb::class_<SeenCards>(module, "SeenCards")
        .def_prop_ro("colors",
                     [](const SeenCards& seen) { return std::vector<int>(seen.colors.begin(), seen.colors.end()); })
        .def_prop_ro("numbers",
                     [](const SeenCards& seen) { return std::vector<int>(seen.numbers.begin(), seen.numbers.end()); });
    module.def("count_seen", &count_seen, nb::arg("observation"));
    module.def(
        "decision_seed",
        [](const Observation& seen, const nb::bytes& agent) { return decision_seed(seen, key_from(agent)); },
        nb::arg("observation"), nb::arg("agent"));
    module.def(
        "choose_at_random",
        [](const Observation& seen, u64 seed) {
            require_decision(seen);
            return choose_at_random(seen, seed);
        },
        nb::arg("observation"), nb::arg("seed"));
    module.def(
        "choose_by_frequency",
        [](const Observation& seen, u64 seed, int four_below, bool four_to_go_out, double challenge_from) {
            require_decision(seen);
            return choose_by_frequency(seen, {four_below, four_to_go_out, challenge_from}, seed);
        },
        nb::arg("observation"), nb::arg("seed"), nb::kw_only(), nb::arg("four_below"), nb::arg("four_to_go_out"),
        nb::arg("challenge_from"));
}

}  // namespace lastcard
