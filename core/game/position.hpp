// A described position, checked and laid out as a round.
#pragma once

#include <vector>

#include "game/fields.hpp"
#include "round/round.hpp"

namespace lastcard {

// Every card in its place, as faces; piles with the top last.
struct Places {
    std::vector<std::vector<u8>> hands;
    std::vector<u8> draw_pile;
    std::vector<u8> discards;
    std::vector<u8> shown;  // the hand behind the last Wild Draw Four
};

// A score for each seat.
std::vector<int> read_scores(const Json& scores, const Rules& rules);

// A described turn. Fails naming the field for which no round can come to it, or not go on from it.
Turn read_turn(const Fields& fields, const Rules& rules, const Places& places);

// The round with every card in its place.
Round lay_out(const Rules& rules, const Key& key, const Places& places, const Turn& turn);

}  // namespace lastcard
