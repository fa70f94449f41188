// Study after the end: a round as a seat saw it, ply by ply, and what each decision was worth.
#pragma once

#include "game/record.hpp"
#include "wasm/agents.hpp"

namespace lastcard {

// Rules, seats, rounds and scores; the winner is that of the game, or of its only round. `length` is "round" or "game".
Json describe_record(const GameRecord& record, const std::string& length);

// Each ply of a round as the seat saw it; SPECTATOR for the truth.
Json list_frames(const Rules& rules, const PlayedRound& played, int seat);

// The round up to that ply, as a record that a table can continue.
GameRecord branch_off(const GameRecord& record, const PlayedRound& played, int ply);

// The plies of a round at which a seat had a choice, from 1.
Json list_plies(const Rules& rules, const PlayedRound& played);

// What the judge makes of the decision at that ply, from the seat's observation alone.
Json judge_ply(const Rules& rules, const PlayedRound& played, int ply, const Key& seed, const Networks& networks);

// Judged decisions put together: curves of each round, each seat's sums, the costliest. `judged` has for each round its
// number under `round` and its decisions in order under `decisions`.
Json describe_sums(const GameRecord& record, const Json::List& judged);

// Win probability given away per decision, for each kind of decision, the costliest kind first.
Json describe_costs(const Json::List& decisions);

}  // namespace lastcard
