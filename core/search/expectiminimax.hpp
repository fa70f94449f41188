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

#define LASTCARD_EXPECTIMINIMAX_OPTIONS(OPTION)                                                                     \
    OPTION(BeliefSettings, belief, {})                                                                              \
    OPTION(bool, published_belief, false)           /* instead of that belief */                                    \
    OPTION(int, determinizations, 256, 1, 1e6)      /* N */                                                         \
    OPTION(int, depth, 4, 0, 32)                    /* d, counted after the root action */                          \
    OPTION(int, draw_samples, 5, 1, 108)            /* m, cards tried for a draw */                                 \
    OPTION(int, playouts, 1, 0, 1000)               /* at a leaf; without: the difference of hand sizes */          \
    OPTION(int, group, 256, 1, 4096)                /* searched together (information_tree.hpp) */                  \
    OPTION(int, fewest, 24, 1, 65'536)              /* fewer of them that look alike are leaves */                  \
    OPTION(int, nodes, 100'000, 1, 1e7)             /* of one action in one determinization; then all are leaves */ \
    OPTION(double, seconds, 0.0, 0.0, MOST_SECONDS) /* if positive, determinizations go on until then */            \
    OPTION(int, threads, 1, 1, MOST_SEARCH_THREADS)                                                                 \
    OPTION(double, bonus, 0.02, 0.0, 1.0)           /* for the heuristic's choice, as a win probability */          \
    OPTION(bool, common_random_numbers, true)       /* all root actions meet the same determinizations */           \
    OPTION(bool, keeps_turn, true)                  /* without: the other seat is next whatever was played */       \
    OPTION(Opponents, opponents, Opponents::POLICY) /* do what is worst for us, or what the heuristic would */      \
    OPTION(Several, several, Several::PARANOID)     /* all work against us, or each looks for its own best */       \
    OPTION(bool, model_random_opponents, true)      /* opponents believed to be random play so */
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
