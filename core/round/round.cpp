#include "round/round.hpp"

#include <algorithm>

#include "round/recorder.hpp"

namespace lastcard {

BySeat<int> points_scored(const Round& round) {
    BySeat<int> points{};
    if (is_over(round)) score_round(round.state, round.rules, points.values);
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

Key split_key(const Key& key, Stream label, u32 ordinal) {
    ChaCha stream = open_stream(key, label, ordinal);
    Key split{};
    for (u32& word : split.words) word = next_word(stream);
    return split;
}

std::vector<u8> shuffled(std::vector<u8> cards, const Key& key, Stream label, u32 ordinal) {
    shuffle(cards.data(), static_cast<int>(cards.size()), key, label, ordinal);
    return cards;
}

std::vector<u8> shuffled_deck(const Rules& rules, const Key& key) {
    return shuffled({rules.deck, rules.deck + rules.deck_size}, key, Stream::DEAL, 0);
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

void apply_and_record(Truth& state, const Rules& rules, Recorder& recorder, int action) {
    apply(state, rules, recorder, action);
}

void apply_in_place(Round& round, int action) {
    const bool was_window = is_window(round.state);
    std::shared_ptr<const Round> earlier;
    // Only a rule set with windows can open one; the copy is for those who must not notice (Rule 10.7).
    if (was_window || round.rules.uno_penalty > 0 || round.rules.jump_in) earlier = std::make_shared<Round>(round);
    Recorder recorder{round.events, round.reshuffles};
    apply_and_record(round.state, round.rules, recorder, action);
    round.before = is_window(round.state) ? earlier : nullptr;
}

}  // namespace lastcard
