// The switches of the game. Every function of the engine takes rules of any type with these fields: `Rules` holds them
// at run time, `OfficialRules` at compile time, where the compiler drops what they rule out.
#pragma once

#include "rules/cards.hpp"

namespace lastcard {

enum class WildDrawFour : u8 { STRICT, BLUFF, FREE, LAST_RESORT };
enum class Stacking : u8 { NONE, SAME, ANY_UP };
enum class DrawnCard : u8 { MAY_PLAY, MUST_PLAY, END_TURN };
enum class Scoring : u8 { WINNER, LOWEST };

struct Rules {
    u8 deck[MAX_CARDS];  // Rule 1.2: card ids, ascending
    int deck_size;
    u32 max_plies;
    int players;
    int hand_size;
    int target_score;  // of a game; nothing in a round depends on it, but what a seat aims at does
    int uno_penalty;
    WildDrawFour wild_draw_four;
    Stacking stacking;
    DrawnCard drawn_card;
    Scoring scoring;
    bool draw_until_playable;
    bool must_play;
    bool seven_zero;
    bool jump_in;

    bool operator==(const Rules&) const = default;
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
    static constexpr u32 max_plies = ALL.max_plies;
    static constexpr int players = ALL.players;
    static constexpr int hand_size = ALL.hand_size;
    static constexpr int target_score = ALL.target_score;
    static constexpr int uno_penalty = ALL.uno_penalty;
    static constexpr WildDrawFour wild_draw_four = ALL.wild_draw_four;
    static constexpr Stacking stacking = ALL.stacking;
    static constexpr DrawnCard drawn_card = ALL.drawn_card;
    static constexpr Scoring scoring = ALL.scoring;
    static constexpr bool draw_until_playable = ALL.draw_until_playable;
    static constexpr bool must_play = ALL.must_play;
    static constexpr bool seven_zero = ALL.seven_zero;
    static constexpr bool jump_in = ALL.jump_in;
};

}  // namespace lastcard
