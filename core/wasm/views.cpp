#include "wasm/views.hpp"

#include <algorithm>

#include "search/decision.hpp"
#include "tables.hpp"

namespace lastcard {

namespace {

bool has_seat(EventKind kind) {
    return kind != EventKind::TURNED_UP && kind != EventKind::RESHUFFLED && kind != EventKind::HANDS_PASSED;
}

// Not a seat's own doing; a pass is left out because others must not notice it.
bool is_deed(EventKind kind) { return has_seat(kind) && kind != EventKind::DEALT && kind != EventKind::PASSED; }

// What an event says besides its kind, seat and cards.
void add_subject(Json::Object& to, const Event& event) {
    switch (event.kind) {
        case EventKind::PLAYED:
        case EventKind::JUMPED_IN:
            to.emplace_back("action", ACTION_NAMES[event.card]);
            break;
        case EventKind::TURNED_UP:
            to.emplace_back("card", name_card(event.card));
            break;
        case EventKind::NAMED:
            to.emplace_back("color", COLOR_LETTERS[event.card]);
            break;
        case EventKind::DEALT:
        case EventKind::RESHUFFLED:
        case EventKind::DREW:
        case EventKind::ACCEPTED:
            to.emplace_back("count", event.other);
            break;
        case EventKind::CAUGHT:
        case EventKind::SWAPPED:
        case EventKind::CHALLENGED:
            to.emplace_back("target", event.other);
            break;
        default:
            break;
    }
    if (event.kind == EventKind::CHALLENGED) to.emplace_back("guilty", event.card != 0);
}

// Cards that follow the event at `first`, by the seat that saw them.
Json::Object list_hands(const std::vector<Event>& events, std::size_t first, std::size_t last, int observer) {
    Json::Object hands;
    const auto hand_of = [&](int seat) -> Json& {
        const std::string name = std::to_string(seat);
        for (auto& [own, hand] : hands) {
            if (own == name) return hand;
        }
        return hands.emplace_back(name, Json::List{}).second;
    };
    for (std::size_t i = first + 1; i < last; ++i) hand_of(events[i].seat).list.push_back(name_card(events[i].card));
    const bool was_shown = observer == SPECTATOR || observer == events[first].seat;
    if (events[first].kind == EventKind::CHALLENGED && was_shown) (void)hand_of(events[first].seat);
    return hands;
}

Json describe_event(const std::vector<Event>& events, std::size_t first, std::size_t last, int observer) {
    const Event& event = events[first];
    Json::Object described{{"kind", tables::EVENT_NAMES[static_cast<int>(event.kind)]},
                           {"seat", has_seat(event.kind) ? Json(event.seat) : Json()}};
    add_subject(described, event);
    Json::Object hands = list_hands(events, first, last, observer);
    if (!hands.empty()) described.emplace_back("hands", std::move(hands));
    return described;
}

std::size_t end_of(const std::vector<Event>& events, std::size_t first) {
    std::size_t last = first + 1;
    while (last < events.size() && is_private_card(events[last])) ++last;
    return last;
}

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
    for (std::size_t first = 0; first < seen.events.size(); first = end_of(seen.events, first)) {
        const Event& event = seen.events[first];
        if (is_deed(event.kind))
            deeds[event.seat] = describe_event(seen.events, first, end_of(seen.events, first), seen.observer);
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

// The observation without its rules; the history starts where the log does.
Json describe_position(const Observation& seen, const GameRules& rules, const PublicTable& table) {
    Json described = describe_observation(seen, rules);
    std::erase_if(described.members, [](const Json::Member& member) { return member.first == "rules"; });
    for (auto& [name, value] : described.members) {
        if (name == "history")
            value = name_history(seen, static_cast<std::size_t>(std::max(table.since - table.earlier, 0)));
    }
    return described;
}

Json name_phase(const Observation& seen, bool is_asked) {
    const bool is_shown = is_asked || seen.turn.phase == Phase::OVER;
    return is_shown ? PHASE_NAMES[static_cast<int>(seen.turn.phase)] : "waiting";
}

}  // namespace

std::vector<Json> describe_events(const std::vector<Event>& events, std::size_t first, int observer) {
    std::vector<Json> described;
    while (first < events.size()) {
        const std::size_t last = end_of(events, first);
        described.push_back(describe_event(events, first, last, observer));
        first = last;
    }
    return described;
}

Json make_view(const Observation& seen, const GameRules& rules, const PublicTable& table) {
    const Turn& turn = seen.turn;
    const bool is_over = turn.phase == Phase::OVER;
    const bool is_asked = !is_over && turn.seat == seen.observer;
    return Json::Object{
        {"game", table.game},
        {"seat", seen.observer},
        {"players", seen.rules.players},
        {"rules", Json::Object{{"text", format_rules(rules.fields)}, {"name", name_preset(rules.fields)}}},
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
        {"drawn_card", turn.drawn == NO_CARD ? Json() : name_card(turn.drawn)},
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
        {"observation", describe_position(seen, rules, table)},
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
        {"drawn_card", turn.drawn == NO_CARD ? Json() : name_card(turn.drawn)},
        {"draw_pile_size", seen.draw_pile_size},
        {"draw_sum", turn.draw_sum},
        {"cards", first_seats(seen.hand_sizes, seen.rules.players)},
        {"hands", std::move(hands)},
        {"declared", name_seats(turn.declared)},
        {"log", std::move(log)},
    };
}

}  // namespace lastcard
