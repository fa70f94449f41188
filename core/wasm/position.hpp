// A round that starts in a position, as if it had been dealt so: hands, the top card and whose turn it is.
#pragma once

#include "game/json.hpp"
#include "round/round.hpp"

namespace lastcard {

// From `top`, a card with a color; `hands`, the cards of each seat that are known; `sizes`, how many each seat holds;
// and `seat`, whose turn it is. The seed fixes the cards that are not named, and the draw pile. Fails naming the field.
Round place_round(const Rules& rules, const Key& seed, const Json& request);

}  // namespace lastcard
