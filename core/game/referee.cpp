#include "game/referee.hpp"

#include "game/refusal.hpp"
#include "game/replay.hpp"
#include "round/fail.hpp"

namespace lastcard {

GameEnd judge_game(const Rules& rules, const BySeat<int>& scores) {
    if (!has_reached_target(&scores[0], rules)) return {false, NO_SEAT};
    return {true, static_cast<u8>(best_scorer(&scores[0], rules))};
}

BySeat<int> scores_after(const Round& round) {
    BySeat<int> scores = round.scores;
    const BySeat<int> points = points_scored(round);
    for (int seat = 0; seat < round.rules.players; ++seat) scores[seat] += points[seat];
    return scores;
}

Referee::Referee(const Rules& rules, const Key& from, bool tells_seed) : seed(from) {
    kept.rules = rules;
    if (tells_seed) kept.seed = seed;
    deal_next(1, {});
}

Referee::Referee(GameRecord record, const Key& from, const std::optional<Key>& round_key)
    : kept(std::move(record)), seed(from) {
    require(!kept.rounds.empty(), "the record has no round");
    PlayedRound last = kept.rounds.back();
    if (round_key) last.seed = round_key;
    dealt = deal_again(kept.rules, last);
    round = replay(kept.rules, last, last.actions.size());
}

// Each round has a stream of its own: its cards do not depend on how many the rounds before it used.
void Referee::deal_next(int number, const BySeat<int>& scores) {
    const Rules& rules = kept.rules;
    PlayedRound next;
    next.number = number;
    next.dealer = (rules.players - 2 + number) % rules.players;  // Rule 2.1
    next.scores.assign(scores.begin(), scores.begin() + rules.players);
    next.seed = split_key(seed, Stream::ROUND, static_cast<u32>(number));
    const std::vector<u8> cards = shuffled_deck(rules, *next.seed);
    for (const u8 card : cards) next.deck.push_back(static_cast<u8>(face_of(card)));
    dealt = round = deal_cards(rules, next, cards);
    if (!kept.seed) next.seed.reset();
    kept.rounds.push_back(std::move(next));
}

void Referee::apply(int action) {
    if (!is_legal(round, action)) fail(explain_refusal(round, action));
    apply_in_place(round, action);
    kept.rounds.back().actions.push_back(static_cast<u8>(action));
}

void Referee::undo(std::size_t num_actions) {
    std::vector<u8>& actions = kept.rounds.back().actions;
    require(num_actions <= actions.size(), "there are fewer actions to take back");
    // Replayed from the deal: a round cannot take an action back.
    actions.resize(num_actions);
    round = dealt;
    for (const u8 action : actions) {
        require(is_legal(round, action), "the round has not come about by its actions");
        apply_in_place(round, action);
    }
}

void Referee::next_round() {
    require(is_over(round), "the round is not over");
    require(!find_end().is_over, "the game is over");
    (void)record();
    deal_next(round.number + 1, scores_after(round));
}

GameEnd Referee::find_end() const {
    return is_over(round) ? judge_game(kept.rules, scores_after(round)) : GameEnd{false, NO_SEAT};
}

const GameRecord& Referee::record() {
    note_progress(kept.rounds.back(), round);
    return kept;
}

}  // namespace lastcard
