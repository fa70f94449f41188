// The `heuristic` policy: a linear score for every action, from what its seat may know.
//
// It serves as an agent of its own, as the policy of playouts, and as the model of opponents.
#pragma once

#include "rules/playout.hpp"

namespace lastcard {

// What a play is worth before its color is looked at: by kind of card, and by how the round stands.
enum PlayKind : u8 { NUMBER_CARD, SKIP_CARD, REVERSE_CARD, TWO_CARD, WILD_CARD, FOUR_CARD, NUM_PLAY_KINDS };

enum Weight : u8 {
    KIND_WEIGHTS = 0,      // 4 a kind: + 1 when the next seat holds at most two cards, + 2 when we hold at most three
    COLOR_SHARE = 24,      // times the share of the color in the rest of the hand
    COLOR_HELD = 25,       // if the rest of the hand holds the color at all
    RANK_HELD = 26,        // times the other cards of the rank
    NEXT_LACKS = 27,       // if the next seat seems to lack the color
    COLOR_CHANGE = 28,     // if a colored card changes the active color
    POINTS = 29,           // times a tenth of a number card's value
    DRAWING = 30,          // drawing although something can be played
    KEEPING = 31,          // keeping a drawn card that can be played
    NEXT_LACKS_LATE = 32,  // the same, once it holds at most two cards
    NUM_WEIGHTS = 33,
};

struct Weights {
    float values[NUM_WEIGHTS];
};

struct KindTable {
    u8 kind[NUM_PLAYS];
    float points[NUM_PLAYS];  // of number cards, in tens
};

constexpr KindTable make_kind_table() {
    KindTable table{};
    for (int play = 0; play < NUM_PLAYS; ++play) {
        const int rank = PLAYS.rank[play];
        table.kind[play] = play >= FIRST_FOUR   ? FOUR_CARD
                           : play >= FIRST_WILD ? WILD_CARD
                           : rank == SKIP       ? SKIP_CARD
                           : rank == REVERSE    ? REVERSE_CARD
                           : rank == DRAW_TWO   ? TWO_CARD
                                                : NUMBER_CARD;
        table.points[play] = rank < SKIP ? static_cast<float>(rank) * 0.1f : 0.0f;
    }
    return table;
}

LASTCARD_TABLE KindTable KINDS = make_kind_table();

// What all may remember: the colors each seat seems to lack, as bits. A seat that drew in its turn lacked the active
// color; cards it gets otherwise make it unknown again.
struct Memory {
    u8 lacks[MAX_SEATS];
};

LASTCARD_FN void forget_all(Memory& memory) {
    for (int seat = 0; seat < MAX_SEATS; ++seat) memory.lacks[seat] = 0;
}

LASTCARD_FN void remember_play(Memory& memory, int seat, int play) {
    memory.lacks[seat] = static_cast<u8>(memory.lacks[seat] & ~(1u << PLAYS.color[play]));
}

LASTCARD_FN void remember_draw(Memory& memory, int seat, int color) {
    if (color < NO_COLOR) memory.lacks[seat] = static_cast<u8>(memory.lacks[seat] | 1u << color);
}

// Listens for what a seat gets other than by a draw in its turn.
struct Remember {
    Memory& memory;
    LASTCARD_FN void dealt(int, int, const Hand&) {}
    LASTCARD_FN void got(int seat, int) { memory.lacks[seat] = 0; }
    LASTCARD_FN void drew(int) {}
    LASTCARD_FN void reshuffled(int, const auto&) {}
    LASTCARD_FN void event(EventKind, int, int, int) {}
    LASTCARD_FN void challenged(int, int, bool, const Hand&) {}
    LASTCARD_FN void received(int seat, const Hand&) { memory.lacks[seat] = 0; }
};

// What the policy looks at: all of it known to the seat that decides.
struct View {
    Hand hand;
    int hand_size;
    int next_size;
    u8 next_lacks;
    u8 active_color;
    const u8* sizes;  // of all seats; read only where a hand is chosen or challenged
    u8 player;        // who played the top card
};

LASTCARD_FN int bucket_of(int hand_size, int next_size) { return (next_size <= 2 ? 1 : 0) + (hand_size <= 3 ? 2 : 0); }

// The part of a play's score that does not depend on the rest of the hand: what others can tell of it.
LASTCARD_FN float score_in_public(const View& view, const Weights& weights, int play) {
    const int color = PLAYS.color[play];
    const bool is_late = view.next_size <= 2;
    const bool lacks = (view.next_lacks >> color & 1) != 0;
    const bool changes = is_colored(play) && color != view.active_color;
    float score = weights.values[4 * KINDS.kind[play] + bucket_of(view.hand_size, view.next_size)];
    score += weights.values[POINTS] * KINDS.points[play];
    score += changes ? weights.values[COLOR_CHANGE] : 0.0f;
    score += lacks ? weights.values[is_late ? NEXT_LACKS_LATE : NEXT_LACKS] : 0.0f;
    return score;
}

LASTCARD_FN float score_play(const View& view, const Weights& weights, int play) {
    float score = score_in_public(view, weights, play);
    const int rest = view.hand_size - 1;
    const int own = is_colored(play) ? 1 : 0;
    const int same = count_of(view.hand, PLAYS.same_color[play]) - own;
    const int ranks = own != 0 ? count_of(view.hand, rank_bits(PLAYS.rank[play])) - 1 : 0;
    const float share = same > 0 ? static_cast<float>(same) / static_cast<float>(rest) : 0.0f;
    score += weights.values[COLOR_SHARE] * share + (same > 0 ? weights.values[COLOR_HELD] : 0.0f);
    score += weights.values[RANK_HELD] * static_cast<float>(ranks);
    return score;
}

// The color most held, the first of equals.
LASTCARD_FN int most_held_color(const Hand& hand) {
    int best = 0;
    for (int color = 1; color < NUM_COLORS; ++color) {
        if (count_of(hand, color_bits(color)) > count_of(hand, color_bits(best))) best = color;
    }
    return best;
}

// Calls and catches always; challenges a hand of five or more; swaps for the smallest hand; names the color most held.
LASTCARD_COLD int choose_rare(const View& view, const ActionSet& legal) {
    if ((legal.others & other_bit(UNO)) != 0) return UNO;
    if ((legal.others & other_bit(CATCH)) != 0) return CATCH;
    if ((legal.others & 0xFu * other_bit(FIRST_COLOR)) != 0) return FIRST_COLOR + most_held_color(view.hand);
    if ((legal.others & other_bit(CHALLENGE)) != 0 && view.sizes[view.player] >= 5) return CHALLENGE;
    if ((legal.others & other_bit(ACCEPT)) != 0) return ACCEPT;
    int best = NUM_PLAYS + lowest_bit(legal.others);
    if (best < FIRST_SWAP) return best;
    for (int action = best + 1; action < FIRST_COLOR; ++action) {
        if (contains(legal, action) && view.sizes[action - FIRST_SWAP] < view.sizes[best - FIRST_SWAP]) best = action;
    }
    return best;
}

LASTCARD_FN int choose_by_weights(const View& view, const ActionSet& legal, const Weights& weights) {
    constexpr u32 usual = other_bit(DRAW) | other_bit(KEEP);
    if ((legal.others & ~usual) != 0) [[unlikely]] {
        const bool asks = (legal.others & (other_bit(UNO) | other_bit(CHALLENGE))) != 0;
        if (asks || legal.plays == 0) {
            const int rare = choose_rare(view, legal);
            if (rare != ACCEPT || legal.plays == 0) return rare;
        }
    }
    int best = (legal.others & other_bit(DRAW)) != 0   ? DRAW
               : (legal.others & other_bit(KEEP)) != 0 ? KEEP
                                                       : NUM_ACTIONS;
    float best_score = best == DRAW ? weights.values[DRAWING] : best == KEEP ? weights.values[KEEPING] : -1e30f;
    for (u64 left = legal.plays; left != 0; left &= left - 1) {
        const int play = lowest_bit(left);
        const float score = score_play(view, weights, play);
        if (score > best_score) {
            best_score = score;
            best = play;
        }
    }
    return best;
}

// What the seat to act knows. `sizes` is filled only where a seat has to be chosen.
template <class R, class S>
LASTCARD_FN View view_of(const S& state, const R& rules, const Memory& memory, u8* sizes) {
    const int seat = state.turn.seat;
    const int next = seat_after(state, rules, seat);
    if (state.turn.phase == Phase::SWAP || state.turn.phase == Phase::ANSWER) {
        for (int other = 0; other < rules.players; ++other)
            sizes[other] = static_cast<u8>(num_cards(state.hands[other]));
    }
    return View{state.hands[seat],  num_cards(state.hands[seat]), num_cards(state.hands[next]),
                memory.lacks[next], state.turn.active_color,      sizes,
                state.turn.player};
}

// Applies an action; the listener, which has to forget what `Remember` forgets, hears of it, and the memory keeps what
// it tells.
template <class R, class S, class Listener>
LASTCARD_FN void apply_and_tell(S& state, const R& rules, Memory& memory, Listener& listener, int action) {
    const int seat = state.turn.seat;
    if (is_play(action)) {
        remember_play(memory, seat, action);
        apply(state, rules, listener, action);
    } else if (action == DRAW) {
        const u8 known = memory.lacks[seat];
        const int color = state.turn.active_color;
        apply(state, rules, listener, action);
        memory.lacks[seat] = known;
        remember_draw(memory, seat, color);
    } else {
        apply(state, rules, listener, action);
    }
}

// Applies an action and remembers what it tells.
template <class R, class S>
LASTCARD_FN void apply_and_remember(S& state, const R& rules, Memory& memory, int action) {
    Remember listener{memory};
    apply_and_tell(state, rules, memory, listener, action);
}

// How a seat plays in a hypothetical round.
struct Policy {
    Weights weights;
    u32 epsilon;     // how often it plays as `random` instead, in 2^-32
    bool is_random;  // always
};

LASTCARD_FN Policy make_policy(const Weights& weights, double epsilon) {
    return Policy{weights, static_cast<u32>(epsilon * 4294967295.0), false};
}

template <class R, class S>
LASTCARD_FN int choose_by_policy(const S& state, const R& rules, const Memory& memory, const Policy& policy, Rng& rng) {
    const ActionSet legal = legal_actions(state, rules);
    if (num_actions(legal) == 1) return nth_action(legal, 0);
    if (policy.is_random) return random_action(legal, rng);
    if (policy.epsilon != 0 && static_cast<u32>(next_random(rng)) < policy.epsilon) return random_action(legal, rng);
    u8 sizes[MAX_SEATS];
    return choose_by_weights(view_of(state, rules, memory, sizes), legal, policy.weights);
}

// Takes the action and plays on to the end of the round, or until `limit` plies are played. `policies` has one for each
// seat.
template <class R, class S>
LASTCARD_FN void play_by_policies(S& state, const R& rules, Memory& memory, int action, const Policy* const* policies,
                                  Rng& rng, u32 limit) {
    while (true) {
        apply_and_remember(state, rules, memory, action);
        if (state.turn.phase == Phase::OVER || state.turn.ply >= limit) return;
        action = choose_by_policy(state, rules, memory, *policies[state.turn.seat], rng);
    }
}

}  // namespace lastcard
