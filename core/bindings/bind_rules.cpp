#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "game/check_rules.hpp"
#include "rules/game.hpp"

namespace lastcard {

namespace {

Rules make_rules(const std::vector<int>& deck, const nb::kwargs& fields) {
    Rules rules{};
    require(deck.size() == NUM_FACES, "a deck has 54 counts");
    ByFace<int> counts{};
    std::copy(deck.begin(), deck.end(), counts.begin());
    fill_deck(rules, counts);
    std::size_t count = 0;
    Rules::visit_fields([&]<class Field>(const char* name, Field Rules::* member, int least, int most) {
        long long value = 0;
        if (!fields.contains(name) || !nb::try_cast(fields[name], value) || value < least || value > most)
            throw std::invalid_argument(std::string(name) + " is missing or out of range");
        rules.*member = static_cast<Field>(value);
        count += 1;
    });
    require(fields.size() == count, "rules have no such field");
    check_rules(rules);
    return rules;
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "Rules");
    module.def("make_rules", &make_rules, nb::arg("deck"), nb::arg("fields"),
               nb::sig("def make_rules(deck: Sequence[int], **fields: int) -> Rules"));
    module.def(
        "leading_seat",
        [](const Rules& rules, const std::vector<int>& scores) {
            require(scores.size() == static_cast<std::size_t>(rules.players), "as many scores as players");
            return leading_seat(scores.data(), rules);
        },
        nb::arg("rules"), nb::arg("scores"));
}

}  // namespace lastcard
