// `expectiminimax`: depth-limited search of determinizations, max on our turn, min on the others', mean over draws.
//
// D. Michie, "Game-playing and game-learning automata" (1966), for the value V(s, d, p); the mean over determinizations
// at the root is that of M. Ginsberg, "GIB: imperfect information in a computationally challenging game" (2001). The
// symbols are those of docs/explanation/expectiminimax.md, which derives all of it and says what each departure from
// the published form is worth.
#pragma once

#include <vector>

#include "search/belief.hpp"
#include "search/trace.hpp"

namespace lastcard {

enum class Opponents : u8 { MINIMISE, POLICY };
constexpr std::array<const char*, 2> words_of(Opponents) { return {"minimise", "policy"}; }

enum class Several : u8 { PARANOID, MAX_N };
constexpr std::array<const char*, 2> words_of(Several) { return {"paranoid", "max_n"}; }

// The published one, or one of BeliefKind.
enum class SampledBelief : u8 { PUBLISHED, UNIFORM, CONSTRAINED, PARTICLE };
constexpr std::array<const char*, 4> words_of(SampledBelief) {
    return {"published", "uniform", "constrained", "particle"};
}

#define LASTCARD_EXPECTIMINIMAX_OPTIONS(OPTION)                                                                        \
    OPTION(int, determinizations, 256, "N: number of determinizations in which every root action is searched.", 1,     \
           1e6)                                                                                                        \
    OPTION(int, depth, 4, "d: number of actions to look ahead after the root action.", 0, 32)                          \
    OPTION(int, draw_samples, 5, "m: number of cards of the pile that are tried for a draw inside the tree.", 1, 108)  \
    OPTION(int, playouts, 1,                                                                                           \
           "Rounds that `heuristic` plays out from a leaf; 0: a leaf is worth the difference of hand sizes.", 0, 1000) \
    OPTION(double, seconds, 0.0, "Time for a decision, if more than 0, instead of a number of determinizations.", 0.0, \
           MOST_SECONDS)                                                                                               \
    OPTION(int, threads, 1, "Number of threads; does not affect the choice.", 1, MOST_SEARCH_THREADS)                  \
    OPTION(int, group, 256,                                                                                            \
           "Determinizations searched together, with the same later actions of ours in all that look alike to us; 1 "  \
           "searches each by itself, as if we came to see the hidden cards.",                                          \
           1, 4096)                                                                                                    \
    OPTION(int, fewest, 24,                                                                                            \
           "Fewest determinizations of a group that look alike and are still searched; fewer are a leaf.", 1, 65'536)  \
    OPTION(int, nodes, 100'000,                                                                                        \
           "Maximum number of positions for one action in one determinization; all beyond are leaves.", 1, 1e7)        \
    OPTION(SampledBelief, belief, SampledBelief::PARTICLE,                                                             \
           "Kind of belief about hidden cards: `published`, `uniform`, `constrained` or `particle`.")                  \
    OPTION(bool, common_random_numbers, true, "All root actions face the same determinizations.")                      \
    OPTION(bool, keeps_turn, true,                                                                                     \
           "Keeps the turn after a Skip against one opponent; if false, the other seat follows every play and draw.")  \
    OPTION(                                                                                                            \
        Opponents, opponents, Opponents::POLICY,                                                                       \
        "Opponents `minimise` our value, seeing all, or follow the `policy` of `heuristic`, seeing their own cards.")  \
    OPTION(Several, several, Several::PARANOID,                                                                        \
           "Aim of the others with more than two seats: minimise our value (`paranoid`) or maximize their own "        \
           "(`max_n`).")                                                                                               \
    OPTION(bool, model_random_opponents, true,                                                                         \
           "Opponents that seem to play at random do so in the tree and in playouts.")                                 \
    OPTION(                                                                                                            \
        double, bonus, 0.02,                                                                                           \
        "Added to the win probability of what `heuristic` alone would choose; shrinks beyond 250 determinizations.",   \
        0.0, 1.0)                                                                                                      \
    OPTION(Weights, weights, {}, "A file of weights for playouts and opponents; empty: the shipped ones.")
LASTCARD_OPTIONS(ExpectiminimaxSettings, LASTCARD_EXPECTIMINIMAX_OPTIONS)

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
