// One round or game after another, from decision to decision: an environment to learn in, as a plain value that one
// thread can step.
//
// Actions come in and go out by their index (encoding.hpp). Whatever needs no decision happens inside
// `step_environment`: forced actions, the turns of opponents that follow a policy, and the next deal.
#pragma once

#include "rules/encoding.hpp"
#include "rules/game.hpp"
#include "rules/policy.hpp"

namespace lastcard {

constexpr int NUM_ENVIRONMENT_POLICIES = 2;  // `random` and `heuristic`
constexpr u8 NO_POLICY = 255;
constexpr int MAX_UNDECIDED_ROUNDS = 1'000;

// Who decides for the seats: `who[0]` for the learner's own, `who[k]` for the k-th seat after it.
struct EnvironmentSettings {
    Policy policies[NUM_ENVIRONMENT_POLICIES];
    u8 who[MAX_SEATS];       // a policy, or NO_POLICY for the caller of `step`
    bool splits_unfinished;  // nobody wins a round that reaches `max_plies`, as in matches that count it half
    bool plays_games;        // to the target score, instead of single rounds
};

template <int SEATS, class Pile = SetPile>
struct Environment {
    State<Pile, SEATS> state;
    Trail<SEATS> trail;
    ActionSet legal;
    Memory memory;
    Rng rng;        // for policies and the first scores of games; cards have a stream of their own
    u64 signature;  // changes when the course of any round does
    u64 plies;      // of rounds that are over
    u32 rounds;     // that are over
    u32 wins;       // of them, by the learner
    u8 learner;     // its seat, another one in every round or game
    Game<SEATS> game;
};

// What became of one step.
struct StepResult {
    u8 is_done;     // the round or game in which the action was taken is over
    u8 winner;      // of it; NO_SEAT without one
    Ending ending;  // of its last round; NONE while it goes on
};

// Called when a round or game has ended, before the next is dealt over it.
struct NoLastLook {
    LASTCARD_FN void operator()() const {}
};

// Keeps the trail and the memory of `heuristic` while an action takes effect.
template <bool HAS_TRAIL, class E>
struct EnvironmentListener {
    E& env;
    int players;

    LASTCARD_FN void dealt(int, int, const Hand&) {}
    LASTCARD_FN void got(int seat, int) {
        env.memory.lacks[seat] = 0;
        if constexpr (HAS_TRAIL) note_got(env.trail, seat, 1);
    }
    LASTCARD_FN void drew(int) {}
    LASTCARD_FN void reshuffled(int, const auto&) {
        if constexpr (HAS_TRAIL) {
            for (int seat = 0; seat < players; ++seat) learn_all_hands(env.trail, seat, env.state.hands[seat]);
            note_reshuffle(env.trail);
        }
    }
    LASTCARD_FN void event(EventKind kind, int seat, int other, int) {
        if constexpr (HAS_TRAIL) {
            const Hand* hands = env.state.hands;  // after the exchange
            if (kind == EventKind::SWAPPED) {
                note_swap(env.trail, seat, other);
                learn_exchange(env.trail, seat, hands[other], hands[seat]);
                learn_exchange(env.trail, other, hands[seat], hands[other]);
            }
            if (kind == EventKind::HANDS_PASSED) {
                const int direction = env.state.turn.direction;
                note_hands_passed(env.trail, players, direction);
                for (int from = 0; from < players; ++from)
                    learn_exchange(env.trail, from, hands[(from + direction + players) % players], hands[from]);
            }
        }
    }
    LASTCARD_FN void challenged(int seat, int, bool, const Hand& shown) {
        if constexpr (HAS_TRAIL) learn_hand(env.trail, seat, shown);
    }
    LASTCARD_FN void received(int seat, const Hand&) { env.memory.lacks[seat] = 0; }
};

template <bool HAS_TRAIL, class R, class E>
LASTCARD_FN void apply_in_environment(E& env, const R& rules, int action) {
    const int seat = env.state.turn.seat;
    const int color = env.state.turn.active_color;
    const u8 known = env.memory.lacks[seat];
    EnvironmentListener<HAS_TRAIL, E> listener{env, rules.players};
    if (is_play(action)) remember_play(env.memory, seat, action);
    if constexpr (HAS_TRAIL) {
        if (is_play(action)) note_play(env.trail, seat, action);
        else if (action == DRAW) note_draw(env.trail, seat, color);
        else note_other(env.trail, seat, action);
    }
    apply(env.state, rules, listener, action);
    if (action == DRAW) {
        env.memory.lacks[seat] = known;
        remember_draw(env.memory, seat, color);
    }
}

// After a deal. A Draw Two that was turned up has already cost a seat cards before the trail begins.
template <class R, class E>
LASTCARD_FN void start_trail(E& env, const R& rules) {
    start_trail(env.trail, rules, env.state.turn.top);
    for (int seat = 0; seat < rules.players; ++seat)
        env.trail.hands[seat].got = static_cast<u16>(num_cards(env.state.hands[seat]) - rules.hand_size);
}

// Half of the games begin at 0 for all, the others at random scores below the target: a game from 0 seldom comes to
// 480 against 20, and what to do there has to be learned as well.
template <class R, class E>
LASTCARD_FN void start_game(E& env, const R& rules) {
    env.game = {};
    if (next_random(env.rng) >> 63 != 0) return;
    for (int seat = 0; seat < rules.players; ++seat)
        env.game.scores[seat] = scale_low(next_random(env.rng), rules.target_score);
}

// Deals the next round; after a game, or a single round, the learner moves on by one seat.
template <bool HAS_TRAIL, class R, class E>
LASTCARD_FN void start_round(E& env, const R& rules) {
    NoEvents nobody;
    if (env.game.rounds == 0) env.learner = static_cast<u8>(env.learner + 1 < rules.players ? env.learner + 1 : 0);
    start_pile(env.state.pile, rules);
    deal(env.state, rules, nobody, next_dealer(env.game, rules));
    forget_all(env.memory);
    if constexpr (HAS_TRAIL) start_trail(env, rules);
}

template <class R, class E>
LASTCARD_FN void count_round(E& env, const R& rules) {
    const Turn& turn = env.state.turn;
    env.signature = multiply_mix(env.signature ^ digest_round(env.state, rules), 0x9E3779B97F4A7C15ull + turn.top);
    env.plies += turn.ply;
    env.rounds += 1;
    env.wins += turn.winner == env.learner ? 1 : 0;
}

// What the end of a round means for a step: it is done, unless the round belongs to a game that goes on.
template <class R, class E>
LASTCARD_FN StepResult close_round(E& env, const R& rules, const EnvironmentSettings& settings) {
    const Turn& turn = env.state.turn;
    const bool is_split = settings.splits_unfinished && turn.ending == Ending::MAX_PLIES;
    if (!settings.plays_games) return {1, is_split ? NO_SEAT : turn.winner, turn.ending};
    const GameEnd end = add_round(env.game, env.state, rules, !is_split);
    return end.is_over ? StepResult{1, end.winner, turn.ending} : StepResult{0, NO_SEAT, Ending::NONE};
}

// What the seat to act sees.
template <class R, class E>
LASTCARD_FN Sight sight_in(const E& env, const R& rules) {
    Sight sight = sight_of(env.state, rules, env.legal);
    for (int seat = 0; seat < rules.players; ++seat) sight.scores[seat] = cut_score(env.game.scores[seat]);
    return sight;
}

// Who decides for the seat to act.
template <class R, class E>
LASTCARD_FN int decider(const E& env, const R& rules, const EnvironmentSettings& settings) {
    const int after = env.state.turn.seat - env.learner;
    return settings.who[after < 0 ? after + rules.players : after];
}

template <class R, class E>
LASTCARD_FN int choose_in_environment(const E& env, const R& rules, const Policy& policy, Rng& rng) {
    if (policy.is_random) return random_action(env.legal, rng);
    u8 sizes[MAX_SEATS];
    return choose_by_weights(view_of(env.state, rules, env.memory, sizes), env.legal, policy.weights);
}

// Plays until the caller has to decide, with `action` first unless the environment is new.
template <bool HAS_TRAIL, class R, class E, class LastLook = NoLastLook>
LASTCARD_FN StepResult play_on(E& env, const R& rules, const EnvironmentSettings& settings, int action, bool is_new,
                               LastLook last_look = {}) {
    StepResult result{0, NO_SEAT, Ending::NONE};
    int rounds = 0;
    while (true) {
        if (!is_new) apply_in_environment<HAS_TRAIL>(env, rules, action);
        if (is_new || env.state.turn.phase == Phase::OVER) {
            if (!is_new) {
                count_round(env, rules);
                const StepResult end = close_round(env, rules, settings);
                if (end.is_done && !result.is_done) {
                    result = end;
                    last_look();
                }
                is_new = end.is_done;
                rounds += 1;
            }
            if (is_new && settings.plays_games) start_game(env, rules);
            start_round<HAS_TRAIL>(env, rules);
            is_new = false;
        }
        env.legal = legal_actions(env.state, rules);
        const int who = decider(env, rules, settings);
        const bool is_forced = num_actions(env.legal) == 1;
        // Rules under which nobody ever has a choice must not keep us here for good.
        if (who == NO_POLICY && (!is_forced || rounds >= MAX_UNDECIDED_ROUNDS)) return result;
        action =
            is_forced ? nth_action(env.legal, 0) : choose_in_environment(env, rules, settings.policies[who], env.rng);
    }
}

// Environment `index` of those that the seed fixes, before its first deal.
template <class R, class E>
LASTCARD_FN void seed_environment(E& env, const R& rules, u64 seed, u64 index) {
    env = {};
    env.state.pile.rng = split_rng(seed, 2 * index);
    env.rng = split_rng(seed, 2 * index + 1);
    env.learner = static_cast<u8>((index + static_cast<u64>(rules.players) - 1) % static_cast<u64>(rules.players));
}

// The same at its first decision.
template <bool HAS_TRAIL, class R, class E>
LASTCARD_FN void open_environment(E& env, const R& rules, const EnvironmentSettings& settings, u64 seed, u64 index) {
    seed_environment(env, rules, seed, index);
    play_on<HAS_TRAIL>(env, rules, settings, 0, true);
}

// Takes the legal action of that index for the seat to act.
template <bool HAS_TRAIL, class R, class E, class LastLook = NoLastLook>
LASTCARD_FN StepResult step_environment(E& env, const R& rules, const EnvironmentSettings& settings, int index,
                                        LastLook last_look = {}) {
    const Turn& turn = env.state.turn;
    return play_on<HAS_TRAIL>(env, rules, settings, action_of_index(rules, turn, turn.seat, index), false, last_look);
}

// Whether that is the index of a legal action.
template <class R, class E>
LASTCARD_FN bool is_legal_index(const E& env, const R& rules, long long index) {
    if (index < 0 || index >= NUM_ACTIONS) return false;
    const Turn& turn = env.state.turn;
    return contains(env.legal, action_of_index(rules, turn, turn.seat, static_cast<int>(index)));
}

// What every seat takes from a round or game: 1 for the winner, evenly divided losses for the others.
LASTCARD_FN float reward_of(const StepResult& result, int seat, int players) {
    if (!result.is_done || result.winner == NO_SEAT) return 0.0f;
    return seat == result.winner ? 1.0f : -1.0f / static_cast<float>(players - 1);
}

}  // namespace lastcard
