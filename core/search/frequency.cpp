#include "search/frequency.hpp"

#include <algorithm>

#include "search/decision.hpp"

namespace lastcard {

namespace {

constexpr u64 NUMBER_BITS = 0x3FFull | 0x3FFull << 13 | 0x3FFull << 26 | 0x3FFull << 39;

int count_in_deck(const Rules& rules, u64 ids) {
    return static_cast<int>(
        std::count_if(rules.deck, rules.deck + rules.deck_size, [ids](u8 card) { return (bit_of(card) & ids) != 0; }));
}

// The first card of the color of which most was seen, of the colors that any card has.
int find_by_color(const SeenCards& counts, u64 cards) {
    int best = NO_COLOR;
    for (int color = 0; color < NUM_COLORS; ++color) {
        const auto seen_of = [&](int each) { return counts.colors[each]; };
        if ((cards & color_bits(color)) != 0 && (best == NO_COLOR || seen_of(color) > seen_of(best))) best = color;
    }
    return best == NO_COLOR ? NO_CARD : lowest_bit(cards & color_bits(best));
}

// The first card of the number of which most was seen, of the numbers that any card has.
int find_by_number(const SeenCards& counts, u64 cards) {
    int best = NO_RANK;
    for (int rank = 0; rank < SeenCards::NUMBERS; ++rank) {
        const auto seen_of = [&](int each) { return counts.numbers[each]; };
        if ((cards & rank_bits(rank)) != 0 && (best == NO_RANK || seen_of(rank) > seen_of(best))) best = rank;
    }
    return best == NO_RANK ? NO_CARD : lowest_bit(cards & rank_bits(best));
}

class Frequency {
public:
    Frequency(const Observation& observation, const FrequencySettings& with, u64 random)
        : seen(observation), settings(with), seed(random), counts(count_seen(observation)) {}

    FrequencyChoice choose() const {
        const ActionSet& legal = seen.legal;
        const int first = nth_action(legal, 0);
        if (num_actions(legal) == 1) return {first, FrequencyReason::ONLY_LEGAL};
        for (const int call : {UNO, CATCH}) {
            if (contains(legal, call)) return {call, FrequencyReason::CALL};
        }
        if (first >= FIRST_COLOR) return {FIRST_COLOR + choose_color(), FrequencyReason::COLOR};
        if (first >= FIRST_SWAP) return {smallest_hand(), FrequencyReason::SMALLEST_HAND};
        const FrequencyChoice play = choose_play();
        if (play.action != NO_CARD) return play;
        for (const int otherwise : {DRAW, KEEP, PASS}) {
            if (contains(legal, otherwise)) return {otherwise, play.reason};
        }
        if ((legal.plays & FOUR_BITS) != 0) return {FIRST_FOUR + choose_color(), FrequencyReason::FOUR_IS_ALL};
        if (contains(legal, CHALLENGE) && distrusts()) return {CHALLENGE, FrequencyReason::DISTRUST};
        return {ACCEPT, FrequencyReason::TRUST};
    }

private:
    const Observation& seen;
    const FrequencySettings& settings;
    u64 seed;
    SeenCards counts;

    // Holds back a Wild Draw Four that comes too early: then there is no card.
    FrequencyChoice choose_play() const {
        const u64 plays = seen.legal.plays;
        const int players = seen.rules.players;
        const int next = (seen.observer + seen.turn.direction + players) % players;
        const bool goes_out = settings.four_to_go_out && num_cards(seen.hand) == 1;
        if ((plays & FOUR_BITS) != 0 && (goes_out || seen.hand_sizes[next] < settings.four_below)) {
            return {FIRST_FOUR + choose_color(), goes_out ? FrequencyReason::LAST_FOUR : FrequencyReason::FOUR_IN_TIME};
        }
        if ((plays & WILD_BITS) != 0) return {FIRST_WILD + choose_color(), FrequencyReason::WILD};
        const u64 specials = plays & COLORED_BITS & ~NUMBER_BITS;
        if (specials != 0) return {find_by_color(counts, specials), FrequencyReason::SPECIAL};
        if ((plays & NUMBER_BITS) == 0) return {NO_CARD, FrequencyReason::NOTHING_YET};
        return choose_number(plays & NUMBER_BITS);
    }

    // Keeps to the color or to the number on top, whichever is more used up.
    FrequencyChoice choose_number(u64 plays) const {
        const int color = seen.turn.active_color;
        const int rank = PLAYS.rank[seen.turn.top_play];
        const int same_color = color == NO_COLOR ? NO_CARD : find_by_number(counts, plays & color_bits(color));
        const int same_number = rank >= SeenCards::NUMBERS ? NO_CARD : find_by_color(counts, plays & rank_bits(rank));
        if (same_number == NO_CARD && same_color != NO_CARD) return {same_color, FrequencyReason::ONLY_COLOR};
        if (same_color == NO_CARD) return {same_number, FrequencyReason::ONLY_NUMBER};
        const double of_color = counts.colors[color];
        const double of_number = counts.numbers[rank];
        const bool keeps_color = of_color / count_in_deck(seen.rules, color_bits(color)) >=
                                 of_number / count_in_deck(seen.rules, rank_bits(rank));
        if (keeps_color) return {same_color, FrequencyReason::KEEPS_COLOR};
        return {same_number, FrequencyReason::KEEPS_NUMBER};
    }

    // The color in hand of which most was seen; any, if there is none in hand.
    int choose_color() const {
        const int card = find_by_color(counts, seen.hand.first);
        Rng rng = decision_rng(seen, seed);
        return card == NO_CARD ? scale_high(next_random(rng), NUM_COLORS) : color_of(card);
    }

    int smallest_hand() const {
        int best = NO_CARD;
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            const auto size_of = [&](int each) { return seen.hand_sizes[each]; };
            if (contains(seen.legal, FIRST_SWAP + seat) && (best == NO_CARD || size_of(seat) < size_of(best)))
                best = seat;
        }
        return FIRST_SWAP + best;
    }

    // Whether the seat that played a Wild Draw Four should have been able to follow the color (Rule 6.4).
    bool distrusts() const {
        const int color = seen.turn.last_color;
        if (color == NO_COLOR || seen.turn.player == NO_SEAT) return false;
        const int unseen = count_in_deck(seen.rules, color_bits(color)) - counts.colors[color];
        const int hidden = seen.rules.deck_size - num_cards(seen.hand) - static_cast<int>(seen.discards.size());
        const int held = seen.hand_sizes[seen.turn.player] * unseen;
        return static_cast<double>(held) / std::max(hidden, 1) >= settings.challenge_from;
    }
};

}  // namespace

SeenCards count_seen(const Observation& seen) {
    SeenCards counts;
    for (int color = 0; color < NUM_COLORS; ++color) counts.colors[color] = count_of(seen.hand, color_bits(color));
    for (int rank = 0; rank < SeenCards::NUMBERS; ++rank) counts.numbers[rank] = count_of(seen.hand, rank_bits(rank));
    for (const u8 card : seen.discards) {
        if (!is_colored(card)) continue;
        counts.colors[color_of(card)] += 1;
        if (rank_of(card) < SeenCards::NUMBERS) counts.numbers[rank_of(card)] += 1;
    }
    return counts;
}

FrequencyChoice choose_by_frequency(const Observation& seen, const FrequencySettings& settings, u64 seed) {
    return Frequency(seen, settings, seed).choose();
}

}  // namespace lastcard
