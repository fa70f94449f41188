// What a seat is sent about its game, as JSON values: its observation, and what is not in it.
#pragma once

#include "game/json.hpp"
#include "round/observation.hpp"

namespace lastcard {

// The view of an observer, who may be a spectator. `table` has what observations do not: everything about the game and
// its seats, `earlier` events of rounds before this one, and the event `since` which the log starts.
Json describe_view(const Observation& seen, const Json& table);

// The observation of a view, with the log of the whole round so far.
Observation read_view(const Json& view, const Json& log);

// The table as the observer saw it after that many actions; that many events were told in earlier frames.
Json describe_frame(const Observation& seen, int ply, std::size_t heard);

// The same with all cards face up.
Json describe_true_frame(const Round& round, int ply, std::size_t heard);

}  // namespace lastcard
