#include "round/round.hpp"

#include <algorithm>

namespace lastcard {

namespace {

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

}  // namespace

std::array<int, MAX_SEATS> points_scored(const Round& round) {
    std::array<int, MAX_SEATS> points{};
    if (is_over(round)) score_round(round.state, round.rules, points.data());
    return points;
}

SetPile forget_order(const OrderedPile& pile) {
    SetPile cards{};
    cards.size = pile.size;
    std::copy(pile.cards, pile.cards + pile.size, cards.cards);
    std::sort(cards.cards, cards.cards + cards.size);
    return cards;
}

std::vector<u8> number_wilds(const std::vector<u8>& faces) {
    int wilds = 0, fours = 0;
    std::vector<u8> cards;
    for (const u8 face : faces) {
        const int card = face < FIRST_WILD ? face : face == FIRST_WILD ? FIRST_WILD + wilds++ : FIRST_FOUR + fours++;
        cards.push_back(static_cast<u8>(card));
    }
    return cards;
}

std::vector<u8> shuffled_deck(const Rules& rules, const Key& key) {
    std::vector<u8> cards(rules.deck, rules.deck + rules.deck_size);
    shuffle(cards.data(), rules.deck_size, key, Stream::DEAL, 0);
    return cards;
}

void deal_round(Round& round, const Key& key, const std::vector<u8>& cards) {
    OrderedPile& pile = round.state.pile;
    pile.key = key;
    pile.reshuffles = 0;
    pile.num_discards = 0;
    pile.size = static_cast<int>(cards.size());
    for (std::size_t i = 0; i < cards.size(); ++i) pile.cards[i] = cards[i];
    pile.script = round.script ? round.script->data() : nullptr;
    pile.script_end = round.script ? round.script->data() + round.script->size() : nullptr;
    pile.script_failed = false;
    Recorder recorder{round.events, round.reshuffles};
    deal(round.state, round.rules, recorder, round.dealer);
}

void apply_in_place(Round& round, int action) {
    const bool was_window = is_window(round.state);
    std::shared_ptr<const Round> earlier;
    // Only a rule set with windows can open one; the copy is for those who must not notice (Rule 10.7).
    if (was_window || round.rules.uno_penalty > 0 || round.rules.jump_in) earlier = std::make_shared<Round>(round);
    Recorder recorder{round.events, round.reshuffles};
    apply(round.state, round.rules, recorder, action);
    round.before = is_window(round.state) ? earlier : nullptr;
}

}  // namespace lastcard
