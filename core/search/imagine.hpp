// An observation from a description, not from a state.
#pragma once

#include <vector>

#include "round/faces.hpp"
#include "round/observation.hpp"

namespace lastcard {

struct Described {
    int observer = 0;
    std::vector<u8> hand;      // faces
    std::vector<u8> discards;  // faces, top last
    std::vector<int> hand_sizes;
    std::vector<Event> events;
    Turn turn{};
    std::vector<int> scores;  // from before the round; 0 where they are left out
    std::vector<int> points;  // what the round added
    int dealer = 0;
    int number = 1;
};

// Before anything has happened.
Turn blank_turn();

// A described turn with this card on top.
Turn put_on_top(Turn turn, u8 top);

// Fails where the core could not continue from the turn.
void check_turn(const Turn& turn, int players);

// The card of the drawn face that the hand holds, if any was drawn.
u8 find_drawn(const Turn& turn, const Hand& hand);

// Counts the cards, which must be faces, and no more of each than the deck has.
void count_faces(FaceCounts& counts, const std::vector<u8>& faces, const Rules& rules);

// Fails where no table can look like this. What a seat may do follows from the rest.
Observation imagine(const Rules& rules, const Described& described);

}  // namespace lastcard
