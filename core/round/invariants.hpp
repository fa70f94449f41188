// What must hold after every ply of every round, under any rules. check_rounds.hpp plays rounds to see that it does.
//
// Cards are counted as multisets in two bit planes (`Hand`), so that a full count after every ply is affordable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "rules/state.hpp"

namespace lastcard {

// ---- Counting cards ------------------------------------------------------------------------------------------------

// Adds `cards` to `sum`; false when a card would be there three times.
inline bool add_all(Hand& sum, const Hand& cards) {
    const u64 thrice = (sum.second & cards.first) | (sum.first & cards.second);
    sum.second |= cards.second | (sum.first & cards.first);
    sum.first |= cards.first;
    return thrice == 0;
}

inline bool is_same(const Hand& a, const Hand& b) { return a.first == b.first && a.second == b.second; }

// A pile as it was when last counted.
struct CountedPile {
    Hand counts{};
    int size = 0;
    u8 cards[MAX_CARDS] = {};
};

// Counts only what came or went since, once it is sure that the rest is as it was. A third copy shows as a count that
// does not reach the size.
inline bool recount(CountedPile& seen, const u8* cards, int size) {
    int common = std::min(seen.size, size);
    if (std::memcmp(seen.cards, cards, static_cast<std::size_t>(common)) != 0) {
        common = 0;
        seen.counts = Hand{0, 0};
    } else {
        for (int i = common; i < seen.size; ++i) take_card(seen.counts, bit_of(seen.cards[i]));
    }
    for (int i = common; i < size; ++i) add_card(seen.counts, cards[i]);
    std::memcpy(seen.cards + common, cards + common, static_cast<std::size_t>(size - common));
    seen.size = size;
    return num_cards(seen.counts) == size;
}

// Where the cards are, followed from ply to ply.
struct Ledger {
    Hand deck{};
    CountedPile pile;
    CountedPile discards;  // of an ordered pile, the top card included
    Hand covered{};        // what lies under the top card: played since the last reshuffle
};

inline Ledger open_ledger(const Rules& rules) {
    Ledger ledger;
    for (int i = 0; i < rules.deck_size; ++i) add_card(ledger.deck, rules.deck[i]);
    return ledger;
}

// The discards of a set pile are implied; those of an ordered one must be the cards played, with the top card last.
inline bool are_discards_right(Ledger&, const SetPile&, int) { return true; }

inline bool are_discards_right(Ledger& ledger, const OrderedPile& pile, int top) {
    if (pile.num_discards < 1 || pile.discards[pile.num_discards - 1] != top) return false;
    Hand played = ledger.covered;
    return recount(ledger.discards, pile.discards, pile.num_discards) && add_all(played, Hand{bit_of(top), 0}) &&
           is_same(ledger.discards.counts, played);
}

// Rule 1.3: each card of the deck lies in just one place.
template <class S>
const char* check_places(Ledger& ledger, const S& state, const Rules& rules) {
    if (state.pile.size < 0 || state.pile.size > rules.deck_size) return "the draw pile has an impossible size";
    if (state.turn.top >= NUM_CARD_IDS) return "no top card";
    if (!recount(ledger.pile, state.pile.cards, state.pile.size)) return "a card is in the draw pile three times";
    if (!are_discards_right(ledger, state.pile, state.turn.top)) return "the discard pile is not what was played";
    Hand sum = ledger.covered;
    bool fits = add_all(sum, Hand{bit_of(state.turn.top), 0}) && add_all(sum, ledger.pile.counts);
    for (int seat = 0; seat < rules.players; ++seat) {
        const Hand& hand = state.hands[seat];
        fits = (hand.second & ~hand.first) == 0 && add_all(sum, hand) && fits;
    }
    return fits && is_same(sum, ledger.deck) ? nullptr : "cards are missing or there too often";
}

// ---- The turn -------------------------------------------------------------------------------------------------------

inline const char* check_declared(const Turn& turn, const Rules& rules, const Hand* hands) {
    if (rules.uno_penalty == 0 || turn.declared >> rules.players != 0) return "a declaration that nobody made";
    for (int seat = 0; seat < rules.players; ++seat) {
        if ((turn.declared >> seat & 1) == 0) continue;
        const int held = num_cards(hands[seat]);
        if (held > 2 || (held == 2 && turn.seat != seat)) return "a declaration of UNO has outlived its hand";
    }
    return nullptr;
}

// The seat that is asked something because of the card on top.
inline const char* check_question(const Turn& turn, const Rules& rules, const Hand* hands) {
    if (turn.player >= rules.players) return "nobody has played the top card";
    const bool is_own = turn.seat == turn.player;
    if (turn.phase == Phase::SWAP) {
        return is_own && rules.seven_zero && PLAYS.rank[turn.top_play] == RANK_SEVEN ? nullptr : "a swap without a 7";
    }
    if (turn.phase == Phase::CATCH_UNO) {  // Rule 7.3: the offender is asked as well
        const bool is_forgotten = num_cards(hands[turn.player]) == 1 && (turn.declared >> turn.player & 1) == 0;
        return is_forgotten && rules.uno_penalty > 0 ? nullptr : "a catch without a forgotten UNO";
    }
    if (is_own) return "a seat is asked about its own card";
    if (turn.phase == Phase::ANSWER) return turn.draw_sum > 0 ? nullptr : "an answer to nothing";
    const bool is_held = is_colored(turn.top) && (hands[turn.seat].first & bit_of(turn.top)) != 0;
    return is_held && rules.jump_in ? nullptr : "a jump-in without the card";
}

inline bool are_plays_held(u64 plays, const Hand& hand) {
    return (plays & COLORED_BITS & ~hand.first) == 0 && ((plays & WILD_BITS) == 0 || (hand.first & WILD_BITS) != 0) &&
           ((plays & FOUR_BITS) == 0 || (hand.first & FOUR_BITS) != 0);
}

// What the parts of a round in progress say about each other.
inline const char* check_turn(const Turn& turn, const Rules& rules, const Hand* hands, const ActionSet& legal) {
    if (turn.seat >= rules.players) return "no seat to act";
    if (turn.winner != NO_SEAT || turn.ending != Ending::NONE) return "an outcome before the end";
    if ((legal.plays | legal.others) == 0) return "no legal action";
    if (!are_plays_held(legal.plays, hands[turn.seat])) return "a legal play of a card that is not held";
    if (turn.direction != 1 && turn.direction != -1) return "no direction";
    if (turn.stuck_passes >= rules.players) return "a blocked round goes on";
    const bool is_unnamed = turn.phase == Phase::NAME_COLOR;
    if (is_unnamed != (turn.active_color == NO_COLOR)) return "no active color";
    if (!is_unnamed &&
        (turn.active_color != PLAYS.color[turn.top_play] || face_of(turn.top) != face_of(turn.top_play))) {
        return "the top card counts as another";
    }
    if (is_unnamed && (turn.ply > 0 || face_of(turn.top) != FIRST_WILD)) return "a color is asked for no Wild";
    const bool has_drawn = turn.drawn != NO_CARD;
    if (has_drawn != (turn.phase == Phase::DRAWN)) return "a drawn card in another phase";
    if (has_drawn && (hands[turn.seat].first & bit_of(turn.drawn)) == 0) return "the drawn card is not in the hand";
    const bool can_wait = turn.phase == Phase::ANSWER || turn.phase == Phase::CATCH_UNO;
    if (turn.draw_sum > 0 && !(can_wait && PLAYS.penalty[turn.top_play] > 0)) return "a draw sum waits for nobody";
    for (int seat = 0; seat < rules.players; ++seat) {
        const bool may_be_out = turn.phase == Phase::ANSWER && seat == turn.player;  // Rule 8.2
        if (is_empty(hands[seat]) && !may_be_out) return "an empty hand before the end";
    }
    if (turn.declared != 0) {
        if (const char* fault = check_declared(turn, rules, hands)) return fault;
    }
    return turn.phase >= Phase::ANSWER ? check_question(turn, rules, hands) : nullptr;
}

// ---- The end --------------------------------------------------------------------------------------------------------

// Rule 9.1, card by card.
inline int count_points(const Hand& hand) {
    int points = 0;
    for (int card = 0; card < NUM_CARD_IDS; ++card) {
        const int worth = !is_colored(card) ? 50 : rank_of(card) >= SKIP ? 20 : rank_of(card);
        points += worth * count_of(hand, bit_of(card));
    }
    return points;
}

// Rules 5.3, 5.4, 8.1, 9.1 and 9.3, worked out from the hands that are left.
template <class S>
const char* check_end(const S& state, const Rules& rules) {
    const Turn& turn = state.turn;
    if (turn.seat != NO_SEAT || turn.drawn != NO_CARD || turn.draw_sum != 0) {
        // A round cut short by Rule 5.4 may leave a sum that nobody will draw.
        if (turn.seat != NO_SEAT || turn.drawn != NO_CARD || turn.ending != Ending::MAX_PLIES) return "play goes on";
    }
    if (turn.ply > rules.max_plies) return "more plies than allowed";
    int held[MAX_SEATS], scored[MAX_SEATS];
    int sum = 0, fewest = 1 << 30, num_fewest = 0, lowest_seat = NO_SEAT, num_empty = 0;
    for (int seat = 0; seat < rules.players; ++seat) {
        held[seat] = count_points(state.hands[seat]);
        sum += held[seat];
        num_empty += is_empty(state.hands[seat]) ? 1 : 0;
        if (held[seat] < fewest) lowest_seat = seat;
        num_fewest = held[seat] < fewest ? 1 : num_fewest + (held[seat] == fewest ? 1 : 0);
        fewest = std::min(fewest, held[seat]);
    }
    int winner = num_fewest == 1 ? lowest_seat : NO_SEAT;
    if (turn.ending == Ending::WENT_OUT) {
        winner = turn.player;
        if (winner >= rules.players || !is_empty(state.hands[winner]) || num_empty != 1) return "nobody went out";
    } else if (turn.ending == Ending::BLOCKED) {
        if (turn.stuck_passes != rules.players || state.pile.size != 0) return "the round was not blocked";
    } else if (turn.ending != Ending::MAX_PLIES || turn.ply != rules.max_plies) {
        return "the round ended for no reason";
    }
    if (turn.winner != winner) return "the wrong winner";
    score_round(state, rules, scored);
    for (int seat = 0; seat < rules.players; ++seat) {
        int expected = 0;
        if (winner != NO_SEAT && rules.scoring == Scoring::LOWEST) expected = held[seat];
        else if (seat == winner) expected = sum - held[seat] - held[seat];
        if (scored[seat] != expected) return "the scores do not add up";
    }
    return nullptr;
}

// ---- Comparing two rounds -------------------------------------------------------------------------------------------

inline bool is_same_pile(const SetPile& a, const SetPile& b) {
    return a.rng.state == b.rng.state && a.size == b.size &&
           std::memcmp(a.cards, b.cards, static_cast<std::size_t>(a.size)) == 0;
}

inline bool is_same_pile(const OrderedPile& a, const OrderedPile& b) {
    return a.size == b.size && a.num_discards == b.num_discards && a.reshuffles == b.reshuffles &&
           std::memcmp(a.cards, b.cards, static_cast<std::size_t>(a.size)) == 0 &&
           std::memcmp(a.discards, b.discards, static_cast<std::size_t>(a.num_discards)) == 0;
}

// Bit for bit, whatever room the states have for hands.
template <class A, class B>
bool is_same_state(const A& a, const B& b, const Rules& rules) {
    static_assert(offsetof(Turn, direction) == 20, "a turn has no gaps that could differ");
    if (std::memcmp(&a.turn, &b.turn, offsetof(Turn, direction) + 1) != 0) return false;
    bool same = is_same_pile(a.pile, b.pile) && is_same(a.shown, b.shown);
    for (int seat = 0; seat < rules.players; ++seat) same = same && is_same(a.hands[seat], b.hands[seat]);
    return same;
}

}  // namespace lastcard
