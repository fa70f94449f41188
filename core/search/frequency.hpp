// `frequency`: counts the cards it has seen, and leaves the others what is nearly used up.
#pragma once

#include "round/observation.hpp"

namespace lastcard {

struct FrequencySettings {
    int four_below = 4;           // plays a Wild Draw Four only while the next seat holds fewer cards
    bool four_to_go_out = true;   // or as the last card in any case
    double challenge_from = 1.0;  // challenges a seat that should hold at least so many cards of the color
};

// The rule that made a choice.
enum class FrequencyReason : u8 {
    ONLY_LEGAL,
    CALL,           // UNO and catches come before everything else
    SMALLEST_HAND,  // to swap for
    COLOR,          // of those in hand, the one seen most
    LAST_FOUR,
    FOUR_IN_TIME,
    WILD,
    SPECIAL,
    NOTHING_YET,
    ONLY_COLOR,    // can be kept to
    ONLY_NUMBER,   // likewise
    KEEPS_COLOR,   // which is at least as much used up as the number
    KEEPS_NUMBER,  // which is more used up than the color
    DISTRUST,
    TRUST,
    FOUR_IS_ALL,  // that can be played
};

struct FrequencyChoice {
    int action;
    FrequencyReason reason;
};

// How many cards of each color and number lie in the observer's hand and on the discard pile.
struct SeenCards {
    static constexpr int NUMBERS = 10;
    Indexed<int, NUM_COLORS> colors{};
    Indexed<int, NUMBERS> numbers{};
};

SeenCards count_seen(const Observation& seen);

FrequencyChoice choose_by_frequency(const Observation& seen, const FrequencySettings& settings, u64 seed);

}  // namespace lastcard
