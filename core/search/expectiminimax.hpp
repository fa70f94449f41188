// `expectiminimax`: depth-limited search of determinizations, max on our turn, min on the others', mean over draws.
//
// D. Michie, "Game-playing and game-learning automata" (1966), for the value V(s, d, p); the mean over determinizations at the root
// is that of M. Ginsberg, "GIB: imperfect information in a computationally challenging game" (2001). The symbols are those of
// docs/explanation/expectiminimax.md, which derives all of it and says what each departure from the published form is worth.
#pragma once

#include <vector>

#include "search/belief.hpp"
#include "search/trace.hpp"

namespace lastcard {

struct ExpectiminimaxSettings {
    int determinizations = 50;  // N
    int depth = 3;              // d, counted after the root action
    int draws = 5;              // m, cards tried for a draw
    int playouts = 0;           // at a leaf; without: the difference of hand sizes
    int group = 1;              // determinizations searched together (information_tree.hpp)
    int fewest = 24;            // fewer of them that look alike are leaves
    int nodes = 1'000'000;      // of one action in one determinization; beyond it everything is a leaf
    double seconds = 0.0;       // if positive, determinizations go on until then
    int threads = 1;
    double bonus = 0.0;  // for the heuristic's choice, as a win probability
    bool published_belief = false;
    bool shares = true;          // all root actions meet the same determinizations
    bool keeps_turn = true;      // without: the other seat is next whatever was played
    bool follows_policy = true;  // opponents do what the heuristic would; without: what is worst for us
    bool max_n = false;          // of several seats each looks for its own best; without: all work against us
    bool adapts = true;          // opponents believed to be random play so
    BeliefSettings belief;
};

struct ActionMean {
    int action = 0;
    u64 determinizations = 0;
    double sum = 0.0;      // of win probabilities
    double squares = 0.0;  // of those
    double rank = 0.0;     // the mean, with the bonus for the heuristic's choice
};

struct ExpectiminimaxResult {
    int best = 0;
    int by_policy = 0;
    std::vector<ActionMean> actions;
    std::vector<int> line;  // the best action, and what follows in most determinizations
    Belief belief;
    u64 determinizations = 0;  // of all actions together
    u64 nodes = 0;
};

// Determinizations from the belief, the mean of their values, the best action.
ExpectiminimaxResult search_by_expectiminimax(const Observation& seen, const ExpectiminimaxSettings& settings, u64 seed,
                                              bool wants_line, DeterminizationTrace* trace = nullptr);

}  // namespace lastcard
