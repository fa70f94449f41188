// `ismcts`: information-set Monte Carlo tree search with a single observer (SO-ISMCTS).
//
// P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search" (2012). One tree of what the
// observer can tell apart; every simulation descends it with a determinization of its own. An action competes only
// where it is legal, so UCB counts how often it could have been chosen (its availability) and not how often its node
// was visited.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

#define LASTCARD_ISMCTS_OPTIONS(OPTION)                                                               \
    OPTION(TreeSettings, tree, {})                                                                    \
    OPTION(u32, patience, 10, 1, 0x7FFFFFFF) /* visits of a node before it tells its actions apart */ \
    OPTION(bool, heuristic_first, true)      /* tries what the heuristic would do before untried actions */
LASTCARD_OPTIONS(IsmctsSettings, LASTCARD_ISMCTS_OPTIONS)

TreeResult search_by_ismcts(const Observation& seen, const IsmctsSettings& settings, u64 seed, Trace* trace = nullptr);

}  // namespace lastcard
