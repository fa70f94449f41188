#include "wasm/views.hpp"

#include <algorithm>

#include "game/names.hpp"
#include "game/observation_form.hpp"
#include "game/rules_form.hpp"
#include "game/values.hpp"
#include "search/decision.hpp"

namespace lastcard {

namespace {

Json list_log(const Observation& seen, const PublicTable& table) {
    std::vector<Json> described = describe_events(seen.events, 0, seen.observer);
    Json::List log;
    for (std::size_t i = 0; i < described.size(); ++i) {
        const int number = table.earlier + static_cast<int>(i) + 1;
        if (number <= table.since) continue;
        described[i].members.emplace_back("n", number);
        log.push_back(std::move(described[i]));
    }
    return log;
}

std::vector<Json> last_deeds(const Observation& seen) {
    std::vector<Json> deeds(static_cast<std::size_t>(seen.rules.players));
    for (std::size_t first = 0; first < seen.events.size(); first = end_of_event(seen.events, first)) {
        const Event& event = seen.events[first];
        if (is_deed(event.kind))
            item(deeds, event.seat) = describe_event(tell_event(seen.events, first, seen.observer));
    }
    return deeds;
}

Json list_seats(const Observation& seen, const PublicTable& table) {
    const std::vector<Json> deeds = last_deeds(seen);
    Json::List seats;
    for (std::size_t seat = 0; seat < table.seats.size(); ++seat) {
        const SeatInfo& info = table.seats[seat];
        seats.push_back(Json::Object{{"seat", seat},
                                     {"name", info.name},
                                     {"level", info.is_person ? "" : info.level},
                                     {"is_person", info.is_person},
                                     {"is_open", false},
                                     {"is_away", false},
                                     {"cards", seen.hand_sizes[seat]},
                                     {"declared", (seen.turn.declared >> seat & 1) != 0},
                                     {"score", seen.scores[seat] + seen.points[seat]},
                                     {"last", deeds[seat]},
                                     {"connected", true}});
    }
    return seats;
}

Json outcome_with_scores(const Observation& seen) {
    Json outcome = describe_outcome(seen.turn, seen.points, seen.rules.players);
    if (outcome.is_nothing()) return outcome;
    BySeat<int> scores = seen.scores;
    for (int seat = 0; seat < seen.rules.players; ++seat) scores[seat] += seen.points[seat];
    outcome.members.emplace_back("scores", first_seats(scores, seen.rules.players));
    return outcome;
}

Json name_phase(const Observation& seen, bool is_asked) {
    const bool is_shown = is_asked || seen.turn.phase == Phase::OVER;
    return is_shown ? PHASE_NAMES[static_cast<int>(seen.turn.phase)] : "waiting";
}

}  // namespace

std::vector<Json> describe_events(const std::vector<Event>& events, std::size_t first, int observer) {
    std::vector<Json> described;
    for (; first < events.size(); first = end_of_event(events, first))
        described.push_back(describe_event(tell_event(events, first, observer)));
    return described;
}

Json make_view(const Observation& seen, const PublicTable& table) {
    const Turn& turn = seen.turn;
    const bool is_over = turn.phase == Phase::OVER;
    const bool is_asked = !is_over && turn.seat == seen.observer;
    return Json::Object{
        {"game", table.game},
        {"seat", seen.observer},
        {"players", seen.rules.players},
        {"rules", Json::Object{{"text", format_rules(seen.rules)}, {"name", name_preset(seen.rules)}}},
        {"length", table.length},
        {"round", seen.number},
        {"ply", table.earlier + static_cast<int>(count_events(seen))},
        {"phase", name_phase(seen, is_asked)},
        {"to_act", is_over ? Json() : Json(turn.seat)},
        {"direction", turn.direction},
        {"active_color", name_color(turn.active_color)},
        {"last_color", name_color(turn.last_color)},
        {"top_card", name_card(seen.discards.back())},
        {"top_player", name_seat(turn.player)},
        {"drawn_card", name_card(turn.drawn)},
        {"draw_pile_size", seen.draw_pile_size},
        {"discard_pile_size", seen.discards.size()},
        {"draw_sum", turn.draw_sum},
        {"hand", name_hand(seen.hand)},
        {"legal", is_asked ? name_actions(seen.legal) : Json(Json::List{})},
        {"seats", list_seats(seen, table)},
        {"dealer", seen.dealer},
        {"log", list_log(seen, table)},
        {"deadline", table.deadline},
        {"outcome", outcome_with_scores(seen)},
        {"game_outcome", table.game_outcome},
        {"deal_hash", ""},
        {"seed", table.seed},
        {"rematch", false},
        {"hands", table.hands},
        {"observation", describe_position(seen, static_cast<std::size_t>(std::max(table.since - table.earlier, 0)))},
    };
}

Json make_frame(const Observation& seen, int ply, std::size_t& heard) {
    const Turn& turn = seen.turn;
    Json::List hands(static_cast<std::size_t>(seen.rules.players));
    item(hands, seen.observer) = name_hand(seen.hand);
    std::vector<Json> log = describe_events(seen.events, heard, seen.observer);
    heard = seen.events.size();
    return Json::Object{
        {"ply", ply},
        {"to_act", turn.phase == Phase::OVER ? Json() : Json(turn.seat)},
        {"phase", PHASE_NAMES[static_cast<int>(turn.phase)]},
        {"direction", turn.direction},
        {"active_color", name_color(turn.active_color)},
        {"top_card", name_card(seen.discards.back())},
        {"drawn_card", name_card(turn.drawn)},
        {"draw_pile_size", seen.draw_pile_size},
        {"draw_sum", turn.draw_sum},
        {"cards", first_seats(seen.hand_sizes, seen.rules.players)},
        {"hands", std::move(hands)},
        {"declared", name_seats(turn.declared)},
        {"log", std::move(log)},
    };
}

}  // namespace lastcard
