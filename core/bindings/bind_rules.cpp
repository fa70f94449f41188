#include <functional>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "game/rules_form.hpp"
#include "rules/game.hpp"

namespace lastcard {

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "Rules")
        .def(
            "__eq__", [](const Rules& rules, const Rules& other) { return rules == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Rules& rules) {
            return static_cast<Py_hash_t>(std::hash<std::string>()(format_json(describe_rules(rules))));
        });
    module.def(
        "leading_seat",
        [](const Rules& rules, const std::vector<int>& scores) {
            require(scores.size() == static_cast<std::size_t>(rules.players), "as many scores as players");
            return leading_seat(scores.data(), rules);
        },
        nb::arg("rules"), nb::arg("scores"));
}

}  // namespace lastcard
