// Records: everything needed to play a round or game again, as the Python package writes and reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wasm/notation.hpp"

namespace lastcard {

struct PlayedRound {
    int number = 1;
    int dealer = 0;
    BySeat<int> scores{};     // before the round
    std::optional<Key> seed;  // fixes reshuffles to come; nothing where it is withheld
    std::vector<u8> deck;     // faces, top last
    std::vector<std::vector<u8>> reshuffles;
    std::vector<u8> actions;
    std::string result;  // such as "0 went_out 57 0"; empty while the round is played
};

struct GameRecord {
    GameRules rules;
    std::vector<std::string> agents;
    std::vector<int> people;
    std::optional<Key> seed;
    std::vector<PlayedRound> rounds;

    int players() const { return rules.rules.players; }
    bool is_person(int seat) const;
};

// The round as it was dealt.
Round deal_again(const GameRecord& record, const PlayedRound& played);

// The round after that many of its actions; fails if one is not legal.
Round replay(const GameRecord& record, const PlayedRound& played, std::size_t num_actions);

// Brings the record of a round up to date.
void note_progress(PlayedRound& played, const Round& round);

// From text or JSON lines, replayed from first to last. Fails naming the line and the mistake.
GameRecord parse_record(const std::string& text);

std::string format_record(const GameRecord& record);

// A seed in decimal digits.
std::string format_seed(const Key& key);

// The inverse; fails naming the field.
Key parse_decimal_seed(const std::string& digits, const std::string& name);

// A round is found by its number; fails if there is none.
const PlayedRound& find_round(const GameRecord& record, int number);

// The winner of a game with these scores after a round (Rules 9.2 and 9.3): a seat, NO_SEAT for a tie, nothing if it
// continues.
std::optional<int> judge_game(const GameRules& rules, const BySeat<int>& scores);

// Scores after the round.
BySeat<int> scores_after(const Round& round);

}  // namespace lastcard
