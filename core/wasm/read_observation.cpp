#include <algorithm>
#include <cstring>

#include "round/fail.hpp"
#include "search/imagine.hpp"
#include "tables.hpp"
#include "wasm/notation.hpp"

namespace lastcard {

namespace {

constexpr std::size_t MOST_EVENTS = 100'000;

template <std::size_t COUNT>
int find_name(const char* const (&names)[COUNT], const std::string& wanted, const char* field) {
    for (std::size_t i = 0; i < COUNT; ++i) {
        if (wanted == names[i]) return static_cast<int>(i);
    }
    fail(std::string(field) + " cannot be " + shorten(wanted));
}

int read_seat(const Json& described, const char* field, int players) {
    return described.at(field).is_nothing() ? NO_SEAT : described.integer(field, 0, players - 1);
}

int read_color(const Json& described, const char* field) {
    const Json& color = described.at(field);
    return color.is_nothing() ? NO_COLOR : find_name(COLOR_LETTERS, described.words(field), field);
}

std::vector<u8> read_faces(const Json& described, const char* field) {
    std::vector<u8> faces;
    for (const Json& card : described.items(field)) {
        const std::vector<u8> read = parse_cards(card.text);
        if (read.size() != 1) fail(std::string(field) + " must be a list of cards, not of " + shorten(card));
        faces.push_back(read.front());
    }
    return faces;
}

// The kind whose words the text begins with, the longest of them.
int find_kind(const std::string& text) {
    int found = -1;
    std::size_t most = 0;
    for (int kind = 0; kind < static_cast<int>(std::size(tables::EVENTS)); ++kind) {
        const std::size_t size = std::strlen(tables::EVENTS[kind]);
        const bool is_whole = text.size() == size || (text.size() > size && text[size] == ' ');
        if (size > most && is_whole && text.starts_with(tables::EVENTS[kind])) {
            found = kind;
            most = size;
        }
    }
    return found;
}

int read_number(const std::string& text, int most) {
    int number = 0;
    const bool is_number =
        !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) number = std::atoi(text.c_str());
    return is_number && number <= most ? number : -1;
}

// What follows the words of an event; false if it cannot be that.
bool read_subject(Event& event, const std::string& subject, int players) {
    const auto set = [](u8& field, int value) {
        field = static_cast<u8>(value);
        return value >= 0;
    };
    switch (event.kind) {
        case EventKind::PLAYED:
        case EventKind::JUMPED_IN:
            return set(event.card, read_action(subject)) && is_play(event.card);
        case EventKind::TURNED_UP: {
            const std::vector<u8> faces = parse_cards(subject);
            if (faces.size() != 1) return false;
            return set(event.card, faces.front() == FOUR_FACE ? FIRST_FOUR : faces.front());
        }
        case EventKind::NAMED:
            return set(event.card, find_name(COLOR_LETTERS, subject, "history"));
        case EventKind::CHALLENGED: {
            const std::size_t colon = subject.find(": ");
            if (colon == std::string::npos) return false;
            const std::string verdict = subject.substr(colon + 2);
            event.card = verdict == "guilty";
            return set(event.other, read_number(subject.substr(0, colon), players - 1)) &&
                   (verdict == "guilty" || verdict == "innocent");
        }
        case EventKind::CAUGHT:
        case EventKind::SWAPPED:
            return set(event.other, read_number(subject, players - 1));
        case EventKind::DEALT:
        case EventKind::RESHUFFLED:
        case EventKind::DREW:
        case EventKind::ACCEPTED:
            return set(event.other, read_number(subject, MAX_CARDS));
        default:
            return subject.empty();
    }
}

// One line of the history, with the cards that the observer saw.
void read_event(std::vector<Event>& events, const std::string& text, int observer, int players) {
    const auto refuse = [&] { fail("history: " + shorten(text) + " is not an event"); };
    const std::size_t open = std::min(text.find(" ("), text.size());
    std::string words = text.substr(0, open);
    const int seat = words.size() > 2 && words[1] == ' ' ? read_number(words.substr(0, 1), players - 1) : -1;
    if (seat >= 0) words.erase(0, 2);
    const int kind = find_kind(words);
    if (kind < 0) refuse();
    Event event{static_cast<EventKind>(kind), static_cast<u8>(std::max(seat, 0)), 0, 0};
    const bool has_seat = event.kind != EventKind::TURNED_UP && event.kind != EventKind::RESHUFFLED &&
                          event.kind != EventKind::HANDS_PASSED;
    words.erase(0, std::min(std::strlen(tables::EVENTS[kind]) + 1, words.size()));
    if (has_seat != (seat >= 0) || !read_subject(event, words, players)) refuse();
    events.push_back(event);
    if (open == text.size()) return;
    if (text.back() != ')') refuse();
    const EventKind card = event.kind == EventKind::CHALLENGED ? EventKind::SHOWN : EventKind::GOT;
    for (const u8 face : parse_cards(text.substr(open + 2, text.size() - open - 3))) {
        const int id = face == FOUR_FACE ? FIRST_FOUR : face;
        events.push_back({card, static_cast<u8>(observer), 0, static_cast<u8>(id)});
    }
}

std::vector<Event> read_history(const Json& described, int observer, int players) {
    std::vector<Event> events;
    const Json::List& lines = described.items("history");
    require(lines.size() <= MOST_EVENTS, "history is too long");
    for (const Json& line : lines) {
        if (line.kind != Json::Kind::TEXT) fail("history must be a list of events, not of " + shorten(line));
        read_event(events, line.text, observer, players);
    }
    return events;
}

Turn read_turn(const Json& described, const Rules& rules) {
    const int players = rules.players;
    const auto seat = [&](const char* field) { return static_cast<u8>(read_seat(described, field, players)); };
    Turn turn = blank_turn();
    turn.ply = static_cast<u32>(described.integer("ply", 0, 1 << 30));
    for (const Json& each : described.items("declared_uno")) {
        if (!(each.kind == Json::Kind::NUMBER && each.number >= 0 && each.number < players))
            fail("declared_uno: no such seat");
        turn.declared = static_cast<u16>(turn.declared | 1u << static_cast<int>(each.number));
    }
    turn.phase = static_cast<Phase>(find_name(PHASE_NAMES, described.words("phase"), "phase"));
    turn.seat = seat("seat");
    turn.active_color = static_cast<u8>(read_color(described, "active_color"));
    turn.last_color = static_cast<u8>(read_color(described, "last_color"));
    turn.player = seat("top_player");
    turn.next_seat = seat("next_seat");
    turn.draw_sum = static_cast<u8>(described.integer("draw_sum", 0, MAX_CARDS));
    turn.stuck_passes = static_cast<u8>(described.integer("stuck_passes", 0, players));
    turn.last_actor = seat("last_actor");
    turn.direction = static_cast<i8>(described.integer("direction", -1, 1));
    if (!described.at("drawn_card").is_nothing()) {
        const std::vector<u8> faces = parse_cards(described.words("drawn_card"));
        require(faces.size() == 1, "drawn_card must be one card");
        turn.drawn = faces.front() == FOUR_FACE ? FIRST_FOUR : faces.front();
    }
    if (const Json& outcome = described.at("outcome"); !outcome.is_nothing()) {
        turn.winner = static_cast<u8>(read_seat(outcome, "winner", players));
        turn.ending = static_cast<Ending>(find_name(ENDING_NAMES, outcome.words("reason"), "outcome"));
    }
    return turn;
}

}  // namespace

Observation read_observation(const Json& described) {
    const GameRules rules = read_rules(described.at("rules"));
    const int players = rules.rules.players;
    Described table;
    table.observer = described.integer("observer", 0, players - 1);
    table.hand = read_faces(described, "hand");
    table.discards = read_faces(described, "discards");
    table.hand_sizes = read_by_seat(described, "hand_sizes", players, 0, MAX_CARDS);
    table.events = read_history(described, table.observer, players);
    table.turn = read_turn(described, rules.rules);
    table.scores = read_scores(described, players);
    table.points.resize(static_cast<std::size_t>(players));
    if (const Json& outcome = described.at("outcome"); !outcome.is_nothing())
        table.points = read_by_seat(outcome, "points", players, 0, 1e6);
    for (std::size_t seat = 0; seat < table.scores.size(); ++seat) table.scores[seat] -= table.points[seat];
    table.dealer = described.integer("dealer", 0, players - 1);
    table.number = described.integer("round", 1, 1e6);
    const Observation seen = imagine(rules.rules, table);
    const Json found = describe_observation(seen, rules);
    for (const auto& [name, value] : found.members) {
        const std::string by_rest = format_json(value), said = format_json(described.at(name));
        if (name != "rules" && by_rest != said)
            fail("the observation says " + name + " " + shorten(described.at(name)) + ", but by the rest it is " +
                 shorten(value));
    }
    return seen;
}

}  // namespace lastcard
