#include <nanobind/stl/pair.h>

#include <stdexcept>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "game/refusal.hpp"
#include "game/replay.hpp"
#include "round/leaves.hpp"
#include "round/observation.hpp"
#include "search/decision.hpp"
#include "search/imagine.hpp"

namespace lastcard {

std::vector<int> list_faces(const Hand& hand) {
    std::vector<int> faces;
    for (u64 left = hand.first; left != 0; left &= left - 1) {
        const int card = lowest_bit(left);
        faces.push_back(face_of(card));
        if ((hand.second & bit_of(card)) != 0) faces.push_back(face_of(card));
    }
    return faces;
}

std::vector<int> list_faces(const u8* cards, int count) {
    std::vector<int> faces;
    for (int i = 0; i < count; ++i) faces.push_back(face_of(cards[i]));
    return faces;
}

std::vector<int> list_actions(const ActionSet& set) {
    std::vector<int> actions;
    for (u64 left = set.plays; left != 0; left &= left - 1) actions.push_back(lowest_bit(left));
    for (u64 left = set.others; left != 0; left &= left - 1) actions.push_back(NUM_PLAYS + lowest_bit(left));
    return actions;
}

std::vector<int> list_seats(unsigned seats) {
    std::vector<int> list;
    for (u64 left = seats; left != 0; left &= left - 1) list.push_back(lowest_bit(left));
    return list;
}

// Cards travel as faces, except in plays, whose action id names the color as well.
std::vector<u32> pack_events(const std::vector<Event>& events, std::size_t first) {
    std::vector<u32> packed;
    for (std::size_t i = first; i < events.size(); ++i) {
        const Event& event = events[i];
        const bool is_card =
            event.kind == EventKind::GOT || event.kind == EventKind::SHOWN || event.kind == EventKind::TURNED_UP;
        const u32 card = is_card ? static_cast<u32>(face_of(event.card)) : event.card;
        packed.push_back(static_cast<u32>(event.kind) | static_cast<u32>(event.seat) << 8 |
                         static_cast<u32>(event.other) << 16 | card << 24);
    }
    return packed;
}

Key key_from(const nb::bytes& seed) {
    if (seed.size() != 32) throw std::invalid_argument("a key has 32 bytes");
    const u8* bytes = static_cast<const u8*>(static_cast<const void*>(seed.c_str()));
    Key key{};
    for (std::size_t i = 0; i < 32; ++i) key.words[i / 4] |= static_cast<u32>(bytes[i]) << (8 * (i % 4));
    return key;
}

nb::bytes bytes_of(const Key& key) {
    u8 bytes[32];
    for (u32 i = 0; i < 32; ++i) bytes[i] = static_cast<u8>(key.words[i / 4] >> (8 * (i % 4)));
    return nb::bytes(bytes, sizeof bytes);
}

namespace {

void check_event(EventKind kind, int seat, int other, u32 card, int players) {
    require(kind <= EventKind::SKIPPED, "no such event");
    require_seat(seat, players);
    const bool has_target = kind == EventKind::CAUGHT || kind == EventKind::CHALLENGED || kind == EventKind::SWAPPED;
    require(!has_target || other < players, "no such seat");
    const bool is_play = kind == EventKind::PLAYED || kind == EventKind::JUMPED_IN;
    require(!is_play || card < NUM_PLAYS, "no such play");
    require(kind != EventKind::NAMED || card < NUM_COLORS, "no such color");
    const bool is_card = kind == EventKind::GOT || kind == EventKind::SHOWN || kind == EventKind::TURNED_UP;
    require(!is_card || card < NUM_FACES, "no such card");
}

}  // namespace

std::vector<Event> unpack_events(const std::vector<u32>& packed, int players) {
    std::vector<Event> events;
    for (const u32 event : packed) {
        const auto kind = static_cast<EventKind>(event & 255);
        check_event(kind, static_cast<int>(event >> 8 & 255), static_cast<int>(event >> 16 & 255), event >> 24,
                    players);
        const bool is_card = kind == EventKind::GOT || kind == EventKind::SHOWN || kind == EventKind::TURNED_UP;
        const u32 card = event >> 24;
        events.push_back({kind, static_cast<u8>(event >> 8), static_cast<u8>(event >> 16),
                          static_cast<u8>(is_card && card == FIRST_WILD + 1 ? FIRST_FOUR : card)});
    }
    return events;
}

namespace {

Round deal_from(const Rules& rules, const nb::bytes& seed, const std::optional<std::vector<u8>>& deck,
                const std::vector<std::vector<u8>>& reshuffles, i64 dealer, i64 number,
                const std::vector<i64>& scores) {
    PlayedRound played{number, dealer, scores, key_from(seed), deck.value_or(std::vector<u8>()), reshuffles, {}, {}};
    require_faces(played.deck);
    for (const std::vector<u8>& order : reshuffles) require_faces(order);
    return deck ? deal_again(rules, played) : deal_cards(rules, played, shuffled_deck(rules, *played.seed));
}

// States before are few: a window asks each seat once.
void check_before(const Round* before, const Rules& rules) {
    constexpr int MOST = 4 * MAX_SEATS;
    for (int depth = 0; before != nullptr; before = before->before.get()) {
        require(++depth <= MOST, "too many states before");
        require(before->rules == rules, "the state before has other rules");
    }
}

// What the seat to act would play must be in its hand.
void check_to_act(const Truth& state) {
    const Turn& turn = state.turn;
    if (turn.phase == Phase::OVER) return;
    const Hand& hand = state.hands[turn.seat];
    require(turn.phase != Phase::DRAWN || turn.drawn != NO_CARD, "the drawn card is missing");
    require(turn.phase != Phase::JUMP_IN || (hand.first & bit_of(turn.top)) != 0, "the seat asked cannot jump in");
}

// Every place of a position, in one order, so that Wilds get their ids; then the turn.
Round restore(const Rules& rules, const nb::bytes& seed, const std::vector<std::vector<u8>>& hands,
              const std::vector<u8>& draw_pile, const std::vector<u8>& discard_pile, const std::vector<u8>& shown,
              const std::vector<u32>& events, const std::vector<int>& scores, int dealer, int number, u32 reshuffles,
              const Turn& turn, const std::shared_ptr<Round>& before) {
    require_seat(dealer, rules.players);
    require(hands.size() == static_cast<std::size_t>(rules.players), "as many hands as players");
    require(scores.size() <= MAX_SEATS, "too many scores");
    check_before(before.get(), rules);
    Round round;
    round.rules = rules;
    round.dealer = dealer;
    round.number = number;
    round.events = unpack_events(events, rules.players);
    round.before = before;
    for (std::size_t seat = 0; seat < scores.size(); ++seat) round.scores[seat] = scores[seat];
    Truth& state = round.state;
    std::vector<u8> faces;
    for (const std::vector<u8>& hand : hands) faces.insert(faces.end(), hand.begin(), hand.end());
    faces.insert(faces.end(), draw_pile.begin(), draw_pile.end());
    faces.insert(faces.end(), discard_pile.begin(), discard_pile.end());
    require(!discard_pile.empty(), "not a position");
    FaceCounts counts{}, shown_counts{};
    count_faces(counts, faces, rules);
    count_faces(shown_counts, shown, rules);
    const std::vector<u8> cards = number_wilds(faces);
    std::size_t used = 0;
    for (std::size_t seat = 0; seat < hands.size(); ++seat) {
        for (std::size_t i = 0; i < hands[seat].size(); ++i) add_card(state.hands[seat], cards[used++]);
    }
    OrderedPile& pile = state.pile;
    pile.key = key_from(seed);
    pile.reshuffles = reshuffles;
    for (std::size_t i = 0; i < draw_pile.size(); ++i) pile.cards[pile.size++] = cards[used++];
    for (std::size_t i = 0; i < discard_pile.size(); ++i) discard(pile, cards[used++]);
    for (const u8 card : number_wilds(shown)) add_card(state.shown, card);
    state.turn = put_on_top(turn, pile.discards[pile.num_discards - 1]);
    check_turn(state.turn, rules.players);
    if (turn.drawn != NO_CARD) {
        require(turn.seat != NO_SEAT, "a drawn card needs a seat to act");
        state.turn.drawn = find_drawn(turn, state.hands[turn.seat]);
    }
    check_to_act(state);
    return round;
}

}  // namespace

void bind_round(nb::module_& module) {
    nb::class_<Round>(module, "Round")
        .def("legal", [](const Round& round) { return list_actions(legal_actions(round.state, round.rules)); })
        .def("after",
             [](const Round& round, int action) -> std::optional<Round> {
                 if (!is_legal(round, action)) return std::nullopt;
                 Round next = round;
                 apply_in_place(next, action);
                 return next;
             })
        .def("apply_in_place",
             [](Round& round, int action) {
                 const bool legal = is_legal(round, action);
                 if (legal) apply_in_place(round, action);
                 return legal;
             })
        .def("copy", [](const Round& round) { return Round(round); })
        .def("count_leaves",
             [](const Round& round, int depth) {
                 require_range(depth, 1, 1000, "depth out of range");
                 return run_unlocked([&] { return count_leaves(round, depth); });
             })
        .def("hand",
             [](const Round& round, int seat) {
                 require_seat(seat, round.rules.players);
                 return list_faces(round.state.hands[seat]);
             })
        .def(
            "events", [](const Round& round, std::size_t first) { return pack_events(round.events, first); },
            nb::arg("first") = 0)
        .def_prop_ro("before", [](const Round& round) { return std::const_pointer_cast<Round>(round.before); })
        .def_prop_ro("is_over", &is_over)
        .def_prop_ro("turn", [](const Round& round) { return round.state.turn; })
        .def_prop_ro("seat", [](const Round& round) { return seat_or_none(round.state.turn.seat); })
        .def_prop_ro("shown", [](const Round& round) { return list_faces(round.state.shown); })
        .def_prop_ro("draw_pile",
                     [](const Round& round) { return list_faces(round.state.pile.cards, round.state.pile.size); })
        .def_prop_ro(
            "discard_pile",
            [](const Round& round) { return list_faces(round.state.pile.discards, round.state.pile.num_discards); })
        .def_prop_ro("declared", [](const Round& round) { return list_seats(declared_seats(round)); })
        .def_prop_ro("points",
                     [](const Round& round) {
                         const auto points = points_scored(round);
                         return std::vector<int>(points.begin(), points.begin() + round.rules.players);
                     })
        .def("score_forfeit",
             [](const Round& round, int seat) {
                 require_seat(seat, round.rules.players);
                 int points[MAX_SEATS];
                 const int winner = score_forfeit(round.state, round.rules, seat, points);
                 return std::pair(winner, std::vector<int>(points, points + round.rules.players));
             })
        .def_prop_ro("reshuffles", [](const Round& round) { return round.state.pile.reshuffles; })
        .def_prop_ro("reshuffle_orders",
                     [](const Round& round) {
                         std::vector<std::vector<int>> orders;
                         for (const std::vector<u8>& order : round.reshuffles) {
                             orders.push_back(list_faces(order.data(), static_cast<int>(order.size())));
                         }
                         return orders;
                     })
        .def_prop_ro("script_failed", [](const Round& round) { return round.state.pile.script_failed; })
        .def_prop_ro("command_pending", [](const Round& round) { return is_command_pending(round.state.turn); })
        .def_prop_ro("skip_pending", [](const Round& round) { return is_skip_pending(round.state.turn, round.rules); });
    module.def("deal", &deal_from, nb::arg("rules"), nb::arg("seed"), nb::arg("deck").none(), nb::arg("reshuffles"),
               nb::arg("dealer"), nb::arg("number"), nb::arg("scores"));
    module.def("restore", &restore, nb::arg("rules"), nb::arg("seed"), nb::arg("hands"), nb::arg("draw_pile"),
               nb::arg("discard_pile"), nb::arg("shown"), nb::arg("events"), nb::arg("scores"), nb::arg("dealer"),
               nb::arg("number"), nb::arg("reshuffles"), nb::arg("turn"), nb::arg("before").none());
    module.def("deck_order", [](const Rules& rules, const nb::bytes& seed) {
        const std::vector<u8> cards = shuffled_deck(rules, key_from(seed));
        return list_faces(cards.data(), static_cast<int>(cards.size()));
    });
    module.def("shuffle", [](const std::vector<u8>& faces, const nb::bytes& seed, int label, u32 ordinal) {
        require(faces.size() <= MOST_AT_ONCE, "too many cards");
        const std::vector<u8> cards = shuffled(faces, key_from(seed), static_cast<Stream>(label), ordinal);
        return std::vector<int>(cards.begin(), cards.end());
    });
    module.def("split_seed", [](const nb::bytes& seed, int label, u32 ordinal) {
        return bytes_of(split_key(key_from(seed), static_cast<Stream>(label), ordinal));
    });
}

}  // namespace lastcard
