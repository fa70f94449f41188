// What things look like in text and JSON, for Python: core/game says it, and this only hands it on.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "bindings/checks.hpp"
#include "bindings/json_objects.hpp"
#include "game/event_form.hpp"
#include "game/names.hpp"
#include "game/observation_form.hpp"
#include "game/rules_form.hpp"
#include "game/state_form.hpp"
#include "game/text.hpp"
#include "game/view_form.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

using Document = nb::typed<nb::dict, nb::str, nb::any>;
using Words = nb::typed<nb::dict, nb::str, nb::str>;
using Hands = std::vector<std::pair<int, std::vector<u8>>>;

Document make_document(const Json& value) { return nb::borrow<Document>(make_object(value)); }

Rules read_rules_of(nb::handle fields) {
    const FailingAs rules(Refused::RULES);
    return read_rules(read_object(fields));
}

Rules choose_rules_of(nb::handle described) {
    const FailingAs rules(Refused::RULES);
    return choose_rules(read_object(described));
}

// A text such as "house players=3".
Rules parse_rules_of(nb::handle text) {
    const FailingAs rules(Refused::RULES);
    return parse_rules(read_object(text));
}

ToldEvent make_told(u32 packed, const Hands& hands) {
    for (const auto& [seat, hand] : hands) require_faces(hand);
    return {unpack_events({packed}, MAX_SEATS).front(), hands};
}

std::pair<u32, Hands> parse_one_event(nb::handle text) {
    const FailingAs notation(Refused::NOTATION);
    const ToldEvent told = parse_event(read_object(text));
    return {pack_events({told.event}, 0).front(), told.hands};
}

SeatedRound seat(const Round& round, const std::vector<bool>& bots) {
    require(bots.size() == static_cast<std::size_t>(round.rules.players), "as many bots as players");
    return {round, bots};
}

using Seated = std::pair<Round, std::vector<bool>>;

Seated split_seats(SeatedRound seated) { return {std::move(seated.round), std::move(seated.bots)}; }

}  // namespace

void bind_forms(nb::module_& module) {
    module.def("read_rules", &read_rules_of, nb::arg("fields").none());
    module.def("choose_rules", &choose_rules_of, nb::arg("described").none());
    module.def("parse_rules", &parse_rules_of, nb::arg("text").none());
    module.def("describe_rules", [](const Rules& rules) { return make_document(describe_rules(rules)); });
    module.def("format_rules", &format_rules);
    module.def("name_preset", [](const Rules& rules) { return make_object(name_preset(rules)); });
    module.def("list_rule_changes", [](const Rules& rules) { return make_document(list_rule_changes(rules)); });
    module.def("describe_rule_fields",
               [] { return nb::borrow<nb::typed<nb::list, Document>>(make_object(describe_rule_fields())); });
    module.def("describe_presets", [] { return make_document(describe_presets()); });
    module.def("summarize_presets", [] { return nb::borrow<Words>(make_object(summarize_presets())); });
    module.def("describe_decks", [] { return nb::borrow<Words>(make_object(describe_decks())); });
    module.def("suggest", [](const nb::str& name, const std::vector<std::string>& known) {
        return suggest(read_text(name), known);
    });
    module.def(
        "format_event", [](u32 event, const Hands& hands) { return format_event(make_told(event, hands)); },
        nb::arg("event"), nb::arg("hands"));
    module.def(
        "describe_event",
        [](u32 event, const Hands& hands) { return make_document(describe_event(make_told(event, hands))); },
        nb::arg("event"), nb::arg("hands"));
    module.def("parse_event", &parse_one_event, nb::arg("text").none());
    module.def("describe_position", [](const Observation& seen, std::size_t first) {
        return make_document(describe_position(seen, first));
    });
    module.def("describe_observation",
               [](const Observation& seen) { return make_document(describe_observation(seen)); });
    module.def(
        "read_observation", [](nb::handle fields) { return read_observation(read_object(fields)); },
        nb::arg("fields").none());
    module.def("list_position_fields",
               [] { return nb::borrow<nb::typed<nb::list, nb::str>>(make_object(list_position_fields())); });
    module.def("describe_view", [](const Observation& seen, nb::handle table) {
        return make_document(describe_view(seen, read_object(table)));
    });
    module.def(
        "read_view", [](nb::handle view, nb::handle log) { return read_view(read_object(view), read_object(log)); },
        nb::arg("view").none(), nb::arg("log").none());
    module.def("describe_frame", [](const Observation& seen, int ply, std::size_t heard) {
        require_seated(seen);
        return make_document(describe_frame(seen, ply, heard));
    });
    module.def("describe_true_frame", [](const Round& round, int ply, std::size_t heard) {
        return make_document(describe_true_frame(round, ply, heard));
    });
    module.def("describe_state", [](const Round& round, const std::vector<bool>& bots) {
        return make_document(describe_state(seat(round, bots)));
    });
    module.def(
        "read_state", [](nb::handle fields) { return split_seats(read_state(read_object(fields))); },
        nb::arg("fields").none());
    module.def("format_state",
               [](const Round& round, const std::vector<bool>& bots) { return format_state(seat(round, bots)); });
    module.def(
        "parse_state", [](nb::handle line) { return split_seats(parse_state(read_object(line))); },
        nb::arg("line").none());
}

}  // namespace lastcard
