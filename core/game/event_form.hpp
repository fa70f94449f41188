// Events as text, such as "1 draws 2 (r5 w)", and as JSON values: the one place that states how each is written.
//
// A list of events has cards that were got or shown as entries of their own, after the event that they belong to.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "game/json.hpp"
#include "round/observation.hpp"

namespace lastcard {

// Who has seen everything.
inline constexpr int TRUTH = -2;

inline bool is_private_card(const Event& event) {
    return event.kind == EventKind::GOT || event.kind == EventKind::SHOWN;
}

// An event with the cards that its reader saw, as faces, by the seat that they went to.
struct ToldEvent {
    Event event{};
    std::vector<std::pair<int, std::vector<u8>>> hands;
};

// The place after the event at `first` and its cards.
std::size_t end_of_event(const std::vector<Event>& events, std::size_t first);

// How many there are. Cards belong to the event before them.
std::size_t count_told(const std::vector<Event>& events);

// The event at `first`; its observer is known to have seen even an empty hand.
ToldEvent tell_event(const std::vector<Event>& events, std::size_t first, int observer);

std::string format_event(const ToldEvent& told);

// Reads what `format_event` wrote. Fails saying what is wrong with it.
ToldEvent parse_event(const Json& line);

// Reads an event of a document, as text or as what `describe_event` wrote.
ToldEvent read_event(const Json& event);

// Adds the event and its cards.
void append_event(std::vector<Event>& to, const ToldEvent& told);

// The events as text, from the event of that number on.
Json list_history(const std::vector<Event>& events, int observer, std::size_t from = 0);

// The event as JSON values, without fields that do not apply.
Json describe_event(const ToldEvent& told);

// Whether it is a seat's own doing. A pass is not: others must not notice it.
bool is_deed(EventKind kind);

// What of an event is a card's id: its face, and back.
inline u8 id_of_face(int face) { return static_cast<u8>(face == FOUR_FACE ? FIRST_FOUR : face); }

}  // namespace lastcard
