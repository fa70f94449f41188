#include "wasm/notation.hpp"

#include <algorithm>

#include "round/faces.hpp"
#include "round/fail.hpp"
#include "tables.hpp"

namespace lastcard {

namespace {

// What an event is about, besides the seat and its cards.
std::string name_subject(const Event& event) {
    switch (event.kind) {
        case EventKind::PLAYED:
        case EventKind::JUMPED_IN:
            return std::string(" ") + ACTION_NAMES[event.card];
        case EventKind::TURNED_UP:
            return std::string(" ") + CARD_NAMES[face_of(event.card)];
        case EventKind::NAMED:
            return std::string(" ") + COLOR_LETTERS[event.card];
        case EventKind::CHALLENGED:
            return " " + std::to_string(event.other) + (event.card != 0 ? ": guilty" : ": innocent");
        case EventKind::DEALT:
        case EventKind::RESHUFFLED:
        case EventKind::DREW:
        case EventKind::ACCEPTED:
        case EventKind::CAUGHT:
        case EventKind::SWAPPED:
            return " " + std::to_string(event.other);
        default:
            return "";
    }
}

// The event at `first` with the cards that follow it, up to `last`.
std::string name_event(const std::vector<Event>& events, std::size_t first, std::size_t last, int observer) {
    const Event& event = events[first];
    const bool has_seat = event.kind != EventKind::TURNED_UP && event.kind != EventKind::RESHUFFLED &&
                          event.kind != EventKind::HANDS_PASSED;
    std::string text = has_seat ? std::to_string(event.seat) + " " : "";
    text += tables::EVENTS[static_cast<int>(event.kind)] + name_subject(event);
    // A challenger is known to have been shown even an empty hand.
    if (last == first + 1 && (event.kind != EventKind::CHALLENGED || event.seat != observer)) return text;
    text += " (";
    for (std::size_t i = first + 1; i < last; ++i) {
        if (i > first + 1) text += ' ';
        text += CARD_NAMES[face_of(events[i].card)];
    }
    return text + ")";
}

}  // namespace

Json name_color(int color) { return color == NO_COLOR ? Json() : Json(COLOR_LETTERS[color]); }
Json name_seat(int seat) { return seat == NO_SEAT ? Json() : Json(seat); }
Json name_card(int card) { return CARD_NAMES[face_of(card)]; }

Json name_seats(unsigned seats) {
    Json::List named;
    for (u64 left = seats; left != 0; left &= left - 1) named.emplace_back(lowest_bit(left));
    return named;
}

bool is_private_card(const Event& event) { return event.kind == EventKind::GOT || event.kind == EventKind::SHOWN; }

int read_action(const Json& described) {
    const std::optional<int> action =
        described.kind == Json::Kind::TEXT ? find_action(described.text) : std::optional<int>();
    if (!action) fail("action must be one such as \"r5\", \"w:g\" or \"draw\", not " + shorten(described));
    return *action;
}

std::vector<int> read_by_seat(const Json& described, const char* field, int players, double low, double high) {
    const Json::List& items = described.items(field);
    if (static_cast<int>(items.size()) != players) fail(std::string(field) + " must have one number for each seat");
    std::vector<int> numbers;
    for (const Json& item : items) numbers.push_back(Json(Json::Object{{field, item}}).integer(field, low, high));
    return numbers;
}

Json name_action(int action) { return ACTION_NAMES[action]; }

Json name_actions(const ActionSet& actions) {
    Json::List named;
    for (int i = 0; i < num_actions(actions); ++i) named.push_back(name_action(nth_action(actions, i)));
    return named;
}

Json name_cards(const std::vector<u8>& cards) {
    Json::List named;
    for (const u8 card : cards) named.push_back(name_card(card));
    return named;
}

Json name_hand(const Hand& hand) {
    Json::List named;
    for_each_face(hand, [&](int face) { named.emplace_back(CARD_NAMES[face]); });
    return named;
}

Json first_seats(const BySeat<int>& values, int players) {
    return Json::List(values.begin(), values.begin() + players);
}

Json describe_outcome(const Turn& turn, const BySeat<int>& points, int players) {
    if (turn.ending == Ending::NONE) return {};
    return Json::Object{{"winner", name_seat(turn.winner)},
                        {"reason", ENDING_NAMES[static_cast<int>(turn.ending)]},
                        {"points", first_seats(points, players)}};
}

Json name_history(const Observation& seen, std::size_t from) {
    Json::List named;
    std::size_t number = 0;
    for (std::size_t first = 0; first < seen.events.size(); ++number) {
        std::size_t last = first + 1;
        while (last < seen.events.size() && is_private_card(seen.events[last])) ++last;
        if (number >= from) named.emplace_back(name_event(seen.events, first, last, seen.observer));
        first = last;
    }
    return named;
}

Json describe_observation(const Observation& seen, const GameRules& rules) {
    const Turn& turn = seen.turn;
    const int players = seen.rules.players;
    BySeat<int> scores{};
    for (int seat = 0; seat < players; ++seat) scores[seat] = seen.scores[seat] + seen.points[seat];
    return Json::Object{
        {"rules", rules.fields},
        {"observer", seen.observer},
        {"round", seen.number},
        {"dealer", seen.dealer},
        {"hand", name_hand(seen.hand)},
        {"hand_sizes", first_seats(seen.hand_sizes, players)},
        {"top_player", name_seat(turn.player)},
        {"scores", first_seats(scores, players)},
        {"top_card", name_card(seen.discards.back())},
        {"discards", name_cards(seen.discards)},
        {"draw_pile_size", seen.draw_pile_size},
        {"seat", turn.phase == Phase::OVER ? Json() : Json(turn.seat)},
        {"phase", PHASE_NAMES[static_cast<int>(turn.phase)]},
        {"direction", turn.direction},
        {"active_color", name_color(turn.active_color)},
        {"last_color", name_color(turn.last_color)},
        {"draw_sum", turn.draw_sum},
        {"last_actor", name_seat(turn.last_actor)},
        {"drawn_card", turn.drawn == NO_CARD ? Json() : name_card(turn.drawn)},
        {"declared_uno", name_seats(turn.declared)},
        {"command_pending", is_command_pending(turn)},
        {"skip_pending", is_skip_pending(turn, seen.rules)},
        {"legal_actions", name_actions(seen.legal)},
        {"outcome", describe_outcome(turn, seen.points, players)},
        {"history", name_history(seen)},
        {"ply", turn.ply},
        {"next_seat", turn.phase == Phase::JUMP_IN ? name_seat(turn.next_seat) : Json()},
        {"stuck_passes", turn.stuck_passes},
    };
}

const Json& description() {
    static const Json parsed = parse_json(tables::DESCRIPTION);
    return parsed;
}

}  // namespace lastcard
