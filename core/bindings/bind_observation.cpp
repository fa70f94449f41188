#include <algorithm>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "round/observation.hpp"
#include "search/decision.hpp"
#include "search/determinize.hpp"

namespace lastcard {

namespace {

std::vector<int> first_seats(const BySeat<int>& values, const Rules& rules) {
    return {values.begin(), values.begin() + rules.players};
}

// What a seat may do, as far as it can tell: the same in any state that fits what it sees.
ActionSet legal_for_observer(const Observation& seen) {
    BeliefSettings settings;
    settings.kind = BeliefKind::UNIFORM;
    settings.hypotheses = 1;
    Hypothetical<MAX_SEATS> state{};
    Determinizer(seen).fill(state, believe(seen, settings, 0).hypotheses.front());
    return legal_actions(state, seen.rules);
}

// An observation from a description, not from a state. `scores` are from before the round and `points` what it added,
// both 0 where they are not given.
Observation imagine(const Rules& rules, int observer, const std::vector<u8>& hand, const std::vector<int>& hand_sizes,
                    const std::vector<u8>& discards, const std::vector<u32>& events, const Turn& turn,
                    const std::vector<int>& scores, const std::vector<int>& points, const std::optional<int>& dealer,
                    int number) {
    if (static_cast<int>(hand_sizes.size()) != rules.players || observer < SPECTATOR || observer >= rules.players ||
        discards.empty() || scores.size() > MAX_SEATS || points.size() > MAX_SEATS) {
        throw std::invalid_argument("not a table");
    }
    if (dealer) require_seat(*dealer, rules.players);
    FaceCounts counts{};
    count_faces(counts, hand, rules);
    count_faces(counts, discards, rules);
    Observation seen;
    seen.rules = rules;
    seen.observer = observer;
    seen.dealer = dealer.value_or(rules.players - 1);
    seen.number = number;
    std::copy(scores.begin(), scores.end(), seen.scores.begin());
    std::copy(points.begin(), points.end(), seen.points.begin());
    std::vector<u8> faces = hand;
    faces.insert(faces.end(), discards.begin(), discards.end());
    const std::vector<u8> cards = number_wilds(faces);
    int elsewhere = 0;
    for (std::size_t i = 0; i < hand.size(); ++i) add_card(seen.hand, cards[i]);
    seen.discards.assign(cards.begin() + static_cast<std::ptrdiff_t>(hand.size()), cards.end());
    for (std::size_t seat = 0; seat < hand_sizes.size(); ++seat) {
        require_range(hand_sizes[seat], 0, MAX_CARDS, "a hand cannot have so many cards");
        seen.hand_sizes[seat] = hand_sizes[seat];
        elsewhere += hand_sizes[seat];
    }
    seen.draw_pile_size = rules.deck_size - elsewhere - static_cast<int>(discards.size());
    require(seen.draw_pile_size >= 0, "more cards than the deck has");
    require(hand.size() == static_cast<std::size_t>(seen.hand_sizes[observer]), "the observer's hand has another size");
    seen.events = unpack_events(events, rules.players);
    seen.turn = put_on_top(turn, seen.discards.back());
    check_turn(seen.turn, rules.players);
    seen.turn.drawn = find_drawn(turn, seen.hand);
    if (seen.turn.seat == observer) {
        const bool is_jump = seen.turn.phase == Phase::JUMP_IN;
        require(seen.turn.phase != Phase::DRAWN || seen.turn.drawn != NO_CARD, "the drawn card is missing");
        require(!is_jump || (seen.hand.first & bit_of(seen.turn.top)) != 0, "the observer cannot jump in");
        seen.legal = legal_for_observer(seen);
    }
    return seen;
}

}  // namespace

void bind_observation(nb::module_& module) {
    nb::class_<Observation>(module, "Observation")
        .def_ro("observer", &Observation::observer)
        .def_ro("draw_pile_size", &Observation::draw_pile_size)
        .def_ro("dealer", &Observation::dealer)
        .def_ro("number", &Observation::number)
        .def("legal", [](const Observation& seen) { return list_actions(seen.legal); })
        .def(
            "events", [](const Observation& seen, std::size_t first) { return pack_events(seen.events, first); },
            nb::arg("first") = 0)
        .def_prop_ro("num_events", &count_events)
        .def_prop_ro("hand", [](const Observation& seen) { return list_faces(seen.hand); })
        .def_prop_ro("discards",
                     [](const Observation& seen) {
                         return list_faces(seen.discards.data(), static_cast<int>(seen.discards.size()));
                     })
        .def_prop_ro("hand_sizes", [](const Observation& seen) { return first_seats(seen.hand_sizes, seen.rules); })
        .def_prop_ro("scores", [](const Observation& seen) { return first_seats(seen.scores, seen.rules); })
        .def_prop_ro("points", [](const Observation& seen) { return first_seats(seen.points, seen.rules); })
        .def_prop_ro("turn", [](const Observation& seen) { return seen.turn; })
        .def_prop_ro("command_pending", [](const Observation& seen) { return is_command_pending(seen.turn); })
        .def_prop_ro("skip_pending", [](const Observation& seen) { return is_skip_pending(seen.turn, seen.rules); });
    module.def("imagine", &imagine, nb::arg("rules"), nb::arg("observer"), nb::arg("hand"), nb::arg("hand_sizes"),
               nb::arg("discards"), nb::arg("events"), nb::arg("turn"), nb::arg("scores") = std::vector<int>{},
               nb::arg("points") = std::vector<int>{}, nb::arg("dealer") = nb::none(), nb::arg("number") = 1);
    module.def(
        "observe",
        [](const Round& round, int seat) {
            if (seat != SPECTATOR) require_seat(seat, round.rules.players);
            return observe(round, seat);
        },
        nb::arg("round"), nb::arg("seat"));
}

}  // namespace lastcard
