// Random rounds that are checked as they are played.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "round/batch.hpp"
#include "round/invariants.hpp"

namespace lastcard {

struct Check {
    u64 rounds = 0;
    u64 plies = 0;
    u64 failures = 0;
    u64 first_round = 0;        // index of the first round that failed
    std::string first_failure;  // what was wrong with it; empty when none failed
};

inline void fill_pile(SetPile& pile, const Rules& rules, Rng rng) {
    pile.rng = rng;
    start_pile(pile, rules);
}

inline void fill_pile(OrderedPile& pile, const Rules& rules, Rng rng) {
    pile = OrderedPile{};
    for (u32& word : pile.key.words) word = static_cast<u32>(next_random(rng));
    for (int i = 0; i < rules.deck_size; ++i) pile.cards[i] = rules.deck[i];
    pile.size = rules.deck_size;
    shuffle(pile.cards, pile.size, pile.key, Stream::DEAL, 0);
}

// A listener that only has to know when the discards go back into the draw pile.
struct ReshuffleListener {
    bool has_reshuffled = false;

    void dealt(int, int, const Hand&) {}
    void got(int, int) {}
    void drew(int) {}
    void reshuffled(int, const auto&) { has_reshuffled = true; }
    void event(EventKind, int, int, int) {}
    void challenged(int, int, bool, const Hand&) {}
    void received(int, const Hand&) {}
};

template <class S>
const char* check_all(Ledger& ledger, const S& state, const Rules& rules, const ActionSet& legal) {
    if (const char* fault = check_places(ledger, state, rules)) return fault;
    if (state.turn.phase == Phase::OVER) return check_end(state, rules);
    return check_turn(state.turn, rules, state.hands, legal);
}

// Applies an action and checks what comes of it; `legal` is what was legal, and then what is.
template <class S>
const char* apply_checked(Ledger& ledger, S& state, const Rules& rules, ActionSet& legal, int action) {
    const u32 ply = state.turn.ply;
    if (is_play(action) && !add_all(ledger.covered, Hand{bit_of(state.turn.top), 0})) return "a card was played thrice";
    ReshuffleListener listener;
    apply(state, rules, listener, action);
    if (listener.has_reshuffled) ledger.covered = Hand{0, 0};
    if (state.turn.ply != ply + (action == PASS ? 0 : 1)) return "a ply was not counted";  // Rule 5.4
    legal = legal_actions(state, rules);
    return check_all(ledger, state, rules, legal);
}

// Declines to play one time in ten, or always as readily as anything else.
inline int choose_action(const ActionSet& legal, Rng& rng, bool is_uniform) {
    const u64 random = next_random(rng);
    if (!is_uniform && contains(legal, DRAW) && scale_low(random, 10) == 0) return DRAW;
    const ActionSet choices{legal.plays, is_uniform ? legal.others : legal.others & ~other_bit(DRAW)};
    const int count = num_actions(choices);
    return count == 0 ? DRAW : nth_action(choices, scale_high(random, count));
}

// A random walk, checked at every ply, then repeated from the same deal without checks.
template <class Pile>
const char* check_walk(Check& check, const Rules& given, std::vector<u8>& actions, u64 seed, u64 index) {
    Rng rng = split_rng(~seed, index);
    Rules rules = given;
    const bool is_uniform = scale_high(next_random(rng), 50) == 0;
    if (is_uniform) rules.max_plies = std::min(rules.max_plies, 400u);  // they would go on for a thousand
    State<Pile, MAX_SEATS> state{}, again{};
    fill_pile(state.pile, rules, split_rng(seed, index));
    again.pile = state.pile;
    const int dealer = scale_low(next_random(rng), rules.players);
    NoEvents nobody;
    deal(state, rules, nobody, dealer);
    actions.clear();
    Ledger ledger = open_ledger(rules);
    ActionSet legal = legal_actions(state, rules);
    const char* fault = check_all(ledger, state, rules, legal);
    while (fault == nullptr && state.turn.phase != Phase::OVER) {
        const int action = choose_action(legal, rng, is_uniform);
        actions.push_back(static_cast<u8>(action));
        fault = apply_checked(ledger, state, rules, legal, action);
    }
    check.plies += actions.size();
    if (fault != nullptr) return fault;
    deal(again, rules, nobody, dealer);
    for (const u8 action : actions) apply(again, rules, nobody, action);
    return is_same_state(state, again, rules) ? nullptr : "a repeated round ended differently";
}

// `play_randomly` takes whole turns at once; it must not differ from single plies.
template <class Pile>
const char* check_playout(Check& check, const Rules& rules, u64 seed, u64 index) {
    State<Pile, MAX_SEATS> state{}, fast{};
    fill_pile(state.pile, rules, split_rng(seed, index));
    fast.pile = state.pile;
    NoEvents nobody;
    deal(state, rules, nobody, rules.players - 1);
    deal(fast, rules, nobody, rules.players - 1);
    Rng rng = split_rng(~seed, index);
    Rng fast_rng = rng;
    Ledger ledger = open_ledger(rules);
    ActionSet legal = legal_actions(state, rules);
    const char* fault = check_all(ledger, state, rules, legal);
    while (fault == nullptr && state.turn.phase != Phase::OVER) {
        fault = apply_checked(ledger, state, rules, legal, random_action(legal, rng));
    }
    check.plies += state.turn.ply;
    if (fault != nullptr) return fault;
    play_randomly(fast, rules, fast_rng);
    return is_same_state(state, fast, rules) && rng.state == fast_rng.state ? nullptr : "a playout ended differently";
}

// Rules known at compile time must not play differently, nor may one generator for draws and choices.
template <int PLAYERS>
const char* check_compiled(Check& check, const Rules& rules, u64 seed, u64 index) {
    State<SetPile, MAX_SEATS> state{};
    State<SetPile, PLAYERS> fast{};
    constexpr OfficialRules<PLAYERS> official;
    NoEvents nobody;
    fill_pile(state.pile, rules, split_rng(seed, index));
    deal(state, rules, nobody, PLAYERS - 1);
    while (state.turn.phase != Phase::OVER) play_random_ply(state, rules, state.pile.rng);
    play_random_round(fast, official, seed, index);
    check.plies += state.turn.ply;
    return is_same_state(state, fast, rules) ? nullptr : "a playout with compiled rules ended differently";
}

inline const char* check_round(Check& check, const Rules& rules, std::vector<u8>& actions, u64 seed, u64 index) {
    switch (index % 16) {
        case 13:
            if (are_same_rules(rules, OfficialRules<2>{})) return check_compiled<2>(check, rules, seed, index);
            if (are_same_rules(rules, OfficialRules<3>{})) return check_compiled<3>(check, rules, seed, index);
            if (are_same_rules(rules, OfficialRules<4>{})) return check_compiled<4>(check, rules, seed, index);
            [[fallthrough]];
        case 14:
            return check_playout<SetPile>(check, rules, seed, index);
        case 15:
            return check_playout<OrderedPile>(check, rules, seed, index);
        default:
            break;
    }
    return index % 2 == 0 ? check_walk<OrderedPile>(check, rules, actions, seed, index)
                          : check_walk<SetPile>(check, rules, actions, seed, index);
}

// Rounds 0, 1, ... of the batch that `seed` fixes; the result does not depend on the number of threads.
inline Check check_random_rounds(const Rules& rules, u64 num_rounds, u64 seed, int threads) {
    std::vector<Check> parts(static_cast<std::size_t>(std::max(threads, 1)));
    run_on_threads(std::max(threads, 1), num_rounds, [&](u64 part, u64 first, u64 last) {
        Check check;
        std::vector<u8> actions;
        for (u64 index = first; index < last && !is_stopped(); ++index) {
            const char* fault = check_round(check, rules, actions, seed, index);
            check.rounds += 1;
            if (fault == nullptr) continue;
            if (check.failures == 0) {
                check.first_round = index;
                check.first_failure = fault;
            }
            check.failures += 1;
        }
        parts[part] = check;
    });
    Check sum;
    for (const Check& part : parts) {
        if (sum.failures == 0 && part.failures > 0) {
            sum.first_round = part.first_round;
            sum.first_failure = part.first_failure;
        }
        sum.rounds += part.rounds;
        sum.plies += part.plies;
        sum.failures += part.failures;
    }
    return sum;
}

}  // namespace lastcard
