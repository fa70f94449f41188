#include "game/view_form.hpp"

#include <algorithm>

#include "game/event_form.hpp"
#include "game/fields.hpp"
#include "game/names.hpp"
#include "game/observation_form.hpp"
#include "game/rules_form.hpp"
#include "game/values.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

// Facts that a view takes over from the table as they are.
constexpr const char* TABLE_FACTS[] = {"deadline", "game_outcome", "deal_hash", "seed", "rematch", "hands"};

// The events after that number.
Json list_log(const std::vector<Event>& events, int observer, std::size_t heard) {
    Json::List log;
    std::size_t number = 0;
    for (std::size_t first = 0; first < events.size(); first = end_of_event(events, first)) {
        if (number++ >= heard) log.push_back(describe_event(tell_event(events, first, observer)));
    }
    return log;
}

Json list_seats(const Observation& seen, const Json::List& table) {
    Json::List seats;
    for (std::size_t seat = 0; seat < table.size(); ++seat) {
        Json::Object fields{{"seat", seat}};
        fields.insert(fields.end(), table[seat].members.begin(), table[seat].members.end());
        fields.emplace_back("cards", seen.hand_sizes[seat]);
        fields.emplace_back("declared", (seen.turn.declared >> seat & 1) != 0);
        fields.emplace_back("score", seen.scores[seat] + seen.points[seat]);
        seats.emplace_back(std::move(fields));
    }
    return seats;
}

}  // namespace

Json describe_view(const Observation& seen, const Json& table) {
    const Turn& turn = seen.turn;
    const bool is_over = turn.phase == Phase::OVER, is_gathering = table.at("is_gathering").flag;
    const bool is_asked = !is_over && turn.seat == seen.observer && !is_gathering && !table.at("has_acted").flag;
    const int earlier = table.integer("earlier", 0, 1e9), since = table.integer("since", 0, 1e9);
    const char* phase = PHASE_NAMES[static_cast<int>(turn.phase)];
    require(table.items("seats").size() == static_cast<std::size_t>(seen.rules.players),
            "seats must be one for each player");
    Json::Object view;
    view.reserve(40);
    const auto add = [&](const char* name, Json value) { view.emplace_back(name, std::move(value)); };
    add("game", table.at("game"));
    add("seat", seen.observer == SPECTATOR ? Json() : Json(seen.observer));
    add("players", seen.rules.players);
    add("rules", Json::Object{{"text", format_rules(seen.rules)}, {"name", name_preset(seen.rules)}});
    add("length", table.at("length"));
    add("round", seen.number);
    add("ply", earlier + static_cast<int>(count_told(seen.events)));
    add("phase", is_gathering ? "gathering" : is_asked || is_over ? phase : "waiting");
    add("to_act", name_seat(turn.seat));
    add("direction", turn.direction);
    add("active_color", name_color(turn.active_color));
    add("last_color", name_color(turn.last_color));
    add("top_card", name_card(seen.discards.back()));
    add("discards", name_cards(seen.discards));
    add("top_player", name_seat(turn.player));
    add("last_actor", name_seat(turn.last_actor));
    add("drawn_card", name_card(turn.drawn));
    add("draw_pile_size", seen.draw_pile_size);
    add("draw_sum", turn.draw_sum);
    add("hand", name_hand(seen.hand));
    add("legal", is_asked ? name_actions(seen.legal) : Json(Json::List{}));
    add("round_phase", phase);
    add("round_ply", turn.ply);
    add("next_seat", turn.phase == Phase::JUMP_IN ? name_seat(turn.next_seat) : Json());
    add("stuck_passes", turn.stuck_passes);
    add("seats", list_seats(seen, table.items("seats")));
    add("dealer", seen.dealer);
    add("log", list_log(seen.events, seen.observer, static_cast<std::size_t>(std::max(since - earlier, 0))));
    add("outcome", describe_outcome(turn, seen.points, seen.rules.players));
    for (const char* name : TABLE_FACTS) add(name, table.at(name));
    return view;
}

Observation read_view(const Json& view, const Json& log) {
    const FailingAs state(Refused::STATE);
    // The observation has it by these names.
    constexpr const char* OTHERS[][2] = {
        {"observer", "seat"}, {"seat", "to_act"}, {"phase", "round_phase"}, {"ply", "round_ply"}};
    constexpr const char* SAME[] = {"round",      "dealer",       "hand",       "top_player",  "discards",
                                    "direction",  "active_color", "last_color", "draw_sum",    "last_actor",
                                    "drawn_card", "outcome",      "next_seat",  "stuck_passes"};
    Json::Object fields{{"rules", describe_rules(parse_rules(view.at("rules").at("text")))}, {"history", log}};
    for (const auto& [name, own] : OTHERS) fields.emplace_back(name, view.at(own));
    for (const char* name : SAME) fields.emplace_back(name, view.at(name));
    Json::List sizes, scores, declared;
    for (const Json& seat : view.items("seats")) {
        sizes.push_back(seat.at("cards"));
        scores.push_back(seat.at("score"));
        if (seat.at("declared").flag) declared.push_back(seat.at("seat"));
    }
    fields.emplace_back("hand_sizes", std::move(sizes));
    fields.emplace_back("scores", std::move(scores));
    fields.emplace_back("declared_uno", std::move(declared));
    return read_position(Json(std::move(fields)));
}

Json describe_frame(const Observation& seen, int ply, std::size_t heard) {
    const Turn& turn = seen.turn;
    Json::List hands(static_cast<std::size_t>(seen.rules.players));
    item(hands, seen.observer) = name_hand(seen.hand);
    return Json::Object{
        {"ply", ply},
        {"to_act", name_seat(turn.seat)},
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
        {"log", list_log(seen.events, seen.observer, heard)},
    };
}

Json describe_true_frame(const Round& round, int ply, std::size_t heard) {
    const Turn& turn = round.state.turn;
    Json frame = describe_frame(observe(round, is_over(round) ? 0 : turn.seat), ply, 0);
    const auto set = [&](const char* name, Json value) {
        for (auto& [own, before] : frame.members) {
            if (own == name) before = std::move(value);
        }
    };
    Json::List hands;
    for (int seat = 0; seat < round.rules.players; ++seat) hands.push_back(name_hand(round.state.hands[seat]));
    set("to_act", name_seat(turn.seat));
    set("phase", PHASE_NAMES[static_cast<int>(turn.phase)]);
    set("hands", std::move(hands));
    set("log", list_log(round.events, TRUTH, heard));
    return frame;
}

}  // namespace lastcard
