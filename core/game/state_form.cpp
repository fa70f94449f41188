#include "game/state_form.hpp"

#include <algorithm>

#include "game/event_form.hpp"
#include "game/names.hpp"
#include "game/position.hpp"
#include "game/rules_form.hpp"
#include "game/seed.hpp"
#include "game/values.hpp"
#include "round/fail.hpp"
#include "round/observation.hpp"

namespace lastcard {

namespace {

constexpr const char* A_STATE = "a state";

std::string format_pile(const u8* cards, int count) {
    std::vector<u8> faces;
    for (int i = 0; i < count; ++i) faces.push_back(static_cast<u8>(face_of(cards[i])));
    return format_cards(faces);
}

std::string format_hand(const Hand& hand) {
    std::vector<u8> faces;
    for_each_face(hand, [&](int face) { faces.push_back(static_cast<u8>(face)); });
    return format_cards(faces);
}

Json describe_players(const SeatedRound& seated) {
    Json::List players;
    for (int seat = 0; seat < seated.round.rules.players; ++seat)
        players.push_back(Json::Object{{"hand", format_hand(seated.round.state.hands[seat])},
                                       {"score", seated.round.scores[seat]},
                                       {"bot", bool{seated.bots[static_cast<std::size_t>(seat)]}}});
    return players;
}

// Rule 1.3: these cards, and no more, are the deck.
void check_all_cards(const Places& places, const Rules& rules) {
    ByFace<int> counts{};
    const auto count = [&](const std::vector<u8>& faces) {
        for (const u8 face : faces) counts[face] += 1;
    };
    for (const std::vector<u8>& hand : places.hands) count(hand);
    count(places.draw_pile);
    count(places.discards);
    const FaceCounts deck = count_deck(rules);
    for (int face = 0; face < NUM_FACES; ++face) {
        if (counts[face] != deck[face])
            fail("hands, draw_pile and discard_pile together: " + std::to_string(counts[face]) + " of " +
                 CARD_NAMES[face] + " where the deck has " + std::to_string(deck[face]));
    }
}

// The rest of the deck, shuffled by the seed.
std::vector<u8> shuffle_rest(const Places& places, const Rules& rules, const Key& key) {
    const FaceCounts deck = count_deck(rules);
    ByFace<int> left{};
    for (int face = 0; face < NUM_FACES; ++face) left[face] = deck[face];
    const auto take = [&](const std::vector<u8>& faces) {
        for (const u8 face : faces) left[face] -= 1;
    };
    for (const std::vector<u8>& hand : places.hands) take(hand);
    take(places.discards);
    std::vector<u8> rest;
    for (int face = 0; face < NUM_FACES; ++face) {
        if (left[face] < 0)
            fail(std::to_string(deck[face] - left[face]) + " of " + CARD_NAMES[face] +
                 " are in use where the deck has " + std::to_string(deck[face]));
        rest.insert(rest.end(), static_cast<std::size_t>(left[face]), static_cast<u8>(face));
    }
    return shuffled(rest, key, Stream::POSITION, 0);
}

void read_players(SeatedRound& seated, Places& places, const Fields& fields, const Rules& rules) {
    const Json::List& players = fields.items("players");
    if (players.size() != static_cast<std::size_t>(rules.players))
        fail("players: " + std::to_string(players.size()) +
             " hands where the rules have players=" + std::to_string(rules.players));
    std::vector<Fields> parts;
    for (const Json& player : players) parts.emplace_back(player, A_STATE);
    Json scores = Json::List{}, bots = Json::List{};
    for (std::size_t seat = 0; seat < parts.size(); ++seat) {
        const bool has_hand = parts[seat].has("hand");
        places.hands.push_back(
            read_cards("hand of seat " + std::to_string(seat), has_hand ? parts[seat].get("hand") : Json("")));
        scores.list.push_back(parts[seat].has("score") ? parts[seat].get("score") : Json(0));
        bots.list.push_back(parts[seat].has("bot") ? parts[seat].get("bot") : Json(true));
    }
    const std::vector<int> read = read_scores(scores, rules);
    std::ranges::copy(read, seated.round.scores.begin());
    for (const Json& bot : bots.list) {
        if (bot.kind != Json::Kind::FLAG)
            fail("bots must be True or False for each of " + std::to_string(rules.players) + " seats, not " +
                 quote(bots));
        seated.bots.push_back(bot.flag);
    }
}

std::vector<u8> read_shown(const Fields& fields, const Rules& rules) {
    std::vector<u8> shown = fields.cards("shown_hand");
    const FaceCounts deck = count_deck(rules);
    for (const u8 face : shown) {
        const auto count = std::ranges::count(shown, face);
        if (count > deck[face])
            fail("shown_hand: " + std::to_string(count) + " of " + CARD_NAMES[face] + " where the deck has " +
                 std::to_string(deck[face]));
    }
    std::ranges::sort(shown);
    return shown;
}

std::vector<Event> read_events(const Fields& fields, int players) {
    std::vector<Event> events;
    for (const Json& line : fields.items("history")) {
        const ToldEvent told = read_event(line);
        check_event_seats(told, players);
        append_event(events, told);
    }
    return events;
}

SeatedRound read_state(const Json& described, int depth) {
    const Fields fields(described, A_STATE);
    const Rules rules = read_document_rules(fields.has("rules") ? fields.get("rules") : Json(Json::Object{}));
    SeatedRound seated;
    Places places;
    read_players(seated, places, fields, rules);
    const Key key = fields.has("seed") ? require_key("seed", fields.get("seed")) : Key{};
    places.discards = fields.cards("discard_pile");
    require(!places.discards.empty(), "discard_pile must hold at least the top card");
    if (fields.has("draw_pile")) {
        places.draw_pile = fields.cards("draw_pile");
        check_all_cards(places, rules);
    } else {
        places.draw_pile = shuffle_rest(places, rules, key);
    }
    const int dealer = fields.integer("dealer", rules.players - 1, 0, rules.players - 1);
    const Turn turn = read_turn(fields, rules, places);
    const int number = fields.integer("round", 1, 1, 1'000'000);
    places.shown = read_shown(fields, rules);
    const BySeat<int> scores = seated.round.scores;
    seated.round = lay_out(rules, key, places, turn);
    seated.round.scores = scores;
    seated.round.dealer = dealer;
    seated.round.number = number;
    seated.round.events = read_events(fields, rules.players);
    seated.round.state.pile.reshuffles = static_cast<u32>(fields.integer("reshuffles", 0, 0, 1'000'000));
    if (!fields.get("before").is_nothing()) {
        if (depth >= MOST_BEFORE)
            fail("before: a state cannot have more than " + std::to_string(MOST_BEFORE) + " states before it");
        Round before = read_state(fields.get("before"), depth + 1).round;
        require(before.rules == rules, "before: the state before has other rules");
        seated.round.before = std::make_shared<const Round>(std::move(before));
    }
    return seated;
}

}  // namespace

void check_event_seats(const ToldEvent& told, int players) {
    const bool has_target = told.event.kind == EventKind::CAUGHT || told.event.kind == EventKind::SWAPPED ||
                            told.event.kind == EventKind::CHALLENGED;
    int most = std::max<int>(told.event.seat, has_target ? told.event.other : 0);
    for (const auto& [seat, hand] : told.hands) most = std::max(most, seat);
    if (most >= players)
        fail("history: " + quote(format_event(told)) + " names a seat beyond " + std::to_string(players - 1));
}

Rules read_document_rules(const Json& fields) {
    const FailingAs rules(Refused::RULES);
    return read_rules(fields);
}

Json describe_state(const SeatedRound& seated) {
    const Round& round = seated.round;
    const Truth& state = round.state;
    const Turn& turn = state.turn;
    Json::Object fields;
    fields.reserve(26);
    const auto add = [&](const char* name, Json value) { fields.emplace_back(name, std::move(value)); };
    add("rules", describe_rules(round.rules));
    add("round", round.number);
    add("dealer", round.dealer);
    add("seed", Json::digits(format_seed(state.pile.key)));
    add("reshuffles", state.pile.reshuffles);
    add("players", describe_players(seated));
    add("draw_pile", format_pile(state.pile.cards, state.pile.size));
    add("discard_pile", format_pile(state.pile.discards, state.pile.num_discards));
    add("seat", name_seat(turn.seat));
    add("phase", PHASE_NAMES[static_cast<int>(turn.phase)]);
    add("direction", turn.direction);
    add("active_color", name_color(turn.active_color));
    add("last_color", name_color(turn.last_color));
    add("command_pending", is_command_pending(turn));
    add("draw_sum", turn.draw_sum);
    add("drawn_card", name_card(turn.drawn));
    add("player", name_seat(turn.player));
    add("next_seat", name_seat(turn.next_seat));
    add("last_actor", name_seat(turn.last_actor));
    add("declared", name_seats(turn.declared));
    add("shown_hand", format_hand(state.shown));
    add("stuck_passes", turn.stuck_passes);
    add("ply", turn.ply);
    add("outcome", describe_outcome(turn, points_scored(round), round.rules.players));
    add("history", list_history(round.events, TRUTH));
    add("before", round.before ? describe_state({*round.before, seated.bots}) : Json());
    return fields;
}

SeatedRound read_state(const Json& described) {
    const FailingAs state(Refused::STATE);
    return read_state(described, 0);
}

}  // namespace lastcard
