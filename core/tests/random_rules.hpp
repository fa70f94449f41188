// The presets, and rules drawn at random, for programs that run without Python.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>

#include "rules/rng.hpp"
#include "rules/rules.hpp"

namespace lastcard {

enum class Preset { OFFICIAL, TOURNAMENT, HOUSE, STUDY, NUMBERS, MINI };
constexpr int NUM_PRESETS = 6;

inline int random_below(Rng& rng, int bound) { return scale_high(next_random(rng), bound); }

inline int random_of(Rng& rng, std::initializer_list<int> values) {
    return values.begin()[random_below(rng, static_cast<int>(values.size()))];
}

// Keeps the cards for which `num_copies(card id, copies in the official deck)` says so.
template <class Count>
void fill_deck(Rules& rules, Count num_copies) {
    for (u8& card : rules.deck) card = 0;
    rules.deck_size = 0;
    for (int card = 0; card < NUM_CARD_IDS; ++card) {
        const int official = is_colored(card) && rank_of(card) != 0 ? 2 : 1;
        for (int copy = num_copies(card, official); copy > 0; --copy) {
            rules.deck[rules.deck_size++] = static_cast<u8>(card);
        }
    }
}

// Rule 11.2.
inline Rules make_preset(Preset preset, int players) {
    Rules rules{};
    fill_deck(rules, [&](int card, int official) {
        if (preset == Preset::NUMBERS) return is_colored(card) && rank_of(card) < SKIP ? official : 0;
        if (preset == Preset::MINI) return card < 2 * NUM_RANKS && rank_of(card) <= 2 ? official : 0;
        return official;
    });
    rules.max_plies = preset == Preset::MINI ? 16 : 10'000;
    rules.players = players;
    rules.hand_size = preset == Preset::MINI ? 2 : 7;
    rules.target_score = 500;
    if (preset == Preset::TOURNAMENT || preset == Preset::HOUSE) rules.uno_penalty = 2;
    if (preset == Preset::TOURNAMENT) rules.wild_draw_four = WildDrawFour::BLUFF;
    if (preset == Preset::STUDY) rules.wild_draw_four = WildDrawFour::LAST_RESORT;
    if (preset == Preset::HOUSE) {
        rules.stacking = Stacking::ANY_UP;
        rules.draw_until_playable = rules.seven_zero = rules.jump_in = true;
    }
    if (preset == Preset::STUDY || preset == Preset::NUMBERS || preset == Preset::MINI) {
        rules.must_play = true;
        rules.drawn_card = DrawnCard::END_TURN;
    }
    return rules;
}

// Rule 2.3.
inline bool can_deal(const Rules& rules) {
    int usable = 0;
    for (int i = 0; i < rules.deck_size; ++i) usable += is_four(rules.deck[i]) ? 0 : 1;
    return usable > rules.players * rules.hand_size;
}

// Any switches at all, on any deck; now and then so few cards that rounds get stuck.
inline Rules random_switches(Rng& rng, int players) {
    Rules rules = make_preset(static_cast<Preset>(random_below(rng, NUM_PRESETS)), players);
    rules.max_plies = static_cast<u32>(random_of(rng, {10'000, 1'000, 60}));
    rules.hand_size = random_of(rng, {7, 7, 5, 2, 1});
    rules.uno_penalty = random_of(rng, {0, 0, 1, 2, 4});
    Rules::visit_fields([&]<class Field>(const char*, Field Rules::* member, int, int most) {
        if constexpr (std::is_enum_v<Field> || std::is_same_v<Field, bool>)
            rules.*member = static_cast<Field>(random_below(rng, most + 1));
    });
    if (rules.drawn_card == DrawnCard::END_TURN) rules.draw_until_playable = false;
    const int kind = random_below(rng, 8);
    if (kind == 0) fill_deck(rules, [&](int card, int) { return random_below(rng, is_colored(card) ? 3 : 2); });
    if (kind == 1) {  // hardly anything left to draw
        fill_deck(rules, [&](int, int) { return random_below(rng, 8) == 0 ? 1 : 0; });
        rules.hand_size = rules.deck_size > players ? rules.deck_size / players : 1;
    }
    if (kind <= 1 && rules.max_plies > 300) rules.max_plies = 300;  // such rounds may never end by themselves
    while (!can_deal(rules) && rules.hand_size > 1) rules.hand_size -= 1;
    return can_deal(rules) ? rules : make_preset(Preset::OFFICIAL, players);
}

// Two players as often as all the others together.
inline int random_players(Rng& rng) { return random_below(rng, 2) == 0 ? 2 : 2 + random_below(rng, 9); }

// The rules as a failure names them.
inline std::string describe(const Rules& rules) {
    std::string text = "deck=" + std::to_string(rules.deck_size);
    Rules::visit_fields([&](const char* name, auto member, int, int) {
        text += std::string(" ") + name + "=" + std::to_string(static_cast<int>(rules.*member));
    });
    return text;
}

}  // namespace lastcard
