// The referee for Python, whose tables ask agents of any kind.
#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "game/referee.hpp"

namespace lastcard {

namespace {

GameEnd judge_scores(const Rules& rules, const std::vector<int>& scores) {
    require(scores.size() == static_cast<std::size_t>(rules.players), "scores must have one number for each seat");
    BySeat<int> by_seat{};
    std::copy(scores.begin(), scores.end(), by_seat.begin());
    return judge_game(rules, by_seat);
}

Referee resume(const GameRecord& record, const nb::bytes& seed, const std::optional<nb::bytes>& round_key) {
    const Key from = key_from(seed);
    const std::optional<Key> key = round_key ? std::optional(key_from(*round_key)) : std::nullopt;
    return run_unlocked([&] { return Referee(record, from, key); });
}

}  // namespace

void bind_referee(nb::module_& module) {
    nb::class_<GameEnd>(module, "GameEnd")
        .def_ro("is_over", &GameEnd::is_over)
        .def_prop_ro("winner", [](const GameEnd& end) { return seat_or_none(end.winner); });
    nb::class_<Referee>(module, "Referee")
        .def(nb::new_([](const Rules& rules, const nb::bytes& seed, bool tells_seed) {
                 return Referee(rules, key_from(seed), tells_seed);
             }),
             nb::kw_only(), nb::arg("rules"), nb::arg("seed"), nb::arg("tells_seed"))
        .def_static("resume", &resume, nb::arg("record"), nb::arg("seed"), nb::arg("round_key").none())
        .def_prop_ro("round", [](Referee& referee) -> Round& { return referee.now(); })
        .def_prop_ro("played", [](Referee& referee) { return referee.played(); })
        .def_prop_ro(
            "actions",
            [](const Referee& referee) { return std::vector<int>(referee.actions().begin(), referee.actions().end()); })
        .def_prop_ro("num_actions", [](const Referee& referee) { return referee.actions().size(); })
        .def_prop_ro("key", [](const Referee& referee) { return bytes_of(referee.key()); })
        .def("apply", &Referee::apply)
        .def("undo", &Referee::undo)
        .def("next_round", &Referee::next_round)
        .def("find_end", &Referee::find_end);
    module.def("judge_game", &judge_scores, nb::arg("rules"), nb::arg("scores"));
}

}  // namespace lastcard
