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
        .def_ro("rules", &Round::rules)
        .def_ro("dealer", &Round::dealer)
        .def_ro("number", &Round::number)
        .def_prop_ro("key", [](const Round& round) { return bytes_of(round.state.pile.key); })
        .def_prop_ro("scores",
                     [](const Round& round) {
                         return std::vector<int>(round.scores.begin(), round.scores.begin() + round.rules.players);
                     })
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
