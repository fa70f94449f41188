// Records: everything needed to play a round or game again, as text or JSON lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/fields.hpp"
#include "round/round.hpp"

namespace lastcard {

constexpr int RECORD_VERSION = 1;
constexpr std::size_t MOST_RECORD_CHARACTERS = 20'000'000;

// How a round ended. While it is played, all of it is left out.
struct Result {
    Ending ending = Ending::NONE;
    int winner = NO_SEAT;
    std::vector<int> points;  // what each seat adds to its score

    bool operator==(const Result&) const = default;
};

struct PlayedRound {
    i64 number = 1;
    i64 dealer = 0;
    std::vector<i64> scores;  // before the round
    std::optional<Key> seed;  // fixes reshuffles to come; nothing where it is withheld
    std::vector<u8> deck;     // faces, top last
    std::vector<std::vector<u8>> reshuffles;
    std::vector<u8> actions;
    Result result;

    bool is_finished() const { return result.ending != Ending::NONE; }
};

struct GameRecord {
    Rules rules{};
    std::vector<std::string> agents;
    std::vector<int> people;  // seats, ascending
    std::optional<Key> seed;
    std::vector<PlayedRound> rounds;

    int players() const { return rules.players; }
};

// Brings the record of a round up to date.
void note_progress(PlayedRound& played, const Round& round);

// How a round ended that is over; nothing while it is played.
Result find_result(const Round& round);

// As text: headers as in chess's PGN, then the actions, each go led by its seat. Fails where it does not replay.
std::string format_record(const GameRecord& record);

// A line about the record, then a line for each round.
std::string format_json_lines(const GameRecord& record);

// Reads what `format_record` wrote, and replays it. Fails naming the line and the mistake.
GameRecord parse_text(const std::string& text);

// The same for what `format_json_lines` wrote.
GameRecord parse_json_lines(const std::string& text);

// The same for either.
GameRecord parse_record(const std::string& text);

// Such as "0 went_out 57 0".
std::string format_result(const Result& result);

// A round is found by its number; fails if there is none.
const PlayedRound& find_round(const GameRecord& record, int number);

}  // namespace lastcard
