#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "arena/match.hpp"
#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "search/marginals.hpp"
#include "search/reasons.hpp"
#include "search/recall.hpp"

namespace lastcard {

namespace {

Contestant make_policy_contestant(const std::vector<float>& weights, double epsilon, bool is_random) {
    require_range(epsilon, 0.0, 1.0, "epsilon out of range");
    Contestant contestant;
    contestant.policy = make_policy(weights_from(weights), epsilon);
    contestant.policy.is_random = is_random;
    return contestant;
}

template <class Settings>
Contestant make_searching_contestant(const Settings& settings) {
    Contestant contestant;
    contestant.kind = Contestant::Kind::SEARCH;
    contestant.search = settings;
    return contestant;
}

Ceiling ceiling_of(bool sees_deck) { return sees_deck ? Ceiling::OMNISCIENT : Ceiling::SEES_HANDS; }

Contestant make_ceiling_contestant(const HalvingSettings& settings, bool sees_deck) {
    Contestant contestant;
    contestant.kind = Contestant::Kind::CEILING;
    contestant.ceiling = ceiling_of(sees_deck);
    contestant.search = settings;
    return contestant;
}

SearchResult search_truth_of(const Round& round, const HalvingSettings& settings, bool sees_deck, u64 seed) {
    if (is_over(round)) throw std::invalid_argument("the round is over");
    return search_truth(round, ceiling_of(sees_deck), settings, seed);
}

// By observation it plays slower, as agents do, and otherwise the same.
Contestant make_network_contestant(const std::shared_ptr<Network>& network, bool by_observation) {
    require(network != nullptr, "a network is missing");
    Contestant contestant;
    contestant.kind = Contestant::Kind::NETWORK;
    contestant.network = network;
    contestant.by_observation = by_observation;
    return contestant;
}

std::vector<std::vector<int>> list_hands(const Hypothesis& hypothesis, int players) {
    require_range(players, 0, MAX_SEATS, "players out of range");
    std::vector<std::vector<int>> hands;
    for (int seat = 0; seat < players; ++seat) hands.push_back(list_faces(hypothesis.hands[seat]));
    return hands;
}

void require_opponent(const Observation& seen, int seat) {
    require_seated(seen);
    require_seat(seat, seen.rules.players);
    require(seat != seen.observer, "the observer knows its own cards");
}

std::vector<double> count_chances_of(const Observation& seen, const Belief& belief, int seat,
                                     const std::vector<int>& faces) {
    require_opponent(seen, seat);
    for (const int face : faces) require_range(face, 0, NUM_FACES - 1, "no such card");
    return count_chances(seen, belief, seat, faces);
}

std::vector<double> marginals_of(const Observation& seen, const Belief& belief, int seat) {
    require_opponent(seen, seat);
    const ByFace<double> chances = list_marginals(seen, belief, seat);
    return {chances.begin(), chances.end()};
}

using Reasons = nb::typed<nb::list, nb::typed<nb::dict, nb::str, nb::object>>;

// Each reason by the names of its fields, without those that do not apply.
Reasons reasons_for(const Observation& seen, const Belief& belief, int best, int by_policy,
                    const std::vector<std::tuple<int, double, double>>& rows) {
    require_decision(seen);
    std::vector<ActionValue> values;
    for (const auto& [action, value, error] : rows) {
        require_range(action, 0, NUM_ACTIONS - 1, "no such action");
        values.push_back({action, 0.0, value, error});
    }
    require(contains(seen.legal, best), "the best action is not legal");
    nb::list reasons;
    for (const Reason& reason : list_reasons(seen, belief, best, by_policy, values)) {
        nb::dict fields;
        fields["kind"] = reason.name();
        visit_fields(reason, [&](const char* name, const auto& value) {
            if (value) fields[name] = *value;
        });
        reasons.append(fields);
    }
    return nb::borrow<Reasons>(reasons);
}

double log_weight_of(const Observation& seen, const BeliefSettings& settings,
                     const std::vector<std::vector<int>>& faces) {
    if (faces.size() > MAX_SEATS) throw std::invalid_argument("too many hands");
    require_seated(seen);
    BySeat<Hand> hands{};
    for (std::size_t seat = 0; seat < faces.size(); ++seat) {
        FaceCounts counts{};
        for (const int face : faces[seat]) {
            const int most = face < FIRST_WILD ? 2 : 4;
            if (face < 0 || face >= NUM_FACES || ++counts[face] > most) {
                return -std::numeric_limits<double>::infinity();
            }
            add_face(hands[seat], face);
        }
    }
    return log_weight(seen, settings, hands);
}

Belief believe_seen(const Observation& seen, const BeliefSettings& settings, u64 seed) {
    require_seated(seen);
    return believe(seen, settings, seed);
}

SearchResult run_halving(const Observation& seen, const HalvingSettings& settings, u64 seed) {
    require_decision(seen);
    return search_by_halving(seen, settings, seed);
}

MatchResult run_match(const Rules& rules, const std::vector<Contestant>& contestants, const std::vector<int>& seating,
                      u64 first, u64 num_deals, u64 seed, int threads, bool to_score, bool splits_unfinished,
                      bool keeps_records) {
    require_threads(threads);
    require(num_deals <= MOST_AT_ONCE, "too many deals");
    const MatchLength length = !to_score           ? MatchLength::ROUND
                               : splits_unfinished ? MatchLength::SPLIT_GAME
                                                   : MatchLength::GAME;
    return play_match(rules, contestants, seating, first, num_deals, seed, threads, length, keeps_records);
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<Contestant>(module, "Contestant");
    nb::class_<Belief>(module, "Belief")
        .def_ro("is_exact", &Belief::is_exact)
        .def_ro("is_shuffle", &Belief::is_shuffle)
        .def_ro("effective_sample_size", &Belief::effective_sample_size)
        .def_prop_ro("unseen",
                     [](const Belief& belief) { return std::vector<int>(belief.unseen.begin(), belief.unseen.end()); })
        .def_prop_ro("num_hypotheses", [](const Belief& belief) { return belief.hypotheses.size(); })
        .def("weights",
             [](const Belief& belief) {
                 std::vector<double> weights;
                 for (const Hypothesis& hypothesis : belief.hypotheses) weights.push_back(hypothesis.weight);
                 return weights;
             })
        .def("hands", [](const Belief& belief, std::size_t index,
                         int players) { return list_hands(belief.hypotheses.at(index), players); })
        .def("models_of",
             [](const Belief& belief, std::size_t index, std::size_t players) {
                 const auto& models = belief.hypotheses.at(index).models;
                 require(players <= MAX_SEATS, "players out of range");
                 return std::vector<int>(models.begin(), models.begin() + static_cast<std::ptrdiff_t>(players));
             })
        .def("models",
             [](const Belief& belief, int seat) {
                 require_seat(seat, MAX_SEATS);
                 const auto& odds = belief.models[seat];
                 return std::vector<double>(odds.begin(), odds.end());
             })
        .def("known", [](const Belief& belief, int seat) {
            require_seat(seat, MAX_SEATS);
            const auto& faces = belief.known[seat];
            return std::vector<int>(faces.begin(), faces.end());
        });
    module.def("list_reason_kinds",
               [] { return std::vector<std::string>(std::begin(REASON_NAMES), std::end(REASON_NAMES)); });
    module.def("count_chances", &count_chances_of, nb::arg("observation"), nb::arg("belief"), nb::arg("seat"),
               nb::arg("faces"));
    module.def("marginals", &marginals_of, nb::arg("observation"), nb::arg("belief"), nb::arg("seat"));
    module.def("list_reasons", &reasons_for, nb::arg("observation"), nb::arg("belief"), nb::arg("best"),
               nb::arg("by_policy"), nb::arg("values"));
    constexpr auto UNIT = static_cast<double>(VALUE_UNITS);
    nb::class_<ActionResult>(module, "ActionResult")
        .def_ro("action", &ActionResult::action)
        .def_ro("simulations", &ActionResult::simulations)
        .def_prop_ro("total", [](const ActionResult& row) { return static_cast<double>(row.sum) / UNIT; })
        .def_prop_ro("squares",
                     [](const ActionResult& row) { return static_cast<double>(row.squares) / (UNIT * UNIT); });
    nb::class_<StageResult>(module, "StageResult")
        .def_ro("action", &StageResult::action)
        .def_ro("simulations", &StageResult::simulations)
        .def_ro("value", &StageResult::value)
        .def_ro("rank", &StageResult::rank)
        .def_ro("stays", &StageResult::stays);
    nb::class_<SearchResult>(module, "SearchResult")
        .def_ro("best", &SearchResult::best)
        .def_ro("by_policy", &SearchResult::by_policy)
        .def_ro("advice", &SearchResult::advice)
        .def_ro("belief", &SearchResult::belief)
        .def_ro("simulations", &SearchResult::simulations)
        .def_prop_ro("stages", [](const SearchResult& result) { return result.stages; })
        .def_prop_ro("actions", [](const SearchResult& result) { return result.actions; });
    nb::class_<TracedSimulation>(module, "TracedSimulation")
        .def(
            "hands", [](const TracedSimulation& traced, int players) { return list_hands(traced.hypothesis, players); },
            nb::arg("players"))
        .def_prop_ro("values", [](const TracedSimulation& traced) { return traced.values; });
    nb::class_<MatchResult>(module, "MatchResult")
        .def_prop_ro("winners",
                     [](const MatchResult& result) { return nb::bytes(result.winners.data(), result.winners.size()); })
        .def_prop_ro("points", [](const MatchResult& result) { return result.points; })
        .def_prop_ro(
            "unfinished",
            [](const MatchResult& result) { return nb::bytes(result.unfinished.data(), result.unfinished.size()); })
        .def_ro("plies", &MatchResult::plies)
        .def_ro("records", &MatchResult::records);
    module.def("policy_contestant", &make_policy_contestant, nb::kw_only(), nb::arg("weights"), nb::arg("epsilon"),
               nb::arg("is_random"));
    module.def("ceiling_contestant", &make_ceiling_contestant, nb::kw_only(), nb::arg("settings"),
               nb::arg("sees_deck"));
    module.def("search_truth", unlocked(&search_truth_of), nb::arg("round"), nb::arg("settings"), nb::arg("sees_deck"),
               nb::arg("seed"));
    module.def("search_contestant", &make_searching_contestant<HalvingSettings>, nb::arg("settings"));
    module.def("search_contestant", &make_searching_contestant<ExpectiminimaxSettings>, nb::arg("settings"));
    module.def("search_contestant", &make_searching_contestant<IsmctsSettings>, nb::arg("settings"));
    module.def("search_contestant", &make_searching_contestant<MctsSettings>, nb::arg("settings"));
    module.def("search_contestant", &make_searching_contestant<PomcpSettings>, nb::arg("settings"));
    module.def("first_legal_contestant", [] { return make_searching_contestant(FirstLegal{}); });
    module.def("network_contestant", &make_network_contestant, nb::arg("network"), nb::kw_only(),
               nb::arg("by_observation") = false);
    module.def("believe", unlocked(&believe_seen), nb::arg("observation"), nb::arg("settings"), nb::arg("seed"));
    module.def("log_weight", unlocked(&log_weight_of), nb::arg("observation"), nb::arg("settings"), nb::arg("hands"));
    module.def("search_by_halving", unlocked(&run_halving), nb::arg("observation"), nb::arg("settings"),
               nb::arg("seed"));
    module.def(
        "trace_halving",
        [](const Observation& seen, const HalvingSettings& settings, u64 seed, int count) {
            require_decision(seen);
            require_range(count, 0, 100'000, "count out of range");
            return run_unlocked([&] { return trace_halving(seen, settings, seed, count); });
        },
        nb::arg("observation"), nb::arg("settings"), nb::arg("seed"), nb::arg("count"));
    module.def("choose_by_heuristic", [](const Observation& seen, const std::vector<float>& weights) {
        require_decision(seen);
        return choose_by_heuristic(seen, weights_from(weights));
    });
    module.def("score_by_heuristic", [](const Observation& seen, const std::vector<float>& weights) {
        require_decision(seen);
        nb::typed<nb::dict, int, double> scores;
        for (const auto& [action, score] : score_by_heuristic(seen, weights_from(weights)))
            scores[nb::int_(action)] = static_cast<double>(score);
        return scores;
    });
    module.def("play_match", unlocked(&run_match), nb::arg("rules"), nb::arg("contestants"), nb::arg("seating"),
               nb::arg("first"), nb::arg("num_deals"), nb::arg("seed"), nb::arg("threads"), nb::arg("to_score") = false,
               nb::arg("splits_unfinished") = false, nb::arg("keeps_records") = false);
    module.def(
        "deal_match_round",
        [](const Rules& rules, u64 seed, u64 deal, int number, const std::vector<i64>& scores) {
            require_range(number, 1, 1'000'000, "number out of range");
            require(scores.size() == static_cast<std::size_t>(rules.players), "scores must have one for each seat");
            return deal_match_round(rules, seed, deal, number, scores);
        },
        nb::arg("rules"), nb::arg("seed"), nb::arg("deal"), nb::arg("number"), nb::arg("scores"));
}

}  // namespace lastcard
