// The referee of a game: deals, applies what is legal, counts the score and keeps the record.
#pragma once

#include "game/record.hpp"
#include "rules/game.hpp"

namespace lastcard {

// Whether a game with these scores after a round is over, and who won it (Rules 9.2 and 9.3).
GameEnd judge_game(const Rules& rules, const BySeat<int>& scores);

// Scores after the round.
BySeat<int> scores_after(const Round& round);

class Referee {
public:
    // Deals the first round. A record that does not tell the seed does not tell those of its rounds.
    Referee(const Rules& rules, const Key& seed, bool tells_seed = true);

    // Continues where the record stops; it must replay, and have a round. `seed` deals the rounds to come, and
    // `round_key` fixes the reshuffles to come, where the record does not tell it.
    Referee(GameRecord record, const Key& seed, const std::optional<Key>& round_key);

    Round& now() { return round; }
    const Round& now() const { return round; }

    // Fails saying why, if it is not legal.
    void apply(int action);

    // Takes the round back to where it was after that many of its actions.
    void undo(std::size_t num_actions);

    // Deals the next round; fails if the one in progress or the game is not at that point.
    void next_round();

    // Of the game, by the scores.
    GameEnd find_end() const;

    // Everything so far. Who plays is for others to fill in.
    const GameRecord& record();
    const PlayedRound& played() { return record().rounds.back(); }
    const std::vector<u8>& actions() const { return kept.rounds.back().actions; }

    // Fixes the reshuffles of the round in progress.
    const Key& key() const { return round.state.pile.key; }

private:
    GameRecord kept;
    Key seed{};
    Round dealt, round;

    void deal_next(int number, const BySeat<int>& scores);
};

}  // namespace lastcard
