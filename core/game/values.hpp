// Cards, colors, seats and actions as JSON values.
#pragma once

#include <vector>

#include "game/json.hpp"
#include "round/faces.hpp"
#include "rules/actions.hpp"
#include "rules/turn.hpp"

namespace lastcard {

Json name_action(int action);
Json name_actions(const ActionSet& actions);

// Of cards by id; null for NO_CARD.
Json name_card(int card);
Json name_cards(const std::vector<u8>& cards);
Json name_faces(const std::vector<u8>& faces);
Json name_hand(const Hand& hand);

Json name_color(int color);
Json name_seat(int seat);

// Of seats as bits.
Json name_seats(unsigned seats);

Json first_seats(const BySeat<int>& values, int players);

// Null while the round is played.
Json describe_outcome(const Turn& turn, const BySeat<int>& points, int players);

// Fails unless it is an action as text.
int read_action(const Json& described);

}  // namespace lastcard
