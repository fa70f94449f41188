// Records for Python.
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/json_objects.hpp"
#include "bindings/unlocked.hpp"
#include "game/names.hpp"
#include "game/record.hpp"
#include "game/refusal.hpp"
#include "game/replay.hpp"

namespace lastcard {

namespace {

std::optional<nb::bytes> show_seed(const std::optional<Key>& seed) {
    return seed ? std::optional(bytes_of(*seed)) : std::nullopt;
}

std::optional<Key> read_seed(const std::optional<nb::bytes>& seed) {
    return seed ? std::optional(key_from(*seed)) : std::nullopt;
}

std::vector<int> to_ints(const std::vector<u8>& values) { return {values.begin(), values.end()}; }

PlayedRound make_round(i64 number, i64 dealer, const std::vector<i64>& scores, const std::optional<nb::bytes>& seed,
                       const std::vector<u8>& deck, const std::vector<std::vector<u8>>& reshuffles,
                       const std::vector<u8>& actions, int ending, std::optional<int> winner,
                       const std::vector<int>& points) {
    require_faces(deck);
    for (const std::vector<u8>& order : reshuffles) require_faces(order);
    for (const u8 action : actions) require(action < NUM_ACTIONS, "no such action");
    require_range(ending, 0, static_cast<int>(Ending::MAX_PLIES), "no such ending");
    require_range(winner.value_or(0), 0, MAX_SEATS - 1, "no such seat");
    const Result result{static_cast<Ending>(ending), winner.value_or(NO_SEAT), points};
    return {number, dealer, scores, read_seed(seed), deck, reshuffles, actions, result};
}

GameRecord make_record(const Rules& rules, const nb::typed<nb::list, nb::str>& agents, const std::vector<int>& people,
                       const std::optional<nb::bytes>& seed, const std::vector<PlayedRound>& rounds) {
    GameRecord record{rules, {}, people, read_seed(seed), rounds};
    for (const nb::handle name : agents) record.agents.push_back(read_text(nb::cast<nb::str>(name)));
    return record;
}

using Parse = GameRecord (*)(const std::string& text);

template <Parse PARSE>
GameRecord parse_with(const nb::str& text) {
    const std::string told = read_text(text);
    return run_unlocked([&] { return PARSE(told); });
}

template <std::size_t SIZE>
void bind_names(nb::module_& module, const char* function, const char* const (&names)[SIZE]) {
    module.def(function, [&names] { return std::vector<std::string>(std::begin(names), std::end(names)); });
}

}  // namespace

void bind_record(nb::module_& module) {
    bind_names(module, "list_card_names", CARD_NAMES);
    bind_names(module, "list_action_names", ACTION_NAMES);
    bind_names(module, "list_phase_names", PHASE_NAMES);
    bind_names(module, "list_ending_names", ENDING_NAMES);
    module.attr("CARD_HELP") = CARD_HELP;
    module.attr("ACTION_HELP") = ACTION_HELP;
    module.attr("RECORD_VERSION") = RECORD_VERSION;
    module.attr("MOST_RECORD_CHARACTERS") = MOST_RECORD_CHARACTERS;
    nb::class_<PlayedRound>(module, "PlayedRound")
        .def(nb::new_(&make_round), nb::kw_only(), nb::arg("number"), nb::arg("dealer"), nb::arg("scores"),
             nb::arg("seed").none(), nb::arg("deck"), nb::arg("reshuffles"), nb::arg("actions"), nb::arg("ending"),
             nb::arg("winner").none(), nb::arg("points"))
        .def_ro("number", &PlayedRound::number)
        .def_ro("dealer", &PlayedRound::dealer)
        .def_ro("scores", &PlayedRound::scores)
        .def_prop_ro("seed", [](const PlayedRound& played) { return show_seed(played.seed); })
        .def_prop_ro("deck", [](const PlayedRound& played) { return to_ints(played.deck); })
        .def_prop_ro("reshuffles",
                     [](const PlayedRound& played) {
                         std::vector<std::vector<int>> orders;
                         for (const std::vector<u8>& order : played.reshuffles) orders.push_back(to_ints(order));
                         return orders;
                     })
        .def_prop_ro("actions", [](const PlayedRound& played) { return to_ints(played.actions); })
        .def_prop_ro("ending", [](const PlayedRound& played) { return static_cast<int>(played.result.ending); })
        .def_prop_ro("winner", [](const PlayedRound& played) { return seat_or_none(played.result.winner); })
        .def_prop_ro("points", [](const PlayedRound& played) { return played.result.points; });
    nb::class_<GameRecord>(module, "GameRecord")
        .def(nb::new_(&make_record), nb::kw_only(), nb::arg("rules"), nb::arg("agents"), nb::arg("people"),
             nb::arg("seed").none(), nb::arg("rounds"))
        .def_prop_ro("agents",
                     [](const GameRecord& record) {
                         nb::list names;
                         for (const std::string& name : record.agents) names.append(show_text(name));
                         return nb::typed<nb::list, nb::str>(names);
                     })
        .def_ro("people", &GameRecord::people)
        .def_prop_ro("seed", [](const GameRecord& record) { return show_seed(record.seed); })
        .def_ro("rounds", &GameRecord::rounds)
        .def("check", unlocked(&check_record))
        .def_ro("rules", &GameRecord::rules)
        .def("to_text",
             [](const GameRecord& record) { return show_text(run_unlocked([&] { return format_record(record); })); })
        .def("to_json_lines", [](const GameRecord& record) { return show_text(format_json_lines(record)); });
    nb::class_<Replay>(module, "Replay")
        .def(nb::init<const Rules&, const PlayedRound&>(), nb::arg("rules"), nb::arg("played"))
        .def_prop_ro("round", [](Replay& again) -> Round& { return again.now(); })
        .def("step", [](Replay& again) {
            if (again.has_more()) return again.step(), true;
            return again.check_end(), false;
        });
    module.def("parse_text", &parse_with<&parse_text>, nb::arg("text"));
    module.def("parse_json_lines", &parse_with<&parse_json_lines>, nb::arg("text"));
    module.def("explain_refusal", &explain_refusal, nb::arg("round"), nb::arg("action"));
}

}  // namespace lastcard
