// What a seat sees as a row of bytes: the input of networks and the observation of every environment.
//
// A row is a sequence of blocks; LAYOUT says where each begins, docs/reference/encoding.md what it holds. Seats are
// counted from the observer on in the order of play, so that a network need not know in which chair it sits. The row is
// made from a `Sight` and a `Trail`, which hold nothing that the observer may not know.
#pragma once

#include "rules/layout.hpp"
#include "rules/trail.hpp"

namespace lastcard {

// What the observer can look at.
struct Sight {
    Hand hand;
    ActionSet legal;  // empty unless the observer is to act
    Turn turn;        // with a drawn card only if it is the observer's
    u8 sizes[MAX_SEATS];
    u16 scores[MAX_SEATS];  // before this round
    u8 observer;
    u8 draw_pile_size;
};

// Scores have no bound, rows have.
LASTCARD_FN u16 cut_score(int score) { return static_cast<u16>(score < 0 ? 0 : score < 0xFFFF ? score : 0xFFFF); }

// What the seat to act sees of a single round.
template <class R, class S>
LASTCARD_FN Sight sight_of(const S& state, const R& rules, const ActionSet& legal) {
    Sight sight{};
    sight.turn = state.turn;
    sight.observer = state.turn.seat;
    sight.hand = state.hands[state.turn.seat];
    sight.legal = legal;
    sight.draw_pile_size = static_cast<u8>(state.pile.size);
    for (int seat = 0; seat < rules.players; ++seat) {
        sight.sizes[seat] = static_cast<u8>(num_cards(state.hands[seat]));
        // Rule 7.2: declared without being asked.
        if (rules.uno_penalty == 0 && sight.sizes[seat] == 1) sight.turn.declared |= static_cast<u16>(1u << seat);
    }
    return sight;
}

// How many seats on from the observer, in the order of play.
template <class R>
LASTCARD_FN int seats_on(const R& rules, int direction, int observer, int seat) {
    const int apart = direction > 0 ? seat - observer : observer - seat;
    return apart < 0 ? apart + rules.players : apart;
}

template <class R>
LASTCARD_FN int seat_of(const R& rules, int direction, int observer, int seats_on) {
    const int seat = direction > 0 ? observer + seats_on : observer - seats_on;
    return seat < 0 ? seat + rules.players : seat >= rules.players ? seat - rules.players : seat;
}

// An action's index in masks and policy heads: its id, but a swap names its seat by how many seats on that is.
template <class R>
LASTCARD_FN int index_of_action(const R& rules, const Turn& turn, int observer, int action) {
    if (action < FIRST_SWAP || action >= FIRST_COLOR) return action;
    return FIRST_SWAP + seats_on(rules, turn.direction, observer, action - FIRST_SWAP);
}

template <class R>
LASTCARD_FN int action_of_index(const R& rules, const Turn& turn, int observer, int index) {
    if (index < FIRST_SWAP || index >= FIRST_COLOR || index - FIRST_SWAP >= rules.players) return index;
    return FIRST_SWAP + seat_of(rules, turn.direction, observer, index - FIRST_SWAP);
}

// Legal actions by their index, a byte each.
template <class R>
LASTCARD_FN void write_mask(const Sight& sight, const R& rules, u8* mask) {
    for (int i = 0; i < NUM_ACTIONS; ++i) mask[i] = 0;
    for (u64 left = sight.legal.plays; left != 0; left &= left - 1) mask[lowest_bit(left)] = 1;
    for (u64 left = sight.legal.others; left != 0; left &= left - 1) {
        mask[index_of_action(rules, sight.turn, sight.observer, NUM_PLAYS + lowest_bit(left))] = 1;
    }
}

LASTCARD_FN int symbol_of(int play) { return play < FIRST_WILD ? PLAYS.rank[play] : play < FIRST_FOUR ? 13 : 14; }

// 240 for what happened a moment ago, half of that once every seat has acted, ever less after that; 0 for never.
LASTCARD_FN u8 fade(int now, int then, int players) {
    return then == 0 ? u8{0} : static_cast<u8>(RECENT * players / (players + now - then));
}

LASTCARD_FN void write_cards(const Sight& sight, const auto& trail, u8* row) {
    u8* own = row + LAYOUT.start[OWN_HAND];
    u8* discards = row + LAYOUT.start[DISCARD_PILE];
    u8* unseen = row + LAYOUT.start[UNSEEN];
    for (int face = 0; face < NUM_CARD_FACES; ++face) discards[face] = trail.discards[face];
    for (int face = 0; face < NUM_CARD_FACES; ++face) unseen[face] = trail.elsewhere[face];
    for (u64 left = sight.hand.first; left != 0; left &= left - 1) {
        const int card = lowest_bit(left);
        const int copies = 1 + static_cast<int>(sight.hand.second >> card & 1);
        own[face_of(card)] = static_cast<u8>(own[face_of(card)] + copies);
        unseen[face_of(card)] = static_cast<u8>(unseen[face_of(card)] - copies);
    }
    for (int color = 0; color < NUM_COLORS; ++color) {
        const int count = count_of(sight.hand, color_bits(color));
        row[LAYOUT.start[COLOR_COUNT] + color] = static_cast<u8>(count);
        row[LAYOUT.start[HAS_COLOR] + color] = count > 0 ? 1 : 0;
    }
    row[LAYOUT.start[DRAW_PILE_SIZE]] = sight.draw_pile_size;
    row[LAYOUT.start[TOP_SYMBOL] + symbol_of(sight.turn.top)] = 1;
}

template <class R>
LASTCARD_FN void write_seats(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    for (int on = 0; on < rules.players; ++on) {
        const int seat = seat_of(rules, sight.turn.direction, sight.observer, on);
        const int size = sight.sizes[seat];
        if (size >= 1 && size <= NUM_SIZES) row[LAYOUT.start[HAND_SIZE_IS] + NUM_SIZES * on + size - 1] = 1;
        row[LAYOUT.start[HAND_SIZE] + on] = static_cast<u8>(size);
        row[LAYOUT.start[TOP_PLAYER] + on] = sight.turn.player == seat ? 1 : 0;
        row[LAYOUT.start[DECLARED_UNO] + on] = static_cast<u8>(sight.turn.declared >> seat & 1);
        const HandTrail& hand = trail.hands[seat];
        for (int color = 0; color < NUM_COLORS; ++color) {
            const int at = NUM_COLORS * on + color;
            const int since = hand.got - hand.drew_got[color];
            if (hand.drew_at[color] != 0) {
                row[LAYOUT.start[DREW_CARDS] + at] = static_cast<u8>(RECENT / (since > 1 ? since : 1));
                row[LAYOUT.start[DREW_AGO] + at] = fade(trail.clock, hand.drew_at[color], rules.players);
            }
            row[LAYOUT.start[PLAYED_AGO] + at] = fade(trail.clock, hand.played_at[color], rules.players);
            row[LAYOUT.start[NAMED_AGO] + at] = fade(trail.clock, hand.named_at[color], rules.players);
        }
    }
}

// Which of the six other kinds a remembered action is; none for a play or a named color.
LASTCARD_FN int other_kind(int action) {
    switch (action) {
        case DRAW:
            return 0;
        case ACCEPT:
            return 1;
        case CHALLENGE:
            return 2;
        case UNO:
            return 3;
        case CATCH:
            return 4;
        case FIRST_SWAP:
            return 5;
        default:
            return NUM_OTHER_KINDS;
    }
}

template <class R>
LASTCARD_FN void write_last_actions(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    u8* place = row + LAYOUT.start[LAST_ACTIONS];
    for (int i = 0; i < NUM_REMEMBERED; ++i, place += ACTION_WIDTH + MAX_SEATS) {
        const int action = static_cast<int>(trail.last_actions >> (8 * i) & 255);
        const int seat = static_cast<int>(trail.last_seats >> (8 * i) & 255);
        if (action == 255) break;
        place[seats_on(rules, sight.turn.direction, sight.observer, seat)] = 1;
        u8* what = place + MAX_SEATS;
        if (is_play(action)) {
            what[PLAYS.color[action]] = 1;
            what[NUM_COLORS + symbol_of(action)] = 1;
        } else if (action >= FIRST_COLOR) {
            what[action - FIRST_COLOR] = 1;
        } else if (other_kind(action) < NUM_OTHER_KINDS) {
            what[NUM_COLORS + NUM_SYMBOLS + other_kind(action)] = 1;
        }
    }
}

template <class R>
LASTCARD_FN void write_turn(const Sight& sight, const R& rules, u8* row) {
    const Turn& turn = sight.turn;
    if (turn.active_color < NO_COLOR) row[LAYOUT.start[ACTIVE_COLOR] + turn.active_color] = 1;
    if (turn.last_color < NO_COLOR) row[LAYOUT.start[LAST_COLOR] + turn.last_color] = 1;
    if (turn.phase != Phase::OVER) row[LAYOUT.start[PHASE] + static_cast<int>(turn.phase)] = 1;
    if (turn.drawn != NO_CARD) {
        u8* drawn = row + LAYOUT.start[DRAWN_CARD];
        if (is_colored(turn.drawn)) drawn[color_of(turn.drawn)] = 1;
        drawn[NUM_COLORS + symbol_of(turn.drawn)] = 1;
    }
    row[LAYOUT.start[DRAW_SUM]] = turn.draw_sum;
    row[LAYOUT.start[STUCK_PASSES]] = turn.stuck_passes;
    row[LAYOUT.start[UNO_PENALTY]] = static_cast<u8>(rules.uno_penalty);
    u8* switches = row + LAYOUT.start[SWITCHES];
    switches[static_cast<int>(rules.wild_draw_four)] = 1;
    switches[4 + static_cast<int>(rules.stacking)] = 1;
    switches[7 + static_cast<int>(rules.drawn_card)] = 1;
    switches[SCORING_SWITCH] = rules.scoring == Scoring::LOWEST ? 1 : 0;
    switches[11] = rules.draw_until_playable ? 1 : 0;
    switches[12] = rules.must_play ? 1 : 0;
    switches[13] = rules.seven_zero ? 1 : 0;
    switches[14] = rules.jump_in ? 1 : 0;
}

// Which of the ranges 0, 1, 2, 3, 4, 5 to 6, 7 to 8, 9 to 11, 12 to 15, 16 and more a number of cards is in.
LASTCARD_FN int range_of(int count) {
    if (count <= 4) return count;
    return count <= 6 ? 5 : count <= 8 ? 6 : count <= 11 ? 7 : count <= 15 ? 8 : 9;
}

// Which of the ranges up to 2, 5, 10, 15, 20, 30, 50, and more.
LASTCARD_FN int large_range_of(int count) {
    if (count <= 10) return count <= 2 ? 0 : count <= 5 ? 1 : 2;
    return count <= 15 ? 3 : count <= 20 ? 4 : count <= 30 ? 5 : count <= 50 ? 6 : 7;
}

LASTCARD_FN u8 cut_to_byte(int value) { return static_cast<u8>(value < 255 ? value : 255); }

LASTCARD_FN int symbol_of_face(int face) {
    return face < FIRST_WILD ? rank_of(face) : face == FIRST_WILD ? NUM_RANKS : NUM_RANKS + 1;
}

// Whether playing it costs the next seat its turn; with two players the turn then stays.
LASTCARD_FN bool is_stopping(int symbol, int players) {
    return symbol == SKIP || symbol == DRAW_TWO || symbol == NUM_RANKS + 1 || (symbol == REVERSE && players == 2);
}

// Own and unseen cards by symbol; reads the blocks by face.
template <class R>
LASTCARD_FN void write_symbols(const R& rules, u8* row) {
    u8* own = row + LAYOUT.start[OWN_SYMBOLS];
    u8* unseen = row + LAYOUT.start[UNSEEN_SYMBOLS];
    int stopping = 0, others = 0, stopping_elsewhere = 0;
    for (int face = 0; face < NUM_CARD_FACES; ++face) {
        const int symbol = symbol_of_face(face);
        const int held = row[LAYOUT.start[OWN_HAND] + face];
        const int elsewhere = row[LAYOUT.start[UNSEEN] + face];
        own[symbol] = static_cast<u8>(own[symbol] + held);
        unseen[symbol] = static_cast<u8>(unseen[symbol] + elsewhere);
        const bool stops = is_stopping(symbol, rules.players);
        stopping += stops ? held : 0;
        others += stops ? 0 : held;
        stopping_elsewhere += stops ? elsewhere : 0;
    }
    row[LAYOUT.start[STOPPING_RANGE] + range_of(stopping)] = 1;
    row[LAYOUT.start[OTHERS_RANGE] + range_of(others)] = 1;
    row[LAYOUT.start[UNSEEN_STOPPING]] = static_cast<u8>(stopping_elsewhere);
}

// Ranges and counts that follow from the blocks above, and how long the round has lasted.
template <class R>
LASTCARD_FN void write_counts(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    write_symbols(rules, row);
    for (int on = 0; on < rules.players; ++on) {
        const int seat = seat_of(rules, sight.turn.direction, sight.observer, on);
        if (sight.sizes[seat] > NUM_SIZES) {
            const int range = large_range_of(sight.sizes[seat] - NUM_SIZES);
            row[LAYOUT.start[SIZE_RANGE] + NUM_LARGE_RANGES * on + range] = 1;
        }
        row[LAYOUT.start[CARDS_GOT] + on] = cut_to_byte(trail.hands[seat].got);
        row[LAYOUT.start[SCORE] + on] = cut_to_byte(sight.scores[seat] / SCORE_STEP);
    }
    row[LAYOUT.start[LEGAL_PLAYS]] = static_cast<u8>(popcount(sight.legal.plays));
    row[LAYOUT.start[DRAW_PILE_RANGE] + large_range_of(sight.draw_pile_size)] = 1;
    for (int i = 0; i < NUM_POWERS; ++i)
        row[LAYOUT.start[ROUND_LASTED] + i] = trail.clock >= 1 << (FIRST_POWER + i) ? 1 : 0;
    row[LAYOUT.start[RESHUFFLES]] = trail.reshuffles;
    row[LAYOUT.start[PLAYERS_ARE] + rules.players - 2] = 1;
    row[LAYOUT.start[DEALT_CARDS]] = static_cast<u8>(rules.hand_size);
}

// The blocks about the game and the length of a round.
template <class R>
LASTCARD_FN void write_aims(const Sight& sight, const R& rules, u8* row) {
    const int target = rules.target_score > 0 ? rules.target_score : 1;
    row[LAYOUT.start[TARGET_SCORE]] = cut_to_byte(target / TARGET_STEP);
    for (int on = 0; on < rules.players; ++on) {
        const int seat = seat_of(rules, sight.turn.direction, sight.observer, on);
        row[LAYOUT.start[SCORE_SHARE] + on] = cut_to_byte(100 * sight.scores[seat] / target);
    }
    for (int i = 0; i < NUM_PLY_POWERS; ++i)
        row[LAYOUT.start[MOST_PLIES] + i] = rules.max_plies >= 1u << (FIRST_POWER + i) ? 1 : 0;
}

// Cards that the observer knows to be in other hands. A position that was described may claim more than there is.
template <class R>
LASTCARD_FN void write_known(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    const Hand& known = trail.known[sight.observer];
    const u8* unseen = row + LAYOUT.start[UNSEEN];
    u8* counts = row + LAYOUT.start[KNOWN_CARDS];
    int total = 0, stopping = 0;
    for (u64 left = known.first; left != 0; left &= left - 1) {
        const int card = lowest_bit(left);
        const int face = face_of(card);
        const int copies = 1 + static_cast<int>(known.second >> card & 1);
        const int room = unseen[face] - counts[face];
        const int count = copies < room ? copies : room;
        counts[face] = static_cast<u8>(counts[face] + count);
        total += count;
        stopping += is_stopping(symbol_of_face(face), rules.players) ? count : 0;
    }
    row[LAYOUT.start[KNOWN_STOPPING]] = static_cast<u8>(stopping);
    row[LAYOUT.start[NUM_KNOWN]] = static_cast<u8>(total);
}

#define LASTCARD_RULE_WRITE(type, name, least, most)                                                           \
    if constexpr (RULE_##name >= FIRST_OF_MORE_SWITCHES) {                                                     \
        row[LAYOUT.start[MORE_SWITCHES] + RULE_##name - FIRST_OF_MORE_SWITCHES] = static_cast<u8>(rules.name); \
    }

template <class R>
LASTCARD_FN void write_more_switches(const R& rules, u8* row) {
    LASTCARD_RULES(LASTCARD_RULE_WRITE)
}

// Writes ENCODING_SIZE bytes.
template <class R>
LASTCARD_FN void encode(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    for (int i = 0; i < ENCODING_SIZE; ++i) row[i] = 0;
    write_cards(sight, trail, row);
    write_seats(sight, rules, trail, row);
    write_last_actions(sight, rules, trail, row);
    write_turn(sight, rules, row);
    write_mask(sight, rules, row + LAYOUT.start[LEGAL_ACTIONS]);
    write_counts(sight, rules, trail, row);
    write_aims(sight, rules, row);
    write_known(sight, rules, trail, row);
    write_more_switches(rules, row);
}

// The hands of all other seats by face, for a critic that helps in training. No decision may ever depend on it.
template <class R>
LASTCARD_FN constexpr int hidden_size(const R& rules) {
    return NUM_CARD_FACES * (rules.players - 1);
}

template <class R, class S>
LASTCARD_FN void write_hidden(const S& state, const R& rules, u8* row) {
    for (int i = 0; i < hidden_size(rules); ++i) row[i] = 0;
    for (int on = 1; on < rules.players; ++on, row += NUM_CARD_FACES) {
        const Hand& hand = state.hands[seat_of(rules, state.turn.direction, state.turn.seat, on)];
        for (u64 left = hand.first; left != 0; left &= left - 1) {
            const int card = lowest_bit(left);
            const int copies = 1 + static_cast<int>(hand.second >> card & 1);
            row[face_of(card)] = static_cast<u8>(row[face_of(card)] + copies);
        }
    }
}

}  // namespace lastcard
