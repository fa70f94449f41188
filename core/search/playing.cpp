#include "search/playing.hpp"

namespace lastcard {

template <class R, class S>
void play_on_by_policies(S& state, const R& rules, Memory& memory, int action, const Policy* const* policies, Rng& rng,
                         u32 limit) {
    play_by_policies(state, rules, memory, action, policies, rng, limit);
}

#define LASTCARD_COMPILE_FOR(RULES, SEATS)                                                                            \
    template void play_on_by_policies(State<SetPile, SEATS>&, const RULES&, Memory&, int, const Policy* const*, Rng&, \
                                      u32);                                                                           \
    template void play_on_by_policies(State<OrderedPile, SEATS>&, const RULES&, Memory&, int, const Policy* const*,   \
                                      Rng&, u32)

LASTCARD_COMPILE_FOR(OfficialRules<2>, 2);
LASTCARD_COMPILE_FOR(OfficialRules<4>, 4);
LASTCARD_COMPILE_FOR(Rules, MAX_SEATS);

}  // namespace lastcard
