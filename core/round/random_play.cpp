#include "round/random_play.hpp"

#include "rules/playout.hpp"

namespace lastcard {

template <class R, class S>
void play_on_randomly(S& state, const R& rules, Rng& rng, u32 limit) {
    Rng own = rng;  // a copy is known not to be the pile's generator, and so stays in a register
    play_randomly(state, rules, own, limit);
    rng = own;
}

template <class R, class S>
void play_on_by_pile(S& state, const R& rules) {
    play_randomly(state, rules, state.pile.rng);
}

template void play_on_randomly(State<SetPile, 2>&, const OfficialRules<2>&, Rng&, u32);
template void play_on_randomly(State<SetPile, 4>&, const OfficialRules<4>&, Rng&, u32);
template void play_on_randomly(State<SetPile, MAX_SEATS>&, const Rules&, Rng&, u32);
template void play_on_randomly(State<OrderedPile, MAX_SEATS>&, const Rules&, Rng&, u32);

template void play_on_by_pile(State<SetPile, 2>&, const OfficialRules<2>&);
template void play_on_by_pile(State<SetPile, 3>&, const OfficialRules<3>&);
template void play_on_by_pile(State<SetPile, 4>&, const OfficialRules<4>&);
template void play_on_by_pile(State<SetPile, MAX_SEATS>&, const Rules&);

}  // namespace lastcard
