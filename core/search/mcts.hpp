// `mcts`: Monte Carlo tree search over belief particles, several players.
//
// UCB1 on trees (L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006) in the form in which its source
// document describes it: the tree holds the observer's own actions only, each playout starts from one belief particle,
// the others are played by a model between two of our decisions, and the reward is discounted on its way up. Where that
// formulation only sketches the game, an option says whether to follow the sketch or the rules.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

#define LASTCARD_MCTS_OPTIONS(OPTION)                                                                            \
    OPTION(TreeSettings, tree, (TreeSettings{.simulations = 2'000, .exploration = 0.5}), NO_HELP)                \
    OPTION(u32, max_depth, 0, "Plies after which a playout is cut off; 0: never.", 0, 10'000)                    \
    OPTION(double, discount, 1.0,                                                                                \
           "The factor gamma by which a reward shrinks with each level of the tree on its way up.", 0.0, 1.0)    \
    OPTION(double, opponent_plays, 0.8,                                                                          \
           "Probability that an opponent plays if it can, in random playouts; otherwise it draws.", 0.0, 1.0)    \
    OPTION(bool, draws_from_pile, true,                                                                          \
           "Drawn cards come from the particle's own draw pile; if false, each has any color and any type.")     \
    OPTION(bool, draws_penalties, true,                                                                          \
           "Draw Twos and Wild Draw Fours make the next seat draw; if false, nobody draws for them.")            \
    OPTION(bool, follows_turns, true,                                                                            \
           "Skips and Reverses have their effect; if false, the next seat follows every card.")                  \
    OPTION(bool, searches_color, true, "A Wild is searched once for each color; if false, its color is random.") \
    OPTION(bool, values_unfinished, true,                                                                        \
           "A playout that is cut off is valued by the hand sizes; if false, it counts as lost.")
LASTCARD_OPTIONS(MctsSettings, LASTCARD_MCTS_OPTIONS)

TreeResult search_by_mcts(const Observation& seen, const MctsSettings& settings, u64 seed, Trace* trace = nullptr);

}  // namespace lastcard
