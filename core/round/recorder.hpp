// Writes down what happens in a round, as events.
#pragma once

#include <vector>

#include "rules/events.hpp"
#include "rules/state.hpp"

namespace lastcard {

// A listener that writes events down. Cards come one by one; runs of them become one event.
struct Recorder {
    std::vector<Event>& events;
    std::vector<std::vector<u8>>& reshuffles;
    std::vector<u8> drawn{};
    bool has_drawn = false;

    void event(EventKind kind, int seat, int other, int card) {
        events.push_back({kind, static_cast<u8>(seat), static_cast<u8>(other), static_cast<u8>(card)});
    }

    void cards(EventKind kind, int seat, const Hand& hand) {
        for (int card = 0; card < NUM_CARD_IDS; ++card) {
            for (int copy = count_of(hand, bit_of(card)); copy > 0; --copy) event(kind, seat, 0, card);
        }
    }

    void flush(int seat) {
        event(EventKind::DREW, seat, static_cast<int>(drawn.size()), 0);
        for (const u8 card : drawn) event(EventKind::GOT, seat, 0, card);
        drawn.clear();
    }

    void got(int, int card) {
        drawn.push_back(static_cast<u8>(card));
        has_drawn = true;
    }

    void drew(int seat) {
        if (!drawn.empty() || !has_drawn) flush(seat);
        has_drawn = false;
    }

    void reshuffled(int seat, const OrderedPile& pile) {
        if (!drawn.empty()) flush(seat);
        event(EventKind::RESHUFFLED, 0, pile.size, 0);
        reshuffles.emplace_back(pile.cards, pile.cards + pile.size);
    }

    void dealt(int seat, int count, const Hand& hand) {
        event(EventKind::DEALT, seat, count, 0);
        cards(EventKind::GOT, seat, hand);
    }

    void challenged(int seat, int offender, bool guilty, const Hand& shown) {
        event(EventKind::CHALLENGED, seat, offender, guilty ? 1 : 0);
        cards(EventKind::SHOWN, seat, shown);
    }

    void received(int seat, const Hand& hand) { cards(EventKind::GOT, seat, hand); }
};

// Applies an action to the truth, compiled once (round.cpp).
void apply_and_record(State<OrderedPile, MAX_SEATS>& state, const Rules& rules, Recorder& recorder, int action);

}  // namespace lastcard
