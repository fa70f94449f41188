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
    int uno_penalty;
    WildDrawFour wild_draw_four;
    Stacking stacking;
    DrawnCard drawn_card;
    Scoring scoring;
    bool draw_until_playable;
    bool must_play;
    bool seven_zero;
    bool jump_in;
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

template <int PLAYERS>
struct OfficialRules {
    static constexpr const u8* deck = OFFICIAL_DECK.cards;
    static constexpr int deck_size = OFFICIAL_DECK_SIZE;
    static constexpr u32 max_plies = 10'000;
    static constexpr int players = PLAYERS;
    static constexpr int hand_size = 7;
    static constexpr int uno_penalty = 0;
    static constexpr WildDrawFour wild_draw_four = WildDrawFour::STRICT;
    static constexpr Stacking stacking = Stacking::NONE;
    static constexpr DrawnCard drawn_card = DrawnCard::MAY_PLAY;
    static constexpr Scoring scoring = Scoring::WINNER;
    static constexpr bool draw_until_playable = false;
    static constexpr bool must_play = false;
    static constexpr bool seven_zero = false;
    static constexpr bool jump_in = false;
};

// Whether run-time rules ask for exactly the game that `Fixed` knows at compile time.
template <class Fixed>
LASTCARD_FN bool are_same_rules(const Rules& rules, const Fixed& fixed) {
    for (int i = 0; i < fixed.deck_size; ++i) {
        if (rules.deck[i] != fixed.deck[i]) return false;
    }
    return rules.deck_size == fixed.deck_size && rules.max_plies == fixed.max_plies && rules.players == fixed.players &&
           rules.hand_size == fixed.hand_size && rules.uno_penalty == fixed.uno_penalty &&
           rules.wild_draw_four == fixed.wild_draw_four && rules.stacking == fixed.stacking &&
           rules.drawn_card == fixed.drawn_card && rules.scoring == fixed.scoring &&
           rules.draw_until_playable == fixed.draw_until_playable && rules.must_play == fixed.must_play &&
           rules.seven_zero == fixed.seven_zero && rules.jump_in == fixed.jump_in;
}

}  // namespace lastcard
