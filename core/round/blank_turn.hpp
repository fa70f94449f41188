// Turns that are described, not come about.
#pragma once

#include "rules/turn.hpp"

namespace lastcard {

// Before anything has happened.
inline Turn blank_turn() {
    Turn turn{};
    turn.seat = turn.player = turn.next_seat = turn.last_actor = turn.winner = NO_SEAT;
    turn.active_color = turn.last_color = NO_COLOR;
    turn.drawn = NO_CARD;
    turn.direction = 1;
    return turn;
}

// A described turn with this card on top.
inline Turn put_on_top(Turn turn, u8 top) {
    turn.top = top;
    const int color = turn.active_color == NO_COLOR ? RED : turn.active_color;
    turn.top_play = static_cast<u8>(is_colored(top) ? top : (is_four(top) ? FIRST_FOUR : FIRST_WILD) + color);
    return turn;
}

}  // namespace lastcard
