// Public events, followed by the rules.
#include <algorithm>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "round/public_round.hpp"
#include "search/recall.hpp"

namespace lastcard {

namespace {

// Follows events as they come, and says of each what it does not say itself.
class EventFollower : public NoListener {
public:
    explicit EventFollower(const Rules& rules) : story(seen, *this) {
        seen.rules = rules;
        seen.observer = SPECTATOR;
    }

    EventFollower(const EventFollower&) = delete;
    EventFollower& operator=(const EventFollower&) = delete;

    void hear(const std::vector<u32>& packed) {
        for (const Event& event : unpack_events(packed, seen.rules.players)) seen.events.push_back(event);
        is_forced = false;
        story.run_on();
    }

    // Hand sizes after the last event.
    std::vector<int> sizes() const {
        const Scene& scene = story.now();
        return {scene.sizes, scene.sizes + seen.rules.players};
    }

    // Whether the last event was a draw that the seat did not choose.
    bool was_forced() const { return is_forced; }

    void drew(const Scene&, int, int, bool in_turn, bool) { is_forced = !in_turn; }

private:
    Observation seen;
    Recall<EventFollower> story;
    bool is_forced = false;
};

// Hand sizes and direction before an event, from those after it.
struct Before {
    std::vector<int> sizes;
    int direction;
};

Before take_back_event(const std::vector<u32>& packed, const std::vector<int>& sizes, int direction) {
    const int players = static_cast<int>(sizes.size());
    require_range(players, 2, MAX_SEATS, "no such number of seats");
    require(direction == 1 || direction == -1, "direction must be 1 or -1");
    for (const int size : sizes) require_range(size, -1000, 1000, "no such number of cards");
    int counts[MAX_SEATS] = {};
    std::copy(sizes.begin(), sizes.end(), counts);
    for (const Event& event : unpack_events(packed, players)) take_back(event, players, counts, direction);
    return {std::vector<int>(counts, counts + players), direction};
}

PublicRound begin_public_round(const Rules& rules, const std::vector<int>& sizes, int direction) {
    require(sizes.size() == static_cast<std::size_t>(rules.players), "as many hands as players");
    for (const int size : sizes) require_range(size, 0, MAX_CARDS, "no such number of cards");
    require(direction == 1 || direction == -1, "direction must be 1 or -1");
    return PublicRound(rules, sizes, direction);
}

std::optional<std::vector<u32>> act(PublicRound& round, int seat, int action, int drawn, bool is_guilty) {
    require_seat(seat, round.players());
    require_range(action, 0, NUM_ACTIONS - 1, "no such action");
    require_range(drawn, 0, MAX_CARDS, "no such number of cards");
    const auto events = round.act(seat, action, drawn, is_guilty);
    return events ? std::optional(pack_events(*events, 0)) : std::nullopt;
}

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<EventFollower>(module, "EventFollower")
        .def(nb::init<const Rules&>(), nb::arg("rules"))
        .def("hear", &EventFollower::hear, nb::arg("events"))
        .def_prop_ro("sizes", &EventFollower::sizes)
        .def_prop_ro("is_forced", &EventFollower::was_forced);
    nb::class_<PublicRound>(module, "PublicRound")
        .def("copy", [](const PublicRound& round) { return PublicRound(round); })
        .def("act", &act, nb::arg("seat"), nb::arg("action"), nb::arg("drawn") = 0, nb::arg("is_guilty") = false)
        .def(
            "lay",
            [](PublicRound& round, int face, std::optional<int> color) {
                const int card = card_of_face(face);
                require_range(color.value_or(0), 0, NO_COLOR - 1, "no such color");
                require(color || !is_colored(card), "a card without a color is no Wild");
                round.lay(card, color.value_or(NO_COLOR));
            },
            nb::arg("face"), nb::arg("color").none())
        .def("give_turn",
             [](PublicRound& round, int seat) { require_seat(seat, round.players()), round.give_turn(seat); })
        .def("owe",
             [](PublicRound& round, int sum) { require_range(sum, 0, 200, "draw_sum out of range"), round.owe(sum); })
        .def("call_uno",
             [](PublicRound& round, int seat) { require_seat(seat, round.players()), round.call_uno(seat); })
        .def("resize",
             [](PublicRound& round, int seat, int size) {
                 require_seat(seat, round.players());
                 require_range(size, 0, MAX_CARDS, "no such number of cards");
                 round.resize(seat, size);
             })
        .def("resolve",
             [](PublicRound& round, int player) {
                 require_seat(player, round.players());
                 return pack_events(round.resolve(player), 0);
             })
        .def("forget_uno",
             [](PublicRound& round, int player) { require_seat(player, round.players()), round.forget_uno(player); })
        .def(
            "pass_window",
            [](PublicRound& round, std::optional<int> until) {
                return pack_events(round.pass_window(until.value_or(NO_SEAT)), 0);
            },
            nb::arg("until").none())
        .def("ask_to_jump_in",
             [](PublicRound& round, int seat) {
                 require_seat(seat, round.players());
                 return round.ask_to_jump_in(seat);
             })
        .def("end_turn",
             [](PublicRound& round, int seat) { require_seat(seat, round.players()), round.end_turn(seat); })
        .def("swap_hands",
             [](PublicRound& round, int seat, int other) {
                 require_seat(seat, round.players());
                 require_seat(other, round.players());
                 round.swap(seat, other);
             })
        .def("pass_hands", &PublicRound::pass)
        .def_prop_ro("sizes",
                     [](const PublicRound& round) {
                         std::vector<int> sizes;
                         for (int seat = 0; seat < round.players(); ++seat) sizes.push_back(round.size_of(seat));
                         return sizes;
                     })
        .def_prop_ro("turn", [](const PublicRound& round) { return round.turn(); });
    nb::class_<Before>(module, "BeforeEvent")
        .def_prop_ro("sizes", [](const Before& before) { return before.sizes; })
        .def_ro("direction", &Before::direction);
    module.def("take_back_event", &take_back_event, nb::arg("event"), nb::arg("sizes"), nb::arg("direction"));
    module.def("begin_public_round", &begin_public_round, nb::arg("rules"), nb::arg("sizes"), nb::arg("direction"));
}

}  // namespace lastcard
