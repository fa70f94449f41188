// Random play to the end of a round: the `random` policy, and rounds and playouts with it at full speed.
#pragma once

#include "rules/state.hpp"

namespace lastcard {

// The `random` policy: uniform over the legal actions, except that it draws only when nothing else is legal. Every
// decision but such a forced draw takes one random number.
LASTCARD_FN int random_action(const ActionSet& legal, Rng& rng) {
    const ActionSet choices{legal.plays, legal.others & ~other_bit(DRAW)};
    const int count = num_actions(choices);
    return count == 0 ? DRAW : nth_action(choices, scale_high(next_random(rng), count));
}

template <class R, class S>
LASTCARD_FN void play_random_ply(S& state, const R& rules, Rng& rng) {
    NoEvents nobody;
    apply(state, rules, nobody, random_action(legal_actions(state, rules), rng));
}

// The same policy and the same random numbers as `play_random_ply`, a whole turn at once where nothing can interrupt
// it.
template <class R, class S>
LASTCARD_FN void play_random_turn(S& state, const R& rules, Rng& rng) {
    NoEvents nobody;
    u64 plays = legal_plays(state, rules, state.hands[state.turn.seat]);
    int choices = popcount(plays);
    if (plays == 0) {
        apply(state, rules, nobody, DRAW);
        if (state.turn.phase != Phase::DRAWN) return;
        plays = legal_drawn_plays(state, rules);
        choices = popcount(plays) + (can_keep(state, rules, plays) ? 1 : 0);
    }
    const int n = scale_high(next_random(rng), choices);
    if (n == popcount(plays)) return apply(state, rules, nobody, KEEP);
    apply(state, rules, nobody, lowest_bit(nth_bit(plays, n)));
}

// Plays the round out, or until `limit` plies are played, give or take one.
template <class R, class Pile, int SEATS>
LASTCARD_FN void play_randomly(State<Pile, SEATS>& state, const R& rules, Rng& rng, u32 limit = ~0u) {
    while (state.turn.phase != Phase::OVER && state.turn.ply < limit) {
        if (rules.uno_penalty > 0 || state.turn.phase != Phase::TURN) {
            play_random_ply(state, rules, rng);
            continue;
        }
        Working<Pile> working{state.hands, state.shown, state.pile, state.turn};
        do play_random_turn(working, rules, rng);
        while (working.turn.phase == Phase::TURN && working.turn.ply < limit);
        state.turn = working.turn;
    }
}

// A number that changes when the course of a round that is over does.
template <class R, class S>
LASTCARD_FN u64 digest_round(const S& state, const R& rules) {
    u64 digest = state.turn.ply * 0x9E3779B97F4A7C15ull + state.turn.winner;
    for (int seat = 0; seat < rules.players; ++seat)
        digest = multiply_mix(digest ^ state.hands[seat].first, state.hands[seat].second ^ 0x8BB84B93962EACC9ull);
    return digest;
}

// Deals round `index` of the batch that `seed` fixes.
template <class R, class S>
LASTCARD_FN void deal_random_round(S& state, const R& rules, u64 seed, u64 index) {
    NoEvents nobody;
    state.pile.rng = split_rng(seed, index);
    start_pile(state.pile, rules);
    deal(state, rules, nobody, rules.players - 1);
}

// The same, from the deal to the end.
template <class R, class S>
LASTCARD_FN void play_random_round(S& state, const R& rules, u64 seed, u64 index) {
    deal_random_round(state, rules, seed, index);
    play_randomly(state, rules, state.pile.rng);
}

// Where playouts start, with room for any number of seats. The generator of its pile is not used.
using Position = State<SetPile, MAX_SEATS>;

// What playouts from one position came to.
template <int SEATS>
struct PlayoutTally {
    u64 wins[SEATS];
    u64 points[SEATS];
    u64 plies;
    u64 signature;  // changes when any playout's course does
};

// Puts the position where playout `index` of those that `seed` fixes starts.
template <class R, class S>
LASTCARD_FN void start_playout(S& state, const R& rules, const Position& start, u64 seed, u64 index) {
    for (int seat = 0; seat < rules.players; ++seat) state.hands[seat] = start.hands[seat];
    state.shown = start.shown;
    state.pile = start.pile;
    state.pile.rng = split_rng(seed, index);
    state.turn = start.turn;
}

// How a playout goes on, unless a caller has this compiled elsewhere.
struct PlayByPile {
    template <class R, class S>
    LASTCARD_FN void operator()(S& state, const R& rules) const {
        play_randomly(state, rules, state.pile.rng);
    }
};

template <class R, class S, int SEATS>
LASTCARD_FN void count_playout(PlayoutTally<SEATS>& tally, const S& state, const R& rules, u32 plies_before) {
    int points[MAX_SEATS];
    score_round(state, rules, points);
    for (int seat = 0; seat < SEATS; ++seat) {  // a fixed number of turns, so that a GPU keeps the tally in registers
        tally.points[seat] += seat < rules.players ? static_cast<u64>(points[seat]) : 0;
        tally.wins[seat] += state.turn.winner == seat ? 1 : 0;
    }
    tally.plies += state.turn.ply - plies_before;
    tally.signature += digest_round(state, rules) ^ state.turn.top;
}

LASTCARD_FN u64 playout_row_size(int players) { return 2 * static_cast<u64>(players) + 2; }

// A row holds wins by seat, points by seat, plies and signature; `add(place, value)` may have to be atomic.
template <int SEATS, class Add>
LASTCARD_FN void add_to_row(u64* row, const PlayoutTally<SEATS>& tally, int players, const Add& add) {
    for (int seat = 0; seat < SEATS; ++seat) {
        if (seat < players && tally.wins[seat] != 0) add(row[seat], tally.wins[seat]);
        if (seat < players && tally.points[seat] != 0) add(row[players + seat], tally.points[seat]);
    }
    add(row[2 * players], tally.plies);
    add(row[2 * players + 1], tally.signature);
}

// Playouts `first` up to `last` of a batch with `num_each` from every position in turn, added to the positions' rows.
template <class R, int SEATS, class Add, class Play = PlayByPile>
LASTCARD_FN void play_out_range(State<SetPile, SEATS>& state, const R& rules, const Position* positions, u64 num_each,
                                u64 seed, u64 first, u64 last, u64* rows, const Add& add, const Play& play = {}) {
    while (first < last) {
        const u64 at = first / num_each;
        const u64 end = (at + 1) * num_each < last ? (at + 1) * num_each : last;
        PlayoutTally<SEATS> tally{};
        for (; first < end; ++first) {
            start_playout(state, rules, positions[at], seed, first);
            play(state, rules);
            count_playout(tally, state, rules, positions[at].turn.ply);
        }
        add_to_row(rows + at * playout_row_size(rules.players), tally, rules.players, add);
    }
}

}  // namespace lastcard
