// Where everything stands in a row of bytes: the blocks of the encoding.
//
// A row has room for ten seats whatever the table, and grows at its end only: a new switch adds a byte, and a network
// that was trained on fewer inputs reads the first ones. A change of any byte's meaning needs a new version.
#pragma once

#include "rules/actions.hpp"
#include "rules/trail.hpp"

namespace lastcard {

constexpr int ENCODING_VERSION = 2;

// Never change one of them or their order: append.
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
    LEGAL_ACTIONS,    // one for each action index
    SIZE_RANGE,       // for each seat, one of eight: hands of more than ten
    CARDS_GOT,        // for each seat, since the deal
    OWN_SYMBOLS,      // own cards of each symbol
    UNSEEN_SYMBOLS,   // likewise, in other hands and the draw pile
    STOPPING_RANGE,   // one of ten: own cards that cost the next seat its turn
    OTHERS_RANGE,     // one of ten: own cards that do not
    UNSEEN_STOPPING,  // cards elsewhere that cost the next seat its turn
    LEGAL_PLAYS,      // how many there are
    DRAW_PILE_RANGE,  // one of eight
    ROUND_LASTED,     // for each of ten powers of 2: at least so many actions
    RESHUFFLES,
    PLAYERS_ARE,     // one of nine
    DEALT_CARDS,     // of the rules
    SCORE,           // for each seat, before this round
    TARGET_SCORE,    // of the rules
    SCORE_SHARE,     // for each seat, of the target score in percent
    MOST_PLIES,      // for each of thirteen powers of 2: a round may have at least so many plies
    KNOWN_CARDS,     // copies of each face that are known to be in other hands
    KNOWN_STOPPING,  // how many of these cost the next seat its turn
    NUM_KNOWN,       // how many there are
    MORE_SWITCHES,   // of the rules: those that the blocks above do not show
    NUM_BLOCKS,
};

constexpr int NUM_SYMBOLS = NUM_RANKS + 2;  // thirteen ranks, Wild, Wild Draw Four
constexpr int NUM_OTHER_KINDS = 6;          // draw, accept, challenge, uno, catch, swap
constexpr int NUM_SIZES = 10;               // hand sizes that have a place of their own
constexpr int NUM_PHASES = 7;
constexpr int NUM_SWITCHES = 4 + 3 + 3 + 5;  // wild_draw_four, stacking, drawn_card, and five that are on or off
constexpr int SCORING_SWITCH = 10;           // which of them is on where the lowest score wins
constexpr int RECENT = 240;                  // what a byte for something that just happened holds
constexpr int NUM_RANGES = 10;
constexpr int NUM_LARGE_RANGES = 8;
constexpr int FIRST_POWER = 4;  // of 2: sixteen actions
constexpr int NUM_POWERS = 10;
constexpr int NUM_PLY_POWERS = 13;
constexpr int SCORE_STEP = 4;  // points in one unit of a byte
constexpr int TARGET_STEP = 20;
constexpr int ACTION_WIDTH = NUM_COLORS + NUM_SYMBOLS + NUM_OTHER_KINDS;
// Fields of the rules from here on have a byte each, without further code.
constexpr int FIRST_OF_MORE_SWITCHES = RULE_jump_in + 1;
constexpr int NUM_MORE_SWITCHES = NUM_RULES - FIRST_OF_MORE_SWITCHES;
static_assert(FIRST_OF_MORE_SWITCHES == 13, "a new field goes to the end of LASTCARD_RULES");

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
    table.shapes[SIZE_RANGE] = {0, NUM_LARGE_RANGES, 1};
    table.shapes[CARDS_GOT] = {0, 1, 20};
    table.shapes[OWN_SYMBOLS] = {NUM_SYMBOLS, 0, 4};
    table.shapes[UNSEEN_SYMBOLS] = {NUM_SYMBOLS, 0, 8};
    table.shapes[STOPPING_RANGE] = {NUM_RANGES, 0, 1};
    table.shapes[OTHERS_RANGE] = {NUM_RANGES, 0, 1};
    table.shapes[UNSEEN_STOPPING] = {1, 0, 16};
    table.shapes[LEGAL_PLAYS] = {1, 0, 8};
    table.shapes[DRAW_PILE_RANGE] = {NUM_LARGE_RANGES, 0, 1};
    table.shapes[ROUND_LASTED] = {NUM_POWERS, 0, 1};
    table.shapes[RESHUFFLES] = {1, 0, 4};
    table.shapes[PLAYERS_ARE] = {MAX_SEATS - 1, 0, 1};
    table.shapes[DEALT_CARDS] = {1, 0, 7};
    table.shapes[SCORE] = {0, 1, 125};
    table.shapes[TARGET_SCORE] = {1, 0, 25};
    table.shapes[SCORE_SHARE] = {0, 1, 100};
    table.shapes[MOST_PLIES] = {NUM_PLY_POWERS, 0, 1};
    table.shapes[KNOWN_CARDS] = {NUM_CARD_FACES, 0, 2};
    table.shapes[KNOWN_STOPPING] = {1, 0, 8};
    table.shapes[NUM_KNOWN] = {1, 0, 10};
    // Bytes that no switch has yet stay 0: a row is a multiple of four bytes long.
    table.shapes[MORE_SWITCHES] = {(NUM_MORE_SWITCHES + 3) / 4 * 4, 0, 1};
    return table;
}

// Where each block begins; the last entry is the length of the row.
struct Layout {
    int start[NUM_BLOCKS + 1];
};

constexpr Layout make_layout(const BlockTable& blocks) {
    Layout layout{};
    for (int block = 0; block < NUM_BLOCKS; ++block)
        layout.start[block + 1] =
            layout.start[block] + blocks.shapes[block].fixed + blocks.shapes[block].each * MAX_SEATS;
    return layout;
}

LASTCARD_TABLE BlockTable BLOCKS = make_block_table();
LASTCARD_TABLE Layout LAYOUT = make_layout(make_block_table());

constexpr int ENCODING_SIZE = LAYOUT.start[NUM_BLOCKS];
// A network reads at least the blocks before this one.
constexpr int LEAST_INPUTS = LAYOUT.start[SIZE_RANGE];
// Networks have been trained on these places, and a GPU copies rows by four bytes.
static_assert(LEAST_INPUTS == 819 && LAYOUT.start[SCORE] == 990 && ENCODING_SIZE % 4 == 0);
static_assert(LAYOUT.start[TARGET_SCORE] == 1000 && LAYOUT.start[KNOWN_CARDS] == 1024);

}  // namespace lastcard
