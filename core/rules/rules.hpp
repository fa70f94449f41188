// The switches of the game. Every function of the engine takes rules of any type with these fields: `Rules` holds them
// at run time, `OfficialRules` at compile time, where the compiler drops what they rule out.
#pragma once

#include "rules/cards.hpp"

namespace lastcard {

enum class WildDrawFour : u8 { STRICT, BLUFF, FREE, LAST_RESORT };
enum class Stacking : u8 { NONE, SAME, ANY_UP };
enum class DrawnCard : u8 { MAY_PLAY, MUST_PLAY, END_TURN };
enum class Scoring : u8 { WINNER, LOWEST };

// Every field but the deck: type, name, least and most. Python, JavaScript and the tests fill rules by this table, and
// the encoding for networks writes it. A new field goes to the end.
#define LASTCARD_RULES(FIELD)                                                                         \
    FIELD(u32, max_plies, 1, 1'000'000)                                                               \
    FIELD(int, players, 2, MAX_SEATS)                                                                 \
    FIELD(int, hand_size, 1, 50)                                                                      \
    FIELD(int, target_score, 1, 1'000'000) /* no round depends on it, but what a seat aims at does */ \
    FIELD(int, uno_penalty, 0, 10)                                                                    \
    FIELD(WildDrawFour, wild_draw_four, 0, 3)                                                         \
    FIELD(Stacking, stacking, 0, 2)                                                                   \
    FIELD(DrawnCard, drawn_card, 0, 2)                                                                \
    FIELD(Scoring, scoring, 0, 1)                                                                     \
    FIELD(bool, draw_until_playable, 0, 1)                                                            \
    FIELD(bool, must_play, 0, 1)                                                                      \
    FIELD(bool, seven_zero, 0, 1)                                                                     \
    FIELD(bool, jump_in, 0, 1)

#define LASTCARD_RULE_INDEX(type, name, least, most) RULE_##name,
#define LASTCARD_RULE_MEMBER(type, name, least, most) type name;
#define LASTCARD_RULE_VISIT(type, name, least, most) visit(#name, &Rules::name, least, most);
#define LASTCARD_RULE_CONSTANT(type, name, least, most) static constexpr type name = ALL.name;

enum RuleIndex : int { LASTCARD_RULES(LASTCARD_RULE_INDEX) NUM_RULES };

struct Rules {
    u8 deck[MAX_CARDS];  // Rule 1.2: card ids, ascending
    int deck_size;
    LASTCARD_RULES(LASTCARD_RULE_MEMBER)

    bool operator==(const Rules&) const = default;

    // Calls `visit(name, member, least, most)` for each field of the table.
    template <class Visit>
    static void visit_fields(const Visit& visit) {
        LASTCARD_RULES(LASTCARD_RULE_VISIT)
    }
};

struct DeckTable {
    u8 cards[MAX_CARDS];
};

constexpr int OFFICIAL_DECK_SIZE = 108;

// Rule 1.1.
constexpr DeckTable make_official_deck() {
    DeckTable deck{};
    int size = 0;
    for (int card = 0; card < NUM_CARD_IDS; ++card) {
        deck.cards[size++] = static_cast<u8>(card);
        if (is_colored(card) && rank_of(card) != 0) deck.cards[size++] = static_cast<u8>(card);
    }
    return deck;
}

LASTCARD_TABLE DeckTable OFFICIAL_DECK = make_official_deck();

// Rule 11.2: every switch that is not named here is off.
constexpr Rules make_official_rules(int players) {
    Rules rules{};
    const DeckTable deck = make_official_deck();
    for (int i = 0; i < OFFICIAL_DECK_SIZE; ++i) rules.deck[i] = deck.cards[i];
    rules.deck_size = OFFICIAL_DECK_SIZE;
    rules.max_plies = 10'000;
    rules.players = players;
    rules.hand_size = 7;
    rules.target_score = 500;
    return rules;
}

template <int PLAYERS>
struct OfficialRules {
    static constexpr Rules ALL = make_official_rules(PLAYERS);
    static constexpr const u8* deck = OFFICIAL_DECK.cards;
    static constexpr int deck_size = ALL.deck_size;
    LASTCARD_RULES(LASTCARD_RULE_CONSTANT)
};

}  // namespace lastcard
