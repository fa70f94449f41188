// What a seat sees as a row of bytes: the input of networks and the observation of every environment.
//
// A row is a sequence of blocks; LAYOUTS says where each begins, docs/reference/encoding.md what it holds. Seats are counted from
// the observer on in the order of play, so that a network need not know in which chair it sits. The row is made from a `Sight`
// and a `Trail`, which hold nothing that the observer may not know. A change of any byte's meaning needs a new ENCODING_VERSION:
// networks are made for one.
#pragma once

#include "rules/trail.hpp"

namespace lastcard {

constexpr int ENCODING_VERSION = 1;

enum Block : u8 {
    OWN_HAND,      // copies of each face
    DISCARD_PILE,  // likewise
    UNSEEN,        // likewise, in other hands and the draw pile
    ACTIVE_COLOR,  // one of four
    TOP_SYMBOL,    // one of fifteen
    HAND_SIZE_IS,  // for each seat, one of ten
    HAND_SIZE,     // for each seat
    COLOR_COUNT,   // own cards of each color
    HAS_COLOR,     // whether there are any
    DREW_CARDS,    // for each seat and color: drew on it, by the cards got since
    DREW_AGO,      // the same, by the actions since
    PLAYED_AGO,    // for each seat and color: played one
    NAMED_AGO,     // for each seat and color: named it
    LAST_ACTIONS,  // six times: seat, color, symbol, kind
    DRAWN_CARD,    // color and symbol of the card just drawn
    PHASE,         // one of seven
    LAST_COLOR,    // one of four: active before the top card was played
    TOP_PLAYER,    // for each seat: played the top card
    DECLARED_UNO,  // for each seat
    DRAW_PILE_SIZE,
    DRAW_SUM,
    STUCK_PASSES,
    SWITCHES,  // of the rules
    UNO_PENALTY,
    LEGAL_ACTIONS,  // one for each action index
    NUM_BLOCKS,
};

constexpr int NUM_SYMBOLS = NUM_RANKS + 2;  // thirteen ranks, Wild, Wild Draw Four
constexpr int NUM_OTHER_KINDS = 6;          // draw, accept, challenge, uno, catch, swap
constexpr int NUM_SIZES = 10;               // hand sizes that have a place of their own
constexpr int NUM_PHASES = 7;
constexpr int NUM_SWITCHES = 4 + 3 + 3 + 5;  // wild_draw_four, stacking, drawn_card, and five that are on or off
constexpr int RECENT = 240;                  // what a byte for something that just happened holds
constexpr int ACTION_WIDTH = NUM_COLORS + NUM_SYMBOLS + NUM_OTHER_KINDS;

// A block holds `fixed` bytes and `each` more for every seat; the network's input is the byte divided by `unit`.
struct BlockShape {
    int fixed;
    int each;
    int unit;
};

struct BlockTable {
    BlockShape shapes[NUM_BLOCKS];
};

constexpr BlockTable make_block_table() {
    BlockTable table{};
    table.shapes[OWN_HAND] = {NUM_CARD_FACES, 0, 2};
    table.shapes[DISCARD_PILE] = {NUM_CARD_FACES, 0, 2};
    table.shapes[UNSEEN] = {NUM_CARD_FACES, 0, 2};
    table.shapes[ACTIVE_COLOR] = {NUM_COLORS, 0, 1};
    table.shapes[TOP_SYMBOL] = {NUM_SYMBOLS, 0, 1};
    table.shapes[HAND_SIZE_IS] = {0, NUM_SIZES, 1};
    table.shapes[HAND_SIZE] = {0, 1, 10};
    table.shapes[COLOR_COUNT] = {NUM_COLORS, 0, 5};
    table.shapes[HAS_COLOR] = {NUM_COLORS, 0, 1};
    table.shapes[DREW_CARDS] = {0, NUM_COLORS, RECENT};
    table.shapes[DREW_AGO] = {0, NUM_COLORS, RECENT};
    table.shapes[PLAYED_AGO] = {0, NUM_COLORS, RECENT};
    table.shapes[NAMED_AGO] = {0, NUM_COLORS, RECENT};
    table.shapes[LAST_ACTIONS] = {NUM_REMEMBERED * ACTION_WIDTH, NUM_REMEMBERED, 1};
    table.shapes[DRAWN_CARD] = {NUM_COLORS + NUM_SYMBOLS, 0, 1};
    table.shapes[PHASE] = {NUM_PHASES, 0, 1};
    table.shapes[LAST_COLOR] = {NUM_COLORS, 0, 1};
    table.shapes[TOP_PLAYER] = {0, 1, 1};
    table.shapes[DECLARED_UNO] = {0, 1, 1};
    table.shapes[DRAW_PILE_SIZE] = {1, 0, 100};
    table.shapes[DRAW_SUM] = {1, 0, 8};
    table.shapes[STUCK_PASSES] = {1, 0, 4};
    table.shapes[SWITCHES] = {NUM_SWITCHES, 0, 1};
    table.shapes[UNO_PENALTY] = {1, 0, 4};
    table.shapes[LEGAL_ACTIONS] = {NUM_ACTIONS, 0, 1};
    return table;
}

// Where each block begins; the last entry is the length of the row.
struct Layout {
    int start[NUM_BLOCKS + 1];
};

struct LayoutTable {
    Layout players[MAX_SEATS + 1];
};

constexpr LayoutTable make_layout_table() {
    const BlockTable blocks = make_block_table();
    LayoutTable table{};
    for (int players = 2; players <= MAX_SEATS; ++players) {
        int start = 0;
        for (int block = 0; block < NUM_BLOCKS; ++block) {
            table.players[players].start[block] = start;
            start += blocks.shapes[block].fixed + blocks.shapes[block].each * players;
        }
        table.players[players].start[NUM_BLOCKS] = start;
    }
    return table;
}

LASTCARD_TABLE BlockTable BLOCKS = make_block_table();
LASTCARD_TABLE LayoutTable LAYOUTS = make_layout_table();

LASTCARD_FN constexpr int encoding_size(int players) { return LAYOUTS.players[players].start[NUM_BLOCKS]; }

// What the observer can look at.
struct Sight {
    Hand hand;
    ActionSet legal;  // empty unless the observer is to act
    Turn turn;        // with a drawn card only if it is the observer's
    u8 sizes[MAX_SEATS];
    u8 observer;
    u8 draw_pile_size;
};

// What the seat to act sees of a state.
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

LASTCARD_FN void write_cards(const Sight& sight, const auto& trail, u8* row, const Layout& layout) {
    u8* own = row + layout.start[OWN_HAND];
    u8* discards = row + layout.start[DISCARD_PILE];
    u8* unseen = row + layout.start[UNSEEN];
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
        row[layout.start[COLOR_COUNT] + color] = static_cast<u8>(count);
        row[layout.start[HAS_COLOR] + color] = count > 0 ? 1 : 0;
    }
    row[layout.start[DRAW_PILE_SIZE]] = sight.draw_pile_size;
    row[layout.start[TOP_SYMBOL] + symbol_of(sight.turn.top)] = 1;
}

template <class R>
LASTCARD_FN void write_seats(const Sight& sight, const R& rules, const auto& trail, u8* row, const Layout& layout) {
    for (int on = 0; on < rules.players; ++on) {
        const int seat = seat_of(rules, sight.turn.direction, sight.observer, on);
        const int size = sight.sizes[seat];
        if (size >= 1 && size <= NUM_SIZES) row[layout.start[HAND_SIZE_IS] + NUM_SIZES * on + size - 1] = 1;
        row[layout.start[HAND_SIZE] + on] = static_cast<u8>(size);
        row[layout.start[TOP_PLAYER] + on] = sight.turn.player == seat ? 1 : 0;
        row[layout.start[DECLARED_UNO] + on] = static_cast<u8>(sight.turn.declared >> seat & 1);
        const HandTrail& hand = trail.hands[seat];
        for (int color = 0; color < NUM_COLORS; ++color) {
            const int at = NUM_COLORS * on + color;
            const int since = hand.got - hand.drew_got[color];
            if (hand.drew_at[color] != 0) {
                row[layout.start[DREW_CARDS] + at] = static_cast<u8>(RECENT / (since > 1 ? since : 1));
                row[layout.start[DREW_AGO] + at] = fade(trail.clock, hand.drew_at[color], rules.players);
            }
            row[layout.start[PLAYED_AGO] + at] = fade(trail.clock, hand.played_at[color], rules.players);
            row[layout.start[NAMED_AGO] + at] = fade(trail.clock, hand.named_at[color], rules.players);
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
LASTCARD_FN void write_last_actions(const Sight& sight, const R& rules, const auto& trail, u8* row,
                                    const Layout& layout) {
    u8* place = row + layout.start[LAST_ACTIONS];
    for (int i = 0; i < NUM_REMEMBERED; ++i, place += ACTION_WIDTH + rules.players) {
        const int action = static_cast<int>(trail.last_actions >> (8 * i) & 255);
        const int seat = static_cast<int>(trail.last_seats >> (8 * i) & 255);
        if (action == 255) break;
        place[seats_on(rules, sight.turn.direction, sight.observer, seat)] = 1;
        u8* what = place + rules.players;
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
LASTCARD_FN void write_turn(const Sight& sight, const R& rules, u8* row, const Layout& layout) {
    const Turn& turn = sight.turn;
    if (turn.active_color < NO_COLOR) row[layout.start[ACTIVE_COLOR] + turn.active_color] = 1;
    if (turn.last_color < NO_COLOR) row[layout.start[LAST_COLOR] + turn.last_color] = 1;
    if (turn.phase != Phase::OVER) row[layout.start[PHASE] + static_cast<int>(turn.phase)] = 1;
    if (turn.drawn != NO_CARD) {
        u8* drawn = row + layout.start[DRAWN_CARD];
        if (is_colored(turn.drawn)) drawn[color_of(turn.drawn)] = 1;
        drawn[NUM_COLORS + symbol_of(turn.drawn)] = 1;
    }
    row[layout.start[DRAW_SUM]] = turn.draw_sum;
    row[layout.start[STUCK_PASSES]] = turn.stuck_passes;
    row[layout.start[UNO_PENALTY]] = static_cast<u8>(rules.uno_penalty);
    u8* switches = row + layout.start[SWITCHES];
    switches[static_cast<int>(rules.wild_draw_four)] = 1;
    switches[4 + static_cast<int>(rules.stacking)] = 1;
    switches[7 + static_cast<int>(rules.drawn_card)] = 1;
    switches[10] = rules.scoring == Scoring::LOWEST ? 1 : 0;
    switches[11] = rules.draw_until_playable ? 1 : 0;
    switches[12] = rules.must_play ? 1 : 0;
    switches[13] = rules.seven_zero ? 1 : 0;
    switches[14] = rules.jump_in ? 1 : 0;
}

// Writes `encoding_size(players)` bytes.
template <class R>
LASTCARD_FN void encode(const Sight& sight, const R& rules, const auto& trail, u8* row) {
    const Layout& layout = LAYOUTS.players[rules.players];
    for (int i = 0; i < layout.start[NUM_BLOCKS]; ++i) row[i] = 0;
    write_cards(sight, trail, row, layout);
    write_seats(sight, rules, trail, row, layout);
    write_last_actions(sight, rules, trail, row, layout);
    write_turn(sight, rules, row, layout);
    write_mask(sight, rules, row + layout.start[LEGAL_ACTIONS]);
}

}  // namespace lastcard
