#include "wasm/study.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "round/fail.hpp"
#include "tables.hpp"
#include "wasm/reports.hpp"
#include "wasm/views.hpp"

namespace lastcard {

namespace {

constexpr int MOST_FRAMES = 500;
constexpr std::size_t MOST_SHOWN = 12;

Round replay_all(const GameRecord& record, const PlayedRound& played) {
    return replay(record, played, played.actions.size());
}

Json describe_round(const GameRecord& record, const PlayedRound& played, const Round& end) {
    const Turn& turn = end.state.turn;
    const bool is_done = is_over(end);
    return Json::Object{
        {"round", played.number},
        {"dealer", played.dealer},
        {"plies", played.actions.size()},
        {"winner", is_done ? name_seat(turn.winner) : Json()},
        {"reason", is_done ? Json(tables::ENDINGS[static_cast<int>(turn.ending)]) : Json()},
        {"points", first_seats(points_scored(end), record.players())},
        {"scores", first_seats(scores_after(end), record.players())},
    };
}

Json show_truth(const Round& round, int ply, std::size_t& heard) {
    const int seat = is_over(round) ? 0 : round.state.turn.seat;
    std::size_t nothing = round.events.size();
    Json frame = make_frame(observe(round, seat), ply, nothing);
    Json::List hands;
    for (int each = 0; each < round.rules.players; ++each) hands.push_back(name_hand(round.state.hands[each]));
    for (auto& [name, value] : frame.members) {
        if (name == "hands") value = hands;
        if (name == "log") value = describe_events(round.events, heard, SPECTATOR);
    }
    heard = round.events.size();
    return frame;
}

const Json* find_value(const Json::List& actions, const std::string& wanted) {
    for (const Json& each : actions) {
        if (each.words("action") == wanted) return &each;
    }
    return nullptr;
}

Json sum_up_seat(const Json::List& judged, int seat) {
    int decisions = 0, agreed = 0;
    double given = 0.0;
    for (const Json& part : judged) {
        for (const Json& each : part.items("decisions")) {
            if (each.integer("seat", 0, MAX_SEATS) != seat) continue;
            decisions += 1;
            agreed += each.words("played") == each.words("best");
            given += each.at("cost").number;
        }
    }
    const double mean = decisions > 0 ? round_to(given / decisions, 6) : 0.0;
    return Json::Object{{"seat", seat}, {"decisions", decisions}, {"agreed", agreed}, {"mean_cost", mean}};
}

Json find_costliest(const Json::List& judged) {
    Json::List costly;
    for (const Json& part : judged) {
        for (const Json& each : part.items("decisions")) {
            if (each.at("cost").number <= 0) continue;
            Json::Object shown{{"round", part.at("round")}};
            for (const Json::Member& member : each.members) {
                if (member.first != "actions") shown.push_back(member);
            }
            costly.emplace_back(std::move(shown));
        }
    }
    std::ranges::stable_sort(costly, {}, [](const Json& each) { return -each.at("cost").number; });
    costly.resize(std::min(costly.size(), MOST_SHOWN));
    return costly;
}

// The seat's probability of winning as it could know it, where it had a choice, and at the end.
Json make_curve(const Json& part, const Round& end, std::size_t plies, int seat) {
    Json::List points;
    for (const Json& each : part.items("decisions")) {
        if (each.integer("seat", 0, MAX_SEATS) == seat)
            points.push_back(Json::List{each.at("ply"), each.at("best_value")});
    }
    const int winner = end.state.turn.winner;
    const double last = winner == NO_SEAT ? round_to(1.0 / end.rules.players, 6) : winner == seat ? 1.0 : 0.0;
    points.push_back(Json::List{plies + 1, last});
    return points;
}

// The kind of a judged decision, from the actions that were open.
const char* find_kind_of(const Json& decision) {
    bool is_swap = false, is_answer = false, has_pass = false, is_catch = false, are_colors = true, has_keep = false;
    for (const Json& each : decision.items("actions")) {
        const std::string& action = each.words("action");
        is_swap |= action.starts_with("swap:");
        is_answer |= action == "challenge" || action == "accept";
        has_pass |= action == "pass";
        is_catch |= action == "catch" || action == "uno";
        are_colors &= action.starts_with("color:");
        has_keep |= action == "keep";
    }
    const std::string &played = decision.words("played"), &best = decision.words("best");
    const bool is_same_card = played.find(':') != std::string::npos && played != best &&
                              played.substr(0, played.find(':')) == best.substr(0, best.find(':'));
    if (is_swap) return "swap";
    if (is_answer) return "answer";
    if (has_pass) return is_catch ? "catch" : "jump_in";
    if (is_same_card || are_colors) return "color";
    return has_keep ? "drawn" : "turn";
}

}  // namespace

Json list_costs(const Json::List& decisions) {
    std::map<std::string, std::vector<double>> kinds;
    for (const Json& decision : decisions) kinds[find_kind_of(decision)].push_back(decision.at("cost").number);
    Json::List costs;
    for (const auto& [kind, given] : kinds) {
        const auto count = static_cast<double>(given.size());
        double total = 0.0, squares = 0.0;
        for (const double cost : given) total += cost;
        const double mean = total / count;
        for (const double cost : given) squares += (cost - mean) * (cost - mean);
        const double spread = std::sqrt(squares / std::max(count - 1, 1.0));
        costs.push_back(Json::Object{{"kind", kind},
                                     {"decisions", given.size()},
                                     {"mean", round_to(mean, 6)},
                                     {"error", round_to(1.96 * spread / std::sqrt(count), 6)},
                                     {"total", round_to(total, 6)}});
    }
    std::ranges::stable_sort(costs, std::greater{}, [](const Json& each) { return each.at("total").number; });
    return costs;
}

Json describe_record(const GameRecord& record, const std::string& length) {
    Json::List rounds, agents(record.agents.begin(), record.agents.end());
    Round end;
    for (const PlayedRound& played : record.rounds) {
        end = replay_all(record, played);
        rounds.push_back(describe_round(record, played, end));
    }
    const std::optional<int> game =
        length == "game" && is_over(end) ? judge_game(record.rules, scores_after(end)) : std::nullopt;
    const bool has_winner = record.rounds.size() == 1 && is_over(end);
    return Json::Object{
        {"rules", format_rules(record.rules.fields)},
        {"players", record.players()},
        {"agents", std::move(agents)},
        {"people", Json::List(record.people.begin(), record.people.end())},
        {"rounds", std::move(rounds)},
        {"winner", game         ? name_seat(*game)
                   : has_winner ? name_seat(end.state.turn.winner)
                                : Json()},
        {"scores", first_seats(scores_after(end), record.players())},
        {"seed", record.seed ? Json(format_seed(*record.seed)) : Json()},
    };
}

Json list_frames(const GameRecord& record, const PlayedRound& played, int seat) {
    Round round = deal_again(record, played);
    Json::List frames;
    std::size_t heard = 0;
    for (int ply = 0; ply <= MOST_FRAMES; ++ply) {
        frames.push_back(seat == SPECTATOR ? show_truth(round, ply, heard)
                                           : make_frame(observe(round, seat), ply, heard));
        if (static_cast<std::size_t>(ply) == played.actions.size()) break;
        apply_in_place(round, item(played.actions, ply));
    }
    return frames;
}

GameRecord branch_off(const GameRecord& record, const PlayedRound& played, int ply) {
    const auto num_actions = static_cast<std::size_t>(ply);
    require(num_actions <= played.actions.size(), "ply is beyond the end of the round");
    const Round round = replay(record, played, num_actions);
    require(!is_over(round), "the round is over there; branch off earlier");
    GameRecord branch = record;
    PlayedRound start = played;
    start.actions.resize(num_actions);
    note_progress(start, round);
    branch.rounds = {std::move(start)};
    return branch;
}

Json list_choices(const GameRecord& record, const PlayedRound& played) {
    require(!played.result.empty(), "only a finished round can be judged");
    Round round = deal_again(record, played);
    Json::List plies;
    int ply = 0;
    for (const u8 action : played.actions) {
        ply += 1;
        if (num_actions(legal_actions(round.state, round.rules)) > 1) plies.emplace_back(ply);
        apply_in_place(round, action);
    }
    return plies;
}

Json judge_ply(const GameRecord& record, const PlayedRound& played, int ply, const Key& seed,
               const Networks& networks) {
    const auto index = static_cast<std::size_t>(ply - 1);
    require(ply >= 1 && index < played.actions.size(), "there is no such ply");
    const Round round = replay(record, played, index);
    const Observation seen = observe(round, round.state.turn.seat);
    require(num_actions(seen.legal) > 1, "there was nothing to decide at that ply");
    const Json report = Agent(Json(tables::JUDGE), seed).decide(seen, networks);
    const Json::List& actions = report.items("actions");
    const std::string name = tables::ACTIONS[played.actions[index]];
    const Json* own = find_value(actions, name);
    const double best = actions[0].at("value").number;
    const double cost = own == nullptr ? 0.0 : std::max(best - own->at("value").number, 0.0);
    const double error = own == nullptr ? 0.0 : std::hypot(own->at("error").number, actions[0].at("error").number);
    return Json::Object{
        {"ply", ply},
        {"seat", seen.observer},
        {"top_card", name_card(seen.discards.back())},
        {"played", name},
        {"value", own == nullptr ? Json() : Json(round_to(own->at("value").number, 6))},
        {"best", report.at("best")},
        {"best_value", round_to(best, 6)},
        {"cost", round_to(cost, 6)},
        {"error", round_to(error, 6)},
        {"actions", round_values(actions)},
    };
}

Json sum_up(const GameRecord& record, const Json::List& judged) {
    Json::List seats, rounds;
    for (int seat = 0; seat < record.players(); ++seat) seats.push_back(sum_up_seat(judged, seat));
    for (const Json& part : judged) {
        const PlayedRound& played = find_round(record, part.integer("round", 1, 1e6));
        const Round end = replay_all(record, played);
        Json::Object curves;
        for (int seat = 0; seat < record.players(); ++seat)
            curves.emplace_back(std::to_string(seat), make_curve(part, end, played.actions.size(), seat));
        rounds.push_back(
            Json::Object{{"round", played.number}, {"plies", played.actions.size()}, {"curves", std::move(curves)}});
    }
    return Json::Object{{"analyst", tables::JUDGE},
                        {"seats", std::move(seats)},
                        {"costliest", find_costliest(judged)},
                        {"rounds", std::move(rounds)}};
}

}  // namespace lastcard
