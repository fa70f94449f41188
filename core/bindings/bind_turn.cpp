// A turn as Python reads and writes it: by name, with None for no seat, color or card.
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "round/blank_turn.hpp"

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

nb::object list_values(const Turn& turn) { return nb::tuple(list_fields(turn).values()); }

// What the rules allow with a card on top, whatever a seat holds.
void bind_questions(nb::module_& module) {
    module.def(
        "can_come_up",
        [](const Rules& rules, int phase, int top) {
            require_range(phase, 0, static_cast<int>(Phase::OVER), "no such phase");
            return can_come_up(rules, static_cast<Phase>(phase), card_of_face(top));
        },
        nb::arg("rules"), nb::arg("phase"), nb::arg("top"));
    module.def(
        "can_stack",
        [](const Rules& rules, int card, int top) {
            return (stackable_plays(rules, card_of_face(top)) & bit_of(card_of_face(card))) != 0;
        },
        nb::arg("rules"), nb::arg("card"), nb::arg("top"));
    module.def(
        "can_be_owed", [](const Rules& rules, int sum, int top) { return can_be_owed(rules, card_of_face(top), sum); },
        nb::arg("rules"), nb::arg("sum"), nb::arg("top"));
    module.def(
        "can_challenge", [](const Rules& rules, int top) { return can_challenge(rules, card_of_face(top)); },
        nb::arg("rules"), nb::arg("top"));
}

}  // namespace

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
    bind_questions(module);
    visit_turn([&](const char* name, auto member, auto kind) {
        bound.def_prop_ro(name, [member, kind](const Turn& turn) { return kind.show(turn.*member); });
    });
}

}  // namespace lastcard
