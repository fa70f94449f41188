// `ismcts`: information-set Monte Carlo tree search with a single observer (SO-ISMCTS).
//
// P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search" (2012). One tree of what the
// observer can tell apart; every simulation descends it with a determinization of its own. An action competes only
// where it is legal, so UCB counts how often it could have been chosen (its availability) and not how often its node
// was visited.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

#define LASTCARD_ISMCTS_OPTIONS(OPTION)                                                                        \
    OPTION(TreeSettings, tree, (TreeSettings{.exploration = 0.6}), NO_HELP)                                    \
    OPTION(u32, patience, 10,                                                                                  \
           "Visits before a node is expanded. 1 is textbook ISMCTS; a very large value disables the tree.", 1, \
           0x7FFFFFFF)                                                                                         \
    OPTION(bool, heuristic_first, true,                                                                        \
           "Tries the choice of `heuristic` first among untried actions; if false, any of them.")
LASTCARD_OPTIONS(IsmctsSettings, LASTCARD_ISMCTS_OPTIONS)

TreeResult search_by_ismcts(const Observation& seen, const IsmctsSettings& settings, u64 seed, Trace* trace = nullptr);

}  // namespace lastcard
