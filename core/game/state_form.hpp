// States as JSON values and in one line of text, such as "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR".
#pragma once

#include <string>
#include <vector>

#include "game/event_form.hpp"
#include "round/round.hpp"

namespace lastcard {

// A round, and by whom it is played, which no rule depends on.
struct SeatedRound {
    Round round;
    std::vector<bool> bots;
};

Json describe_state(const SeatedRound& seated);

// Reads what `describe_state` wrote. Fields that are left out take their value at the start of a round; a draw pile
// that is left out is the rest of the deck, shuffled by the seed. Fails naming the field that is impossible.
SeatedRound read_state(const Json& described);

// The line is parts separated by "|". A state inside a window is followed by "<<" and the state before it.
std::string format_state(const SeatedRound& seated);

// Reads what `format_state` wrote, or any part of it that has a top card and hands. Fails naming the part.
SeatedRound parse_state(const Json& line);

// Fails if the event is about a seat that there is not.
void check_event_seats(const ToldEvent& told, int players);

// The rules of a document.
Rules read_document_rules(const Json& fields);

// States inside each other in a document: a window asks each seat once, and a window opens two more.
inline constexpr int MOST_BEFORE = 2 * (MAX_SEATS + 1);

}  // namespace lastcard
