// The calls that JavaScript makes.
#pragma once

#include "game/json.hpp"

namespace lastcard {

// Answers a request: an object with the name of the call under `call`, and its arguments. Fails naming what is wrong.
Json answer(const Json& request);

}  // namespace lastcard
