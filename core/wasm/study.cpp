#include "wasm/study.hpp"

#include "game/event_form.hpp"
#include "game/judge.hpp"
#include "game/names.hpp"
#include "game/referee.hpp"
#include "game/replay.hpp"
#include "game/rules_form.hpp"
#include "game/seed.hpp"
#include "game/values.hpp"
#include "game/view_form.hpp"
#include "round/fail.hpp"
#include "tables.hpp"
#include "wasm/reports.hpp"

namespace lastcard {

namespace {

constexpr int MOST_FRAMES = 500;
constexpr std::size_t MOST_SHOWN = 12;

Json describe_round(const GameRecord& record, const PlayedRound& played, const Round& end) {
    const Turn& turn = end.state.turn;
    const bool is_done = is_over(end);
    return Json::Object{
        {"round", played.number},
        {"dealer", played.dealer},
        {"plies", played.actions.size()},
        {"winner", is_done ? name_seat(turn.winner) : Json()},
        {"reason", is_done ? Json(ENDING_NAMES[static_cast<int>(turn.ending)]) : Json()},
        {"points", first_seats(points_scored(end), record.players())},
        {"scores", first_seats(scores_after(end), record.players())},
    };
}

// What a decision was between, and what it cost.
Decision read_choice(const Json& judged) {
    Decision decision;
    decision.played = read_action(judged.at("played"));
    decision.best = read_action(judged.at("best"));
    decision.cost = judged.at("cost").number;
    for (const Json& each : judged.items("actions")) decision.open.push_back(read_action(each.at("action")));
    return decision;
}

Decision read_decision(const Json& judged, int round) {
    Decision decision = read_choice(judged);
    decision.round = round;
    decision.ply = judged.integer("ply", 1, 1e6);
    decision.seat = judged.integer("seat", 0, MAX_SEATS);
    decision.best_value = judged.at("best_value").number;
    return decision;
}

Json show_costly(const Json& judged, int round) {
    Json::Object shown{{"round", round}};
    for (const Json::Member& member : judged.members) {
        if (member.first != "actions") shown.push_back(member);
    }
    return shown;
}

Json show_curve(const std::vector<CurvePoint>& curve) {
    Json::List points;
    for (const CurvePoint& point : curve) points.push_back(Json::List{point.ply, round_to(point.value, 6)});
    return points;
}

}  // namespace

Json describe_costs(const Json::List& decisions) {
    std::vector<Decision> read;
    for (const Json& each : decisions) read.push_back(read_choice(each));
    Json::List costs;
    for (const KindCost& each : list_costs(read)) {
        costs.push_back(Json::Object{{"kind", each.kind},
                                     {"decisions", each.decisions},
                                     {"mean", round_to(each.mean, 6)},
                                     {"error", round_to(each.error, 6)},
                                     {"total", round_to(each.total, 6)}});
    }
    return costs;
}

Json describe_record(const GameRecord& record, const std::string& length) {
    Json::List rounds, agents(record.agents.begin(), record.agents.end());
    Round end;
    for (const PlayedRound& played : record.rounds) {
        end = replay(record.rules, played, played.actions.size());
        rounds.push_back(describe_round(record, played, end));
    }
    const bool is_done = is_over(end);
    const GameEnd game = judge_game(record.rules, scores_after(end));
    const bool has_game = length == "game" && is_done && game.is_over;
    const bool has_winner = record.rounds.size() == 1 && is_done;
    return Json::Object{
        {"rules", format_rules(record.rules)},
        {"players", record.players()},
        {"agents", std::move(agents)},
        {"people", Json::List(record.people.begin(), record.people.end())},
        {"rounds", std::move(rounds)},
        {"winner", has_game     ? name_seat(game.winner)
                   : has_winner ? name_seat(end.state.turn.winner)
                                : Json()},
        {"is_over", has_game || has_winner},
        {"scores", first_seats(scores_after(end), record.players())},
        {"seed", record.seed ? Json(format_seed(*record.seed)) : Json()},
    };
}

Json list_frames(const Rules& rules, const PlayedRound& played, int seat) {
    Round round = deal_again(rules, played);
    Json::List frames;
    std::size_t heard = 0;
    for (int ply = 0; ply <= MOST_FRAMES; ++ply) {
        const Observation seen = observe(round, seat);
        frames.push_back(seat == SPECTATOR ? describe_true_frame(round, ply, heard) : describe_frame(seen, ply, heard));
        heard = count_told(seat == SPECTATOR ? round.events : seen.events);
        if (static_cast<std::size_t>(ply) == played.actions.size()) break;
        apply_in_place(round, item(played.actions, ply));
    }
    return frames;
}

GameRecord branch_off(const GameRecord& record, const PlayedRound& played, int ply) {
    const auto num_actions = static_cast<std::size_t>(ply);
    require(num_actions <= played.actions.size(), "ply is beyond the end of the round");
    const Round round = replay(record.rules, played, num_actions);
    require(!is_over(round), "the round is over there; branch off earlier");
    GameRecord branch = record;
    PlayedRound start = played;
    start.actions.resize(num_actions);
    note_progress(start, round);
    branch.rounds = {std::move(start)};
    return branch;
}

Json list_plies(const Rules& rules, const PlayedRound& played) {
    require(played.is_finished(), "only a finished round can be judged");
    Json::List plies;
    for (const Choice& choice : list_choices(rules, played)) plies.emplace_back(choice.ply);
    return plies;
}

Json judge_ply(const Rules& rules, const PlayedRound& played, int ply, const Key& seed, const Networks& networks) {
    const auto index = static_cast<std::size_t>(ply - 1);
    require(ply >= 1 && index < played.actions.size(), "there is no such ply");
    const Round round = replay(rules, played, index);
    const Observation seen = observe(round, round.state.turn.seat);
    require(num_actions(seen.legal) > 1, "there was nothing to decide at that ply");
    const Json report = Agent(Json(tables::JUDGE), seed).decide(seen, networks);
    const Json::List& actions = report.items("actions");
    std::vector<Valued> values;
    for (const Json& each : actions)
        values.push_back({read_action(each.at("action")), each.at("value").number, each.at("error").number});
    const Cost cost = find_cost(values, played.actions[index]);
    return Json::Object{
        {"ply", ply},
        {"seat", seen.observer},
        {"top_card", name_card(seen.discards.back())},
        {"played", name_action(played.actions[index])},
        {"value", cost.played ? Json(round_to(values[*cost.played].value, 6)) : Json()},
        {"best", report.at("best")},
        {"best_value", round_to(values[0].value, 6)},
        {"cost", round_to(cost.cost, 6)},
        {"error", round_to(cost.error, 6)},
        {"actions", round_values(actions)},
    };
}

Json describe_sums(const GameRecord& record, const Json::List& judged) {
    std::vector<Decision> decisions;
    std::vector<const Json*> shown;
    Json::List seats, costliest, rounds;
    for (const Json& part : judged) {
        const PlayedRound& played = find_round(record, part.integer("round", 1, 1e6));
        std::vector<Decision> own;
        for (const Json& each : part.items("decisions")) {
            own.push_back(read_decision(each, static_cast<int>(played.number)));
            shown.push_back(&each);
        }
        Json::Object curves;
        for (int seat = 0; seat < record.players(); ++seat)
            curves.emplace_back(std::to_string(seat),
                                show_curve(make_curve(own, seat, static_cast<int>(played.actions.size()),
                                                      played.result.winner, record.players())));
        rounds.push_back(
            Json::Object{{"round", played.number}, {"plies", played.actions.size()}, {"curves", std::move(curves)}});
        decisions.insert(decisions.end(), own.begin(), own.end());
    }
    for (int seat = 0; seat < record.players(); ++seat) {
        const SeatSum sum = sum_up(decisions, seat);
        seats.push_back(Json::Object{{"seat", seat},
                                     {"decisions", sum.decisions},
                                     {"agreed", sum.agreed},
                                     {"mean_cost", round_to(sum.mean_cost, 6)}});
    }
    for (const std::size_t place : rank_by_cost(decisions)) {
        if (costliest.size() < MOST_SHOWN) costliest.push_back(show_costly(*shown[place], decisions[place].round));
    }
    return Json::Object{{"analyst", tables::JUDGE},
                        {"seats", std::move(seats)},
                        {"costliest", std::move(costliest)},
                        {"rounds", std::move(rounds)}};
}

}  // namespace lastcard
