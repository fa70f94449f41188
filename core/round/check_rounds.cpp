#include "round/check_rounds.hpp"

#include <algorithm>
#include <vector>

#include "round/compiled_rules.hpp"
#include "round/invariants.hpp"
#include "round/random_play.hpp"
#include "round/random_walk.hpp"
#include "round/threads.hpp"
#include "rules/playout.hpp"

namespace lastcard {

namespace {

void fill_pile(SetPile& pile, const Rules& rules, Rng rng) {
    pile.rng = rng;
    start_pile(pile, rules);
}

void fill_pile(OrderedPile& pile, const Rules& rules, Rng rng) {
    pile = OrderedPile{};
    for (u32& word : pile.key.words) word = static_cast<u32>(next_random(rng));
    for (int i = 0; i < rules.deck_size; ++i) pile.cards[i] = rules.deck[i];
    pile.size = rules.deck_size;
    shuffle(pile.cards, pile.size, pile.key, Stream::DEAL, 0);
}

// Both are large: there is one of them for each kind of pile.
template <class S>
[[gnu::noinline]] void deal_silently(S& state, const Rules& rules, int dealer) {
    NoEvents nobody;
    deal(state, rules, nobody, dealer);
}

template <class S>
[[gnu::noinline]] void apply_silently(S& state, const Rules& rules, int action) {
    NoEvents nobody;
    apply(state, rules, nobody, action);
}

template <class S>
const char* check_all(Ledger& ledger, const S& state, const Rules& rules, const ActionSet& legal) {
    if (const char* fault = check_places(ledger, state, rules)) return fault;
    if (state.turn.phase == Phase::OVER) return check_end(state, rules);
    return check_turn(state.turn, rules, state.hands, legal);
}

// Applies an action and checks what comes of it; `legal` is what was legal, and then what is.
template <class S>
[[gnu::noinline]] const char* apply_checked(Ledger& ledger, S& state, const Rules& rules, ActionSet& legal,
                                            int action) {
    const u32 ply = state.turn.ply;
    if (is_play(action) && !add_all(ledger.covered, Hand{bit_of(state.turn.top), 0})) return "a card was played thrice";
    ReshuffleListener listener;
    apply(state, rules, listener, action);
    if (listener.has_reshuffled) ledger.covered = Hand{0, 0};
    if (state.turn.ply != ply + (action == PASS ? 0 : 1)) return "a ply was not counted";  // Rule 5.4
    legal = legal_actions(state, rules);
    return check_all(ledger, state, rules, legal);
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
    deal_silently(state, rules, dealer);
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
    deal_silently(again, rules, dealer);
    for (const u8 action : actions) apply_silently(again, rules, action);
    return is_same_state(state, again, rules) ? nullptr : "a repeated round ended differently";
}

// `play_randomly` takes whole turns at once; it must not differ from single plies.
template <class Pile>
const char* check_playout(Check& check, const Rules& rules, u64 seed, u64 index) {
    State<Pile, MAX_SEATS> state{}, fast{};
    fill_pile(state.pile, rules, split_rng(seed, index));
    fast.pile = state.pile;
    deal_silently(state, rules, rules.players - 1);
    deal_silently(fast, rules, rules.players - 1);
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
    play_on_randomly(fast, rules, fast_rng);
    return is_same_state(state, fast, rules) && rng.state == fast_rng.state ? nullptr : "a playout ended differently";
}

// With one generator for draws and choices.
State<SetPile, MAX_SEATS> play_ply_by_ply(const Rules& rules, u64 seed, u64 index) {
    State<SetPile, MAX_SEATS> state{};
    fill_pile(state.pile, rules, split_rng(seed, index));
    deal_silently(state, rules, rules.players - 1);
    while (state.turn.phase != Phase::OVER)
        apply_silently(state, rules, random_action(legal_actions(state, rules), state.pile.rng));
    return state;
}

// Rules known at compile time must not play differently, nor may one generator for draws and choices.
const char* check_compiled(Check& check, const Rules& rules, u64 seed, u64 index) {
    return with_official_rules_of<2, 3, 4>(rules, [&]<int SEATS>(const auto& official, Seats<SEATS>) {
        if constexpr (SEATS == MAX_SEATS) {
            return check_playout<SetPile>(check, rules, seed, index);
        } else {
            const State<SetPile, MAX_SEATS> state = play_ply_by_ply(rules, seed, index);
            State<SetPile, SEATS> fast{};
            deal_random_round(fast, official, seed, index);
            play_on_by_pile(fast, official);
            check.plies += state.turn.ply;
            return is_same_state(state, fast, rules) ? nullptr : "a playout with compiled rules ended differently";
        }
    });
}

const char* check_round(Check& check, const Rules& rules, std::vector<u8>& actions, u64 seed, u64 index) {
    switch (index % 16) {
        case 13:
            return check_compiled(check, rules, seed, index);
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

}  // namespace

Check check_random_rounds(const Rules& rules, u64 num_rounds, u64 seed, int threads) {
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
