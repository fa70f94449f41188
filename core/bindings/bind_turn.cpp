// A turn as Python reads and writes it: by name, with None for no seat, color or card.
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"

namespace lastcard {

namespace {

// How a field crosses the border: `show` to Python, `read` from it.
template <int LEAST, int MOST>
struct Number {
    static int show(auto value) { return static_cast<int>(value); }
    static int read(nb::handle given) {
        const int value = nb::cast<int>(given);
        require_range(value, LEAST, MOST, "out of range");
        return value;
    }
};

// A number below `COUNT`, or none.
template <int COUNT, int NONE>
struct Choice {
    static std::optional<int> show(u8 value) { return value == NONE ? std::nullopt : std::optional<int>(value); }
    static int read(nb::handle given) { return given.is_none() ? NONE : Number<0, COUNT - 1>::read(given); }
};

// A face, which becomes the lowest card id of that face.
struct FaceOrNone {
    static std::optional<int> show(u8 card) { return face_or_none(card); }
    static int read(nb::handle given) {
        const int face = Choice<NUM_FACES, NO_CARD>::read(given);
        return face == FOUR_FACE ? FIRST_FOUR : face;
    }
};

struct SeatSet {
    static nb::typed<nb::tuple, int, nb::ellipsis> show(u16 seats) {
        return nb::borrow<nb::typed<nb::tuple, int, nb::ellipsis>>(nb::tuple(nb::cast(list_seats(seats))));
    }
    static unsigned read(nb::handle given) {
        unsigned seats = 0;
        for (const nb::handle seat : given) seats |= 1u << Number<0, MAX_SEATS - 1>::read(seat);
        return seats;
    }
};

// The one list of a turn's fields.
template <class Visit>
void visit_turn(const Visit& visit) {
    using Seat = Choice<MAX_SEATS, NO_SEAT>;
    using Color = Choice<NUM_COLORS, NO_COLOR>;
    visit("ply", &Turn::ply, Number<0, 1 << 30>{});
    visit("declared", &Turn::declared, SeatSet{});
    visit("phase", &Turn::phase, Number<0, static_cast<int>(Phase::OVER)>{});
    visit("seat", &Turn::seat, Seat{});
    visit("active_color", &Turn::active_color, Color{});
    visit("last_color", &Turn::last_color, Color{});
    visit("player", &Turn::player, Seat{});
    visit("next_seat", &Turn::next_seat, Seat{});
    visit("drawn", &Turn::drawn, FaceOrNone{});
    visit("draw_sum", &Turn::draw_sum, Number<0, MAX_CARDS>{});
    visit("stuck_passes", &Turn::stuck_passes, Number<0, MAX_SEATS>{});
    visit("last_actor", &Turn::last_actor, Seat{});
    visit("winner", &Turn::winner, Seat{});
    visit("ending", &Turn::ending, Number<0, static_cast<int>(Ending::MAX_PLIES)>{});
    visit("direction", &Turn::direction, Number<-1, 1>{});
}

nb::dict list_fields(const Turn& turn) {
    nb::dict fields;
    visit_turn([&](const char* name, auto member, auto kind) { fields[name] = nb::cast(kind.show(turn.*member)); });
    return fields;
}

void change_fields(Turn& turn, const nb::dict& changes) {
    std::size_t known = 0;
    visit_turn([&]<class Value>(const char* name, Value Turn::* member, auto kind) {
        if (!changes.contains(name)) return;
        known += 1;
        try {
            turn.*member = static_cast<Value>(kind.read(changes[name]));
        } catch (const std::exception&) {
            throw std::invalid_argument("turn: " + std::string(name) + " is impossible");
        }
    });
    if (known < changes.size()) throw nb::type_error("turn: no such field");
}

// Before anything has happened.
Turn blank_turn() {
    Turn turn{};
    turn.seat = turn.player = turn.next_seat = turn.last_actor = turn.winner = NO_SEAT;
    turn.active_color = turn.last_color = NO_COLOR;
    turn.drawn = NO_CARD;
    turn.direction = 1;
    return turn;
}

nb::object list_values(const Turn& turn) { return nb::tuple(list_fields(turn).values()); }

}  // namespace

void check_turn(const Turn& turn, int players) {
    for (const u8 seat : {turn.seat, turn.player, turn.next_seat, turn.last_actor, turn.winner})
        require_seat_or_none(seat, players);
    require(turn.declared >> players == 0, "no such seats have declared");
    require_range(turn.stuck_passes, 0, players, "stuck_passes out of range");
    require(turn.direction != 0, "direction must be 1 or -1");
    const Phase phase = turn.phase;
    require(phase == Phase::OVER || turn.seat != NO_SEAT, "a seat must be to act");
    const bool has_player =
        phase == Phase::ANSWER || phase == Phase::SWAP || phase == Phase::CATCH_UNO || phase == Phase::JUMP_IN;
    require(!has_player || turn.player != NO_SEAT, "a seat must have played the top card");
    const bool can_jump = turn.next_seat != NO_SEAT && is_colored(turn.top);
    require(phase != Phase::JUMP_IN || can_jump, "nobody can jump in here");
}

Turn put_on_top(Turn turn, u8 top) {
    turn.top = top;
    const int color = turn.active_color == NO_COLOR ? RED : turn.active_color;
    turn.top_play = static_cast<u8>(is_colored(top) ? top : (is_four(top) ? FIRST_FOUR : FIRST_WILD) + color);
    return turn;
}

u8 find_drawn(const Turn& turn, const Hand& hand) {
    if (turn.drawn == NO_CARD) return NO_CARD;
    const u64 held = hand.first & face_bits(turn.drawn);
    require(held != 0, "the drawn card is not in the hand");
    return static_cast<u8>(lowest_bit(held));
}

void bind_turn(nb::module_& module) {
    nb::class_<Turn> bound(module, "Turn");
    bound
        .def(
            "__init__",
            [](Turn* made, const nb::kwargs& fields) {
                Turn turn = blank_turn();
                change_fields(turn, fields);
                new (made) Turn(turn);
            },
            nb::sig("def __init__(self, **fields: object) -> None"))
        .def(
            "replace",
            [](Turn turn, const nb::kwargs& changes) {
                change_fields(turn, changes);
                return turn;
            },
            nb::sig("def replace(self, **changes: object) -> Turn"))
        .def(
            "__eq__", [](const Turn& turn, const Turn& other) { return list_values(turn).equal(list_values(other)); },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Turn& turn) { return nb::hash(list_values(turn)); })
        .def("__getstate__", &list_fields, nb::sig("def __getstate__(self) -> dict[str, object]"))
        .def(
            "__setstate__",
            [](Turn& turn, const nb::dict& fields) {
                new (&turn) Turn(blank_turn());
                change_fields(turn, fields);
            },
            nb::sig("def __setstate__(self, fields: dict[str, object], /) -> None"));
    module.def(
        "can_come_up",
        [](const Rules& rules, int phase, int face) {
            require_range(phase, 0, static_cast<int>(Phase::OVER), "no such phase");
            require_range(face, 0, NUM_FACES - 1, "no such card");
            return can_come_up(rules, static_cast<Phase>(phase), face == FOUR_FACE ? FIRST_FOUR : face);
        },
        nb::arg("rules"), nb::arg("phase"), nb::arg("top"));
    visit_turn([&](const char* name, auto member, auto kind) {
        bound.def_prop_ro(name, [member, kind](const Turn& turn) { return kind.show(turn.*member); });
    });
}

}  // namespace lastcard
