#include "game/observation_form.hpp"

#include <algorithm>

#include "game/event_form.hpp"
#include "game/names.hpp"
#include "game/position.hpp"
#include "game/rules_form.hpp"
#include "game/state_form.hpp"
#include "game/text.hpp"
#include "game/values.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

constexpr const char* POSITION_FIELDS[] = {
    "observer",      "round",    "dealer",         "hand",       "hand_sizes",   "top_player",      "scores",
    "top_card",      "discards", "draw_pile_size", "seat",       "phase",        "direction",       "active_color",
    "last_color",    "draw_sum", "last_actor",     "drawn_card", "declared_uno", "command_pending", "skip_pending",
    "legal_actions", "outcome",  "history",        "ply",        "next_seat",    "stuck_passes",
};

void check_names(const Json& described) {
    const auto refuse = [](const std::string& what) {
        fail("position: " + what + "; expected " + join(list_words(POSITION_FIELDS)));
    };
    for (const char* name : POSITION_FIELDS) {
        if (described.find(name) == nullptr) refuse("field '" + std::string(name) + "' is missing");
    }
    for (const auto& [name, value] : described.members) {
        const bool is_known = std::ranges::any_of(POSITION_FIELDS, [&](const char* each) { return name == each; });
        if (!is_known && name != "rules") refuse("there is no field " + quote(name));
    }
}

const Json::List& read_list_of(const Json& described, const char* name) {
    const Json& value = described.at(name);
    if (value.kind != Json::Kind::LIST) fail(std::string(name) + " must be a list, not " + quote(value));
    return value.list;
}

std::vector<u8> read_faces(const Json& described, const char* name) {
    const Json::List& words = read_list_of(described, name);
    if (!std::ranges::all_of(words, &Json::is_text))
        fail(std::string(name) + " must be a list of cards such as ['r5', 'w'], not " + quote(described.at(name)));
    const FailingAt here(std::string(name) + ": ");
    std::vector<u8> faces;
    for (const Json& word : words) {
        for (const u8 face : parse_cards(word.text)) faces.push_back(face);
    }
    return faces;
}

std::vector<int> read_sizes(const Json& described, const Rules& rules) {
    const Json::List& sizes = read_list_of(described, "hand_sizes");
    if (sizes.size() != static_cast<std::size_t>(rules.players))
        fail("hand_sizes must have one number for each of " + std::to_string(rules.players) + " seats, not " +
             quote(described.at("hand_sizes")));
    std::vector<int> read;
    for (const Json& size : sizes)
        read.push_back(static_cast<int>(require_whole("hand_sizes", size, 0, rules.deck_size)));
    return read;
}

// Events with their private cards, which can only be the observer's.
std::vector<ToldEvent> read_told(const Json& described, int observer) {
    std::vector<ToldEvent> events;
    for (const Json& line : read_list_of(described, "history")) {
        ToldEvent told = read_event(line);
        const EventKind kind = told.event.kind;
        const bool has_own = kind == EventKind::DEALT || kind == EventKind::DREW || kind == EventKind::CHALLENGED;
        const bool is_theirs = has_own && told.event.seat != observer;
        if (!told.hands.empty() && (is_theirs || told.hands.size() > 1))
            fail("history: " + quote(line) + " shows cards that seat " + std::to_string(observer) +
                 " cannot have seen");
        if (!told.hands.empty()) told.hands[0].first = observer;
        events.push_back(std::move(told));
    }
    return events;
}

// Of the round, what is said in the order of `Observation`.
void read_scores_of(Observation& seen, const Json& described) {
    const std::vector<int> scores =
        (void(read_list_of(described, "scores")), read_scores(described.at("scores"), seen.rules));
    const Json& outcome = described.at("outcome");
    std::vector<int> points(scores.size());
    if (!outcome.is_nothing()) {
        const Json* told = outcome.find("points");
        if (told == nullptr || told->kind != Json::Kind::LIST)
            fail("outcome must be null or have a list of points, not " + quote(outcome));
        points = read_scores(*told, seen.rules);
    }
    for (std::size_t seat = 0; seat < scores.size(); ++seat) {
        seen.points[seat] = points[seat];
        seen.scores[seat] = scores[seat] - points[seat];
    }
}

// Rule 1.3, as far as the observer can tell.
void check_seen_cards(const Places& places, const std::vector<int>& sizes, const Observation& seen) {
    const std::vector<u8>& hand = item(places.hands, seen.observer);
    const int held = item(sizes, seen.observer);
    if (static_cast<std::size_t>(held) != hand.size())
        fail("hand has " + std::to_string(hand.size()) + " cards, but hand_sizes says " + std::to_string(held));
    const FaceCounts deck = count_deck(seen.rules);
    std::vector<u8> known = hand;
    known.insert(known.end(), places.discards.begin(), places.discards.end());
    ByFace<int> counts{};
    for (const u8 face : known) counts[face] += 1;
    for (const u8 face : known) {
        if (counts[face] > deck[face])
            fail("hand and discards have " + std::to_string(counts[face]) + " " + CARD_NAMES[face] +
                 ", but the deck has " + std::to_string(deck[face]));
    }
    std::size_t total = places.discards.size();
    for (const int size : sizes) total += static_cast<std::size_t>(size);
    if (total > static_cast<std::size_t>(seen.rules.deck_size))
        fail("hand_sizes and discards make " + std::to_string(total) + " cards, but the deck has " +
             std::to_string(seen.rules.deck_size));
}

// Deals what the observer does not see as it comes.
void fill_hidden(Places& places, const std::vector<int>& sizes, const Observation& seen) {
    const FaceCounts deck = count_deck(seen.rules);
    ByFace<int> left{};
    for (int face = 0; face < NUM_FACES; ++face) left[face] = deck[face];
    for (const u8 face : item(places.hands, seen.observer)) left[face] -= 1;
    for (const u8 face : places.discards) left[face] -= 1;
    std::vector<u8> hidden;
    for (int face = 0; face < NUM_FACES; ++face)
        hidden.insert(hidden.end(), static_cast<std::size_t>(left[face]), static_cast<u8>(face));
    auto next = hidden.begin();
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        item(places.hands, seat).assign(next, next + item(sizes, seat));
        next += item(sizes, seat);
    }
    places.draw_pile.assign(next, hidden.end());
}

// The turn, checked by laying out a round that looks like this one. Its hidden cards are made up, and what the observer
// may do depends on none of them.
void read_turn_of(Observation& seen, const Json& described, Places& places) {
    constexpr const char* SAME[] = {"seat",       "phase",   "direction", "active_color", "last_color",  "draw_sum",
                                    "last_actor", "outcome", "ply",       "next_seat",    "stuck_passes"};
    Json turn_fields = Json::Object{{"player", described.at("top_player")}, {"declared", described.at("declared_uno")}};
    for (const char* name : SAME) turn_fields.members.emplace_back(name, described.at(name));
    const Json &seat = described.at("seat"), &phase = described.at("phase");
    const bool is_drawn = phase.is_text() && phase.text == PHASE_NAMES[static_cast<int>(Phase::DRAWN)];
    const bool is_theirs = is_drawn && seat.kind == Json::Kind::NUMBER && seat.is_whole && seat.number >= 0 &&
                           seat.number < seen.rules.players && seat.number != seen.observer;
    Json drawn = described.at("drawn_card");
    if (is_theirs) {
        if (!drawn.is_nothing())
            fail("drawn_card is one that seat " + std::to_string(seen.observer) + " cannot have seen");
        const std::vector<u8>& hand = item(places.hands, seat.number < 0 ? 0 : static_cast<int>(seat.number));
        drawn = hand.empty() ? Json("") : name_card(id_of_face(hand.front()));
    }
    turn_fields.members.emplace_back("drawn_card", std::move(drawn));
    const Turn turn = read_turn(Fields(turn_fields, "a state"), seen.rules, places);
    const Round made = lay_out(seen.rules, {}, places, turn);
    const Truth& state = made.state;
    seen.turn = state.turn;
    seen.hand = state.hands[seen.observer];
    seen.discards.assign(state.pile.discards, state.pile.discards + state.pile.num_discards);
    seen.draw_pile_size = state.pile.size;
    if (seen.turn.seat == seen.observer) seen.legal = legal_actions(state, seen.rules);
    else seen.turn.drawn = NO_CARD;
}

void check_same(const Json& said, const Json& found) {
    constexpr std::size_t LONGEST = 200;
    for (const auto& [name, value] : found.members) {
        if (!is_same(said.at(name), value))
            fail("position: " + name + " is " + quote(said.at(name)) + ", but by the rest " + quote(value, LONGEST));
    }
}

}  // namespace

Json list_position_fields() { return Json::List(std::begin(POSITION_FIELDS), std::end(POSITION_FIELDS)); }

Json describe_position(const Observation& seen, std::size_t from) {
    const Turn& turn = seen.turn;
    const int players = seen.rules.players;
    BySeat<int> scores = seen.scores;
    for (int seat = 0; seat < players; ++seat) scores[seat] += seen.points[seat];
    Json::Object fields;
    fields.reserve(std::size(POSITION_FIELDS) + 1);
    const auto add = [&](const char* name, Json value) { fields.emplace_back(name, std::move(value)); };
    add("observer", seen.observer);
    add("round", seen.number);
    add("dealer", seen.dealer);
    add("hand", name_hand(seen.hand));
    add("hand_sizes", first_seats(seen.hand_sizes, players));
    add("top_player", name_seat(turn.player));
    add("scores", first_seats(scores, players));
    add("top_card", name_card(seen.discards.back()));
    add("discards", name_cards(seen.discards));
    add("draw_pile_size", seen.draw_pile_size);
    add("seat", name_seat(turn.seat));
    add("phase", PHASE_NAMES[static_cast<int>(turn.phase)]);
    add("direction", turn.direction);
    add("active_color", name_color(turn.active_color));
    add("last_color", name_color(turn.last_color));
    add("draw_sum", turn.draw_sum);
    add("last_actor", name_seat(turn.last_actor));
    add("drawn_card", name_card(turn.drawn));
    add("declared_uno", name_seats(turn.declared));
    add("command_pending", is_command_pending(turn));
    add("skip_pending", is_skip_pending(turn, seen.rules));
    add("legal_actions", name_actions(seen.legal));
    add("outcome", describe_outcome(turn, seen.points, players));
    add("history", list_history(seen.events, seen.observer, from));
    add("ply", turn.ply);
    add("next_seat", turn.phase == Phase::JUMP_IN ? name_seat(turn.next_seat) : Json());
    add("stuck_passes", turn.stuck_passes);
    return fields;
}

Json describe_observation(const Observation& seen) {
    Json described = describe_position(seen);
    described.members.emplace(described.members.begin(), "rules", describe_rules(seen.rules));
    return described;
}

Observation read_position(const Json& described) {
    Observation seen;
    seen.rules = read_document_rules(described.at("rules"));
    const int players = seen.rules.players;
    seen.observer = static_cast<int>(require_whole("observer", described.at("observer"), 0, players - 1));
    Places places;
    places.hands.resize(static_cast<std::size_t>(players));
    item(places.hands, seen.observer) = read_faces(described, "hand");
    places.discards = read_faces(described, "discards");
    require(!places.discards.empty(), "discards must hold at least the top card");
    const std::vector<int> sizes = read_sizes(described, seen.rules);
    const std::vector<ToldEvent> history = read_told(described, seen.observer);
    read_scores_of(seen, described);
    check_seen_cards(places, sizes, seen);
    fill_hidden(places, sizes, seen);
    read_turn_of(seen, described, places);
    for (const ToldEvent& told : history) {
        check_event_seats(told, players);
        append_event(seen.events, told);
    }
    std::ranges::copy(sizes, seen.hand_sizes.begin());
    seen.number = static_cast<int>(require_whole("round", described.at("round"), 1, 1'000'000));
    seen.dealer = static_cast<int>(require_whole("dealer", described.at("dealer"), 0, players - 1));
    return seen;
}

Observation read_observation(const Json& described) {
    const FailingAs state(Refused::STATE);
    if (described.kind != Json::Kind::OBJECT || described.find("rules") == nullptr)
        fail("an observation must be a mapping with rules and other fields, not " + quote(described));
    (void)read_document_rules(described.at("rules"));
    check_names(described);
    const Observation seen = read_position(described);
    check_same(described, describe_position(seen));
    return seen;
}

}  // namespace lastcard
