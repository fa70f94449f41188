// The one way from rules at run time to rules at compile time.
#pragma once

#include <type_traits>

#include "rules/state.hpp"

namespace lastcard {

// How many hands a state makes room for.
template <int SEATS>
using Seats = std::integral_constant<int, SEATS>;

// A build for a quick check can compile the official games of fewer players, which takes less time.
#ifndef LASTCARD_COMPILED_PLAYERS
#define LASTCARD_COMPILED_PLAYERS 4
#endif

// Calls `use(rules, seats)`. The official games of so many players are compiled for themselves; everything else reads
// its switches at run time.
template <int PLAYERS, int... MORE, class Use>
auto with_official_rules_of(const Rules& rules, const Use& use) {
    if constexpr (PLAYERS <= LASTCARD_COMPILED_PLAYERS) {
        static constexpr OfficialRules<PLAYERS> official{};
        if (rules == official.ALL) return use(official, Seats<PLAYERS>{});
    }
    if constexpr (sizeof...(MORE) > 0) return with_official_rules_of<MORE...>(rules, use);
    else return use(rules, Seats<MAX_SEATS>{});
}

// The games that are searched, trained on and played most.
template <class Use>
auto with_compiled_rules(const Rules& rules, const Use& use) {
    return with_official_rules_of<2, 4>(rules, use);
}

}  // namespace lastcard
