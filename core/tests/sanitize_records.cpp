// Writes records of random rounds, spoils them a little at a time and reads them: what the sanitizers watch with all
// counts, since strangers upload records.
//
// Usage: sanitize_records RECORDS
#include <cstdio>
#include <cstdlib>
#include <string>

#include "game/record.hpp"
#include "game/referee.hpp"
#include "game/replay.hpp"
#include "round/fail.hpp"
#include "round/random_walk.hpp"
#include "tests/random_rules.hpp"

namespace lastcard {

constexpr int SPOILED_EACH = 50;

// A record of a few rounds, the last of which may be unfinished.
GameRecord play_game(const Rules& rules, Rng& rng) {
    Key key{};
    for (u32& word : key.words) word = static_cast<u32>(next_random(rng));
    Referee referee(rules, key, random_below(rng, 2) == 0);
    for (int left = random_below(rng, 400); left > 0; --left) {
        if (!is_over(referee.now()))
            referee.apply(choose_action(legal_actions(referee.now().state, rules), rng, false));
        else if (!referee.find_end().is_over) referee.next_round();
    }
    GameRecord record = referee.record();
    for (int seat = 0; seat < rules.players; ++seat) record.agents.push_back("seat \"" + std::to_string(seat) + "\"");
    return record;
}

// Changes, drops or repeats a piece.
void spoil(std::string& text, Rng& rng) {
    constexpr std::string_view LETTERS = "0159rgbyw+:\"[]{},\\u \n\x80\xff";
    const auto size = static_cast<int>(text.size());
    const auto at = static_cast<std::size_t>(random_below(rng, size));
    const auto length = static_cast<std::size_t>(random_below(rng, 30));
    const int kind = random_below(rng, 4);
    if (kind == 0) text[at] = LETTERS[static_cast<std::size_t>(random_below(rng, static_cast<int>(LETTERS.size())))];
    if (kind == 1) text.erase(at, length);
    if (kind == 2) text.insert(at, text.substr(static_cast<std::size_t>(random_below(rng, size)), length));
    if (kind == 3) text.resize(at + 1);
}

// Whatever is read can be written again; the rest is refused in words.
void read(const std::string& text) {
    try {
        const GameRecord record = parse_record(text);
        (void)format_record(record);
        (void)format_json_lines(record);
    } catch (const std::invalid_argument&) {
    }
}

std::string check_records(u64 num_records) {
    for (u64 index = 0; index < num_records; ++index) {
        Rng rng = split_rng(31, index);
        const Rules rules = random_switches(rng, random_players(rng));
        const GameRecord record = play_game(rules, rng);
        check_record(record);
        for (const std::string& text : {format_record(record), format_json_lines(record)}) {
            read(text);
            for (int i = 0; i < SPOILED_EACH; ++i) {
                std::string spoiled = text;
                for (int times = random_below(rng, 3); times >= 0; --times) spoil(spoiled, rng);
                read(spoiled);
            }
        }
        if (!failing_at.empty()) return "a place is left behind (" + describe(rules) + ")";
    }
    return "";
}

}  // namespace lastcard

int main(int argc, char** argv) {
    const long records = argc == 2 ? std::atol(argv[1]) : 0;
    if (records <= 0) {
        std::fprintf(stderr, "usage: sanitize_records RECORDS\n");
        return 2;
    }
    const std::string fault = lastcard::check_records(static_cast<lastcard::u64>(records));
    if (fault.empty()) return 0;
    std::fprintf(stderr, "sanitize_records: %s\n", fault.c_str());
    return 1;
}
