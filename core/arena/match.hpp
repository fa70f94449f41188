// Matches between agents of the core, on mirrored deals: every shuffled deck is played once from every seat.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "arena/ceiling.hpp"
#include "game/record.hpp"
#include "search/expectiminimax.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/network.hpp"
#include "search/pomcp.hpp"

namespace lastcard {

// Takes the first action of the list; it has nothing to set.
struct FirstLegal {};

struct Contestant {
    enum class Kind : u8 { POLICY, NETWORK, SEARCH, CEILING };
    Kind kind = Kind::POLICY;
    Policy policy{};
    std::shared_ptr<const Network> network{};
    bool by_observation = false;  // the network judges one at a time, as agents do, not in batches
    std::variant<FirstLegal, HalvingSettings, ExpectiminimaxSettings, IsmctsSettings, MctsSettings, PomcpSettings>
        search;
    Ceiling ceiling = Ceiling::SEES_HANDS;  // how the arena's ceilings look at the truth; they search as `halving` does
};

// What a seat keeps from decision to decision of a round.
struct Mind {
    Rng rng;
    std::optional<Pomcp> pomcp;

    int choose(const Contestant& contestant, const Observation& seen);
};

// Who won each round or game, by place in the seating (NO_SEAT for nobody), and what it scored; `players` of them for
// each deal, the seating moved on by one seat from one to the next.
struct MatchResult {
    std::vector<u8> winners;
    std::vector<u16> points;
    std::vector<u8> unfinished;  // 1 for a round that reached `max_plies`, or a game that reached MAX_GAME_ROUNDS
    u64 plies = 0;
    std::vector<PlayedRound> records;  // of every round, if they are kept
};

enum class MatchLength : u8 {
    ROUND,
    GAME,        // to the target score
    SPLIT_GAME,  // the same, but nobody scores in a round that reaches `max_plies`
};

Key deal_key(u64 seed, u64 deal);

// A round of the match that the seed fixes, as it is dealt to all agents: the only one or, of a game, by its number,
// counted from 1.
PlayedRound deal_match_round(const Rules& rules, u64 seed, u64 deal, int number, const std::vector<i64>& scores);

// Deals `first` up to `first + num_deals` of the match that the seed fixes; the same on any number of threads. Only of
// single rounds are records kept.
MatchResult play_match(const Rules& rules, const std::vector<Contestant>& contestants, const std::vector<int>& seating,
                       u64 first, u64 num_deals, u64 seed, int threads, MatchLength length = MatchLength::ROUND,
                       bool keeps_records = false);

}  // namespace lastcard
