#include "game/record.hpp"

#include "game/names.hpp"
#include "game/replay.hpp"
#include "game/rules_form.hpp"
#include "game/seed.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"
#include "round/stop.hpp"

namespace lastcard {

namespace {

std::string header(const std::string& name, const std::string& value) { return "[" + name + " \"" + value + "\"]\n"; }

std::string cards_header(const std::string& name, const std::vector<u8>& faces) {
    return wrap("[" + name + " \"" + format_cards(faces) + "\"]") + "\n";
}

std::string join_numbers(const auto& numbers, const char* separator) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : separator) + std::to_string(number);
    return text;
}

// The actions, each go led by its seat.
std::string format_actions(const Rules& rules, const PlayedRound& played) {
    Replay again(rules, played);
    std::string text;
    int speaker = NO_SEAT;
    for (const u8 action : played.actions) {
        if (is_stopped()) break;
        const int seat = again.now().state.turn.seat;
        again.step();
        if (seat != speaker) text += (text.empty() ? "" : " ") + std::to_string(seat) + ":";
        speaker = seat;
        text += std::string(" ") + ACTION_NAMES[action];
    }
    return wrap(text);
}

std::string format_round(const Rules& rules, const PlayedRound& played) {
    std::string text = "\n" + header("Round", std::to_string(played.number));
    text += header("Dealer", std::to_string(played.dealer));
    text += header("Scores", join_numbers(played.scores, " "));
    if (played.seed) text += header("RoundSeed", format_seed(*played.seed));
    text += cards_header("Deck", played.deck);
    for (const std::vector<u8>& order : played.reshuffles) text += cards_header("Reshuffle", order);
    if (played.is_finished()) text += header("Result", format_result(played.result));
    const std::string actions = format_actions(rules, played);
    return text + "\n" + actions + (actions.empty() ? "" : "\n");
}

std::string quote_all(const auto& values, const auto& name) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + format_ascii(name(value));
    return "[" + text + "]";
}

// An object of plain values, with a space after each comma and colon.
std::string format_spaced(const Json& fields) {
    std::string text;
    for (const auto& [name, value] : fields.members)
        text += (text.empty() ? "" : ", ") + format_ascii(name) + ": " + format_json(value);
    return "{" + text + "}";
}

std::string format_optional(const std::optional<Key>& seed) { return seed ? format_seed(*seed) : "null"; }

std::string format_json_outcome(const Result& result) {
    if (result.ending == Ending::NONE) return "null";
    const std::string winner = result.winner == NO_SEAT ? "null" : std::to_string(result.winner);
    return R"({"winner": )" + winner + R"(, "reason": ")" + ENDING_NAMES[static_cast<int>(result.ending)] +
           R"(", "points": [)" + join_numbers(result.points, ", ") + "]}";
}

std::string format_json_round(const PlayedRound& played) {
    std::string actions;
    for (const u8 action : played.actions) actions += (actions.empty() ? "" : " ") + std::string(ACTION_NAMES[action]);
    return R"({"round": )" + std::to_string(played.number) + R"(, "dealer": )" + std::to_string(played.dealer) +
           R"(, "scores": [)" + join_numbers(played.scores, ", ") + R"(], "seed": )" + format_optional(played.seed) +
           R"(, "deck": ")" + format_cards(played.deck) + R"(", "reshuffles": )" +
           quote_all(played.reshuffles, format_cards) + R"(, "actions": ")" + actions + R"(", "outcome": )" +
           format_json_outcome(played.result) + "}\n";
}

}  // namespace

Result find_result(const Round& round) {
    if (!is_over(round)) return {};
    const BySeat<int> points = points_scored(round);
    const Turn& turn = round.state.turn;
    return {turn.ending, turn.winner, {points.begin(), points.begin() + round.rules.players}};
}

void note_progress(PlayedRound& played, const Round& round) {
    played.reshuffles.clear();
    for (const std::vector<u8>& order : round.reshuffles) {
        played.reshuffles.emplace_back();
        for (const u8 card : order) played.reshuffles.back().push_back(static_cast<u8>(face_of(card)));
    }
    played.result = find_result(round);
}

std::string format_result(const Result& result) {
    const std::string winner = result.winner == NO_SEAT ? "nobody" : std::to_string(result.winner);
    return winner + " " + ENDING_NAMES[static_cast<int>(result.ending)] + " " + join_numbers(result.points, " ");
}

std::string format_record(const GameRecord& record) {
    std::string text = header("Lastcard", std::to_string(RECORD_VERSION)) + header("Rules", format_rules(record.rules));
    for (std::size_t seat = 0; seat < record.agents.size(); ++seat)
        text += "[Seat" + std::to_string(seat) + " " + format_json(record.agents[seat]) + "]\n";
    if (!record.people.empty()) text += header("People", join_numbers(record.people, " "));
    if (record.seed) text += header("Seed", format_seed(*record.seed));
    for (const PlayedRound& played : record.rounds) text += format_round(record.rules, played);
    return text;
}

std::string format_json_lines(const GameRecord& record) {
    std::string text = R"({"lastcard": )" + std::to_string(RECORD_VERSION) + R"(, "rules": )" +
                       format_spaced(describe_rules(record.rules)) + R"(, "agents": )" +
                       quote_all(record.agents, [](const std::string& name) { return name; }) + R"(, "seed": )" +
                       format_optional(record.seed) + R"(, "people": [)" + join_numbers(record.people, ", ") + "]}\n";
    for (const PlayedRound& played : record.rounds) text += format_json_round(played);
    return text;
}

const PlayedRound& find_round(const GameRecord& record, int number) {
    for (const PlayedRound& played : record.rounds) {
        if (played.number == number) return played;
    }
    fail("there is no round " + std::to_string(number) + " in this game");
}

}  // namespace lastcard
