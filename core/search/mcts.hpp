// `mcts`: Monte Carlo tree search over belief particles, several players.
//
// UCB1 on trees (L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006) in the form in which its source document
// describes it: the tree holds the observer's own actions only, each playout starts from one belief particle, the others are
// played by a model between two of our decisions, and the reward is discounted on its way up. Where that formulation only
// sketches the game, an option says whether to follow the sketch or the rules.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

struct MctsSettings {
    TreeSettings tree;
    double discount = 1.0;          // gamma, a level of the tree
    u32 max_depth = 0;              // plies of a playout; 0: to the end
    double opponent_plays = 0.8;    // how often an opponent that can play does, in random playouts
    bool draws_from_pile = true;    // without: a drawn card has any color and type
    bool draws_penalties = true;    // without: nobody draws for a Draw Two
    bool follows_turns = true;      // without: the turn goes around, whatever was played
    bool searches_color = true;     // without: a Wild is one action, and its color is left to chance
    bool values_unfinished = true;  // without: a playout that is cut off counts as lost
};

TreeResult search_by_mcts(const Observation& seen, const MctsSettings& settings, u64 seed, Trace* trace = nullptr);

}  // namespace lastcard
