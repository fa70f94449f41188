// `mcts`: Monte Carlo tree search over belief particles, several players.
//
// UCB1 on trees (L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006) in the form in which its source
// document describes it: the tree holds the observer's own actions only, each playout starts from one belief particle,
// the others are played by a model between two of our decisions, and the reward is discounted on its way up. Where that
// formulation only sketches the game, an option says whether to follow the sketch or the rules.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

#define LASTCARD_MCTS_OPTIONS(OPTION)                                                                      \
    OPTION(TreeSettings, tree, {})                                                                         \
    OPTION(double, discount, 1.0, 0.0, 1.0)       /* gamma, a level of the tree */                         \
    OPTION(u32, max_depth, 0, 0, 10'000)          /* plies of a playout; 0: to the end */                  \
    OPTION(double, opponent_plays, 0.8, 0.0, 1.0) /* how often an opponent that can play does */           \
    OPTION(bool, draws_from_pile, true)           /* without: a drawn card has any color and type */       \
    OPTION(bool, draws_penalties, true)           /* without: nobody draws for a Draw Two */               \
    OPTION(bool, follows_turns, true)             /* without: the turn goes around, whatever was played */ \
    OPTION(bool, searches_color, true)            /* without: a Wild's color is left to chance */          \
    OPTION(bool, values_unfinished, true)         /* without: a playout that is cut off counts as lost */
LASTCARD_OPTIONS(MctsSettings, LASTCARD_MCTS_OPTIONS)

TreeResult search_by_mcts(const Observation& seen, const MctsSettings& settings, u64 seed, Trace* trace = nullptr);

}  // namespace lastcard
