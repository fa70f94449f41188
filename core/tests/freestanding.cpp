// Compiles the whole of core/rules without any standard library, as a GPU compiler has to. Nothing here is ever run.
//
// `make freestanding` compiles it twice, with and without the BMI2 instructions that `nth_bit` uses where it can.
#include "rules/actions.hpp"
#include "rules/cards.hpp"
#include "rules/encoding.hpp"
#include "rules/environment.hpp"
#include "rules/events.hpp"
#include "rules/game.hpp"
#include "rules/layout.hpp"
#include "rules/piles.hpp"
#include "rules/platform.hpp"
#include "rules/playout.hpp"
#include "rules/policy.hpp"
#include "rules/rng.hpp"
#include "rules/rules.hpp"
#include "rules/state.hpp"
#include "rules/trail.hpp"

namespace lastcard {

// The kinds of call that a search makes on a hypothetical state.
template <int SEATS, class R>
int use_set_pile(const R& rules) {
    State<SetPile, SEATS> state{};
    NoEvents nobody;
    int points[MAX_SEATS] = {};
    state.pile.rng = split_rng(1, 2);
    start_pile(state.pile, rules);
    deal(state, rules, nobody, rules.players - 1);
    apply(state, rules, nobody, nth_action(legal_actions(state, rules), 0));
    play_random_ply(state, rules, state.pile.rng);
    play_random_round(state, rules, 1, 2);
    Memory memory;
    forget_all(memory);
    const Policy policy{};
    const Policy* policies[MAX_SEATS] = {};
    for (int seat = 0; seat < rules.players; ++seat) policies[seat] = &policy;
    const int first = choose_by_policy(state, rules, memory, policy, state.pile.rng);
    play_by_policies(state, rules, memory, first, policies, state.pile.rng, 100);
    score_round(state, rules, points);
    const Position start{};
    u64 row[2 * MAX_SEATS + 2] = {};
    play_out_range(state, rules, &start, 1, 1, 0, 1, row, [](u64& place, u64 value) { place += value; });
    return points[0] + static_cast<int>(row[0]);
}

// And on the truth.
template <int SEATS, class R>
int use_ordered_pile(const R& rules) {
    State<OrderedPile, SEATS> state{};
    NoEvents nobody;
    int points[MAX_SEATS] = {};
    Rng rng = split_rng(1, 2);
    for (int i = 0; i < rules.deck_size; ++i) state.pile.cards[i] = rules.deck[i];
    state.pile.size = rules.deck_size;
    shuffle(state.pile.cards, state.pile.size, state.pile.key, Stream::DEAL, 0);
    deal(state, rules, nobody, rules.players - 1);
    apply(state, rules, nobody, nth_action(legal_actions(state, rules), 0));
    play_random_ply(state, rules, rng);
    play_randomly(state, rules, rng);
    score_round(state, rules, points);
    return points[0];
}

// And on an environment.
template <int SEATS, class R>
int use_environment(const R& rules) {
    Environment<SEATS> env;
    const EnvironmentSettings settings{};
    u8 row[ENCODING_SIZE];
    u8 mask[NUM_ACTIONS];
    open_environment<true>(env, rules, settings, 1, 2);
    const int action =
        is_legal_index(env, rules, 0) ? 0 : choose_in_environment(env, rules, settings.policies[0], env.rng);
    const StepResult result = step_environment<true>(env, rules, settings, action);
    const Sight sight = sight_in(env, rules);
    encode(sight, rules, env.trail, row);
    write_hidden(env.state, rules, row);
    write_mask(sight, rules, mask);
    return row[0] + mask[0] + static_cast<int>(reward_of(result, 0, rules.players));
}

int use_everything(const Rules& rules) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    int sum = rules == two.ALL || rules == four.ALL ? 1 : 0;
    sum += use_set_pile<2>(two) + use_set_pile<4>(four) + use_set_pile<MAX_SEATS>(rules);
    sum += use_ordered_pile<2>(two) + use_ordered_pile<4>(four) + use_ordered_pile<MAX_SEATS>(rules);
    sum += use_environment<2>(two) + use_environment<4>(four) + use_environment<MAX_SEATS>(rules);
    return sum;
}

}  // namespace lastcard
