// The calls about tables, records and studies.
#pragma once

#include "game/json.hpp"
#include "wasm/agents.hpp"

namespace lastcard {

// Answers if the request is one of these calls; nothing otherwise.
std::optional<Json> answer_about_tables(const Json& request, const Networks& networks);

}  // namespace lastcard
