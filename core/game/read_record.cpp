// Records, read from text or JSON lines.
#include <algorithm>
#include <string_view>

#include "game/names.hpp"
#include "game/parts.hpp"
#include "game/record.hpp"
#include "game/replay.hpp"
#include "game/rules_form.hpp"
#include "game/seed.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"
#include "round/stop.hpp"

namespace lastcard {

namespace {

constexpr i64 MOST_NUMBER = 1'000'000'000;
constexpr std::size_t MOST_VALUES = 200'000;  // on a line of JSON

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_whole(std::string_view text, std::size_t most_digits) {
    const std::string_view digits = text.substr(text.starts_with("-") ? 1 : 0);
    return is_digits(digits) && digits.size() <= most_digits;
}

// Digits as a number; far out, it is only known to be far out.
i64 to_number(const std::string& digits) {
    constexpr std::size_t SURE = 17;
    const std::string most = digits.starts_with("-") ? "-99999999999999999" : "99999999999999999";
    return std::stoll(digits.size() > SURE ? most : digits);
}

void require_whole(const std::string& text, const std::string& name) {
    constexpr std::size_t MOST_DIGITS = 80;
    if (!is_whole(text, MOST_DIGITS)) fail(name + ": " + quote(text) + " is not a whole number");
}

i64 read_whole(const std::string& text, const std::string& name) {
    require_whole(text, name);
    return to_number(text);
}

std::vector<i64> read_numbers(const std::string& text, const std::string& name) {
    std::vector<i64> numbers;
    for (const std::string& word : split(text, SPACE)) numbers.push_back(read_whole(word, name));
    return numbers;
}

Key require_seed(const std::string& digits, const std::string& name) {
    const std::optional<Key> seed = is_digits(digits) ? parse_seed(digits) : std::nullopt;
    if (!seed) fail(name + " must be " + SEED_RANGE + ", not " + digits.substr(0, 60));
    return *seed;
}

Result parse_result(const std::string& text) {
    const std::vector<std::string> words = split(text, " ");
    const auto is_points = [](const std::string& word) { return is_whole(word, 9); };
    const bool has_winner = words.size() > 2 && (words[0] == "nobody" || (words[0].size() == 1 && is_digits(words[0])));
    const auto ending = has_winner
                            ? std::ranges::find_if(ENDING_NAMES, [&](const char* name) { return words[1] == name; })
                            : std::end(ENDING_NAMES);
    if (ending == std::end(ENDING_NAMES) || !std::all_of(words.begin() + 2, words.end(), is_points))
        fail(quote(text) + " is not a result; expected one such as '0 went_out 57 0'");
    Result result;
    result.ending = static_cast<Ending>(ending - std::begin(ENDING_NAMES));
    result.winner = words[0] == "nobody" ? NO_SEAT : std::stoi(words[0]);
    for (std::size_t i = 2; i < words.size(); ++i) result.points.push_back(std::stoi(words[i]));
    return result;
}

void set_people(GameRecord& record, const std::vector<i64>& people) {
    for (const i64 seat : people) {
        if (seat < 0 || seat >= record.players())
            fail("people must be from 0 to " + std::to_string(record.players() - 1) + ", not " + std::to_string(seat));
        record.people.push_back(static_cast<int>(seat));
    }
    std::ranges::sort(record.people);
    record.people.erase(std::unique(record.people.begin(), record.people.end()), record.people.end());
}

// Text

// The value of a header, read on its line.
template <class Read>
auto read_header(const Part& part, const std::string& name, const Read& read) {
    const Word& word = part.at(name);
    const FailingAt here(name_line(word.line));
    return read(word.text);
}

std::optional<Key> read_seed_header(const Part& part, const std::string& name) {
    if (part.find(name) == nullptr) return {};
    return read_header(part, name, [&](const std::string& text) {
        require_whole(text, name);
        return require_seed(text, name);
    });
}

bool is_seat(const std::string& word) { return word.size() == 2 && is_digits(word.substr(0, 1)) && word[1] == ':'; }

std::vector<Word> list_actions_of(const Part& part) {
    std::vector<Word> actions;
    for (const Word& word : part.words) {
        if (!is_seat(word.text)) actions.push_back(word);
    }
    return actions;
}

PlayedRound read_round(const Part& part) {
    const auto read_number = [&](const std::string& name) {
        return read_header(part, name, [&](const std::string& text) { return read_whole(text, name); });
    };
    PlayedRound played;
    played.number = read_number("Round");
    played.dealer = read_number("Dealer");
    played.scores = read_header(part, "Scores", [](const std::string& text) { return read_numbers(text, "Scores"); });
    played.deck = read_header(part, "Deck", parse_cards);
    for (const Word& word : list_actions_of(part)) {
        const FailingAt here(name_line(word.line));
        played.actions.push_back(static_cast<u8>(parse_action(word.text)));
    }
    played.seed = read_seed_header(part, "RoundSeed");
    for (const Word& order : part.reshuffles) {
        const FailingAt here(name_line(order.line));
        played.reshuffles.push_back(parse_cards(order.text));
    }
    if (part.find("Result") != nullptr) played.result = read_header(part, "Result", parse_result);
    return played;
}

// Each go must be led by the seat whose go it is.
void check_words(const Part& part, const std::vector<std::string>& expected, const std::string& round) {
    for (std::size_t i = 0; i < part.words.size() && i < expected.size(); ++i) {
        const Word& word = part.words[i];
        if (is_same_word(word.text, expected[i])) continue;
        const FailingAt here(name_line(word.line));
        fail(round + ", word " + std::to_string(i + 1) + ": read " + word.text.substr(0, 60) + ", expected " +
             expected[i]);
    }
    if (part.words.size() == expected.size()) return;
    const std::size_t last = std::min(expected.size(), part.words.size() - 1);
    const FailingAt here(name_line(part.words.empty() ? part.line : part.words[last].line));
    fail(round + ": " + std::to_string(part.words.size()) + " words where " + std::to_string(expected.size()) +
         " belong");
}

void check_round(const Rules& rules, const PlayedRound& played, const Part& part) {
    const auto deal = [&] {
        const FailingAt here(name_line(part.line));
        return Replay(rules, played);
    };
    Replay again = deal();
    std::vector<std::string> expected;
    int speaker = NO_SEAT;
    for (const Word& word : list_actions_of(part)) {
        if (is_stopped()) return;
        const FailingAt here(name_line(word.line));
        const int seat = again.now().state.turn.seat;
        const u8 action = again.next_action();
        again.step();
        if (seat != speaker) expected.push_back(std::to_string(seat) + ":");
        speaker = seat;
        expected.emplace_back(ACTION_NAMES[action]);
    }
    check_words(part, expected, "round " + std::to_string(played.number));
    const Word* result = part.find("Result");
    const FailingAt here(name_line(result == nullptr ? part.line : result->line));
    again.check_end();
}

// JSON

// The member of that name; null if it is left out.
const Json& member(const Json& fields, const char* name) {
    static const Json NOTHING;
    const Json* found = fields.find(name);
    return found == nullptr ? NOTHING : *found;
}

const Json::List& read_list(const Json& fields, const char* name) {
    static const Json::List EMPTY;
    const Json* found = fields.find(name);
    if (found == nullptr) return EMPTY;
    if (found->kind != Json::Kind::LIST) fail(std::string(name) + " must be a list, not " + shorten(*found));
    return found->list;
}

const std::string& read_words(const Json& fields, const char* name) {
    const Json& value = member(fields, name);
    if (value.kind != Json::Kind::TEXT) fail(std::string(name) + " must be text, not " + shorten(value));
    return value.text;
}

i64 read_integer(const Json& value, const char* name, i64 most) {
    const std::string range = std::to_string(-most) + " to " + std::to_string(most);
    if (value.kind != Json::Kind::NUMBER || !is_whole(value.text, value.text.size()))
        fail(std::string(name) + " must be a whole number from " + range + ", not " + shorten(value));
    const i64 number = to_number(value.text);
    if (number < -most || number > most) fail(std::string(name) + " must be from " + range + ", not " + shorten(value));
    return number;
}

std::optional<Key> read_json_seed(const Json& fields) {
    const Json& value = member(fields, "seed");
    if (value.is_nothing()) return {};
    if (value.kind != Json::Kind::NUMBER || !is_whole(value.text, value.text.size()))
        fail(std::string("seed must be a whole number ") + SEED_RANGE + ", not " + shorten(value));
    return require_seed(value.text, "seed");
}

// What the header of a text would say.
std::string show_plainly(const Json& value) {
    return value.kind == Json::Kind::TEXT || value.kind == Json::Kind::NUMBER ? value.text : format_json(value);
}

Result read_json_result(const Json& outcome) {
    if (outcome.is_nothing()) return {};
    if (outcome.kind != Json::Kind::OBJECT) fail("outcome must be an object, not " + shorten(outcome));
    const Json& winner = member(outcome, "winner");
    std::string text = winner.is_nothing() ? "nobody" : show_plainly(winner);
    text += " " + show_plainly(member(outcome, "reason"));
    for (const Json& points : read_list(outcome, "points")) text += " " + show_plainly(points);
    return parse_result(text);
}

PlayedRound read_json_round(const Json& fields) {
    constexpr i64 MOST_POINTS = 10'000'000;
    PlayedRound played;
    played.number = read_integer(member(fields, "round"), "round", MOST_NUMBER);
    played.dealer = read_integer(member(fields, "dealer"), "dealer", MOST_NUMBER);
    for (const Json& score : read_list(fields, "scores"))
        played.scores.push_back(read_integer(score, "scores", MOST_POINTS));
    played.deck = parse_cards(read_words(fields, "deck"));
    for (const std::string& word : split(read_words(fields, "actions"), SPACE))
        played.actions.push_back(static_cast<u8>(parse_action(word)));
    played.seed = read_json_seed(fields);
    for (const Json& order : read_list(fields, "reshuffles")) {
        if (order.kind != Json::Kind::TEXT) fail("expected cards as text such as 'r5 gS w', not " + shorten(order));
        played.reshuffles.push_back(parse_cards(order.text));
    }
    played.result = read_json_result(member(fields, "outcome"));
    return played;
}

void read_json_head(GameRecord& record, const Json& fields) {
    check_version(member(fields, "lastcard"));
    record.rules = read_rules(member(fields, "rules"));
    for (const Json& name : read_list(fields, "agents")) {
        if (name.kind != Json::Kind::TEXT) fail("agents must be names, not " + shorten(member(fields, "agents")));
        record.agents.push_back(name.text);
    }
    std::vector<i64> people;
    for (const Json& seat : read_list(fields, "people")) people.push_back(read_integer(seat, "people", MOST_NUMBER));
    set_people(record, people);
    record.seed = read_json_seed(fields);
    check_seats(record);
}

Json read_object(const std::string& row) {
    std::optional<Json> value = try_parse_json(row, MOST_VALUES);
    if (!value) fail(quote(row) + " is not JSON");
    if (value->kind != Json::Kind::OBJECT) fail("expected a JSON object on each line, not " + quote(row));
    return *std::move(value);
}

}  // namespace

GameRecord parse_text(const std::string& text) {
    check_length(text);
    const std::vector<Part> parts = read_parts(text);
    const Part& head = parts[0];
    GameRecord record;
    record.rules = read_header(head, "Rules", parse_rules);
    std::vector<std::string> known{"Lastcard", "Rules", "People", "Seed"};
    for (int seat = 0; seat < record.players(); ++seat) {
        known.push_back("Seat" + std::to_string(seat));
        record.agents.push_back(read_header(head, known.back(), [](const std::string& name) {
            const std::optional<Json> read = try_parse_json("\"" + name + "\"", 1);
            if (!read) fail(quote(name) + " is not a name; quotes and backslashes need a backslash before them");
            return read->text;
        }));
    }
    if (head.find("People") != nullptr)
        read_header(head, "People",
                    [&](const std::string& seats) { set_people(record, read_numbers(seats, "People")); });
    head.refuse_unknown(known);
    record.seed = read_seed_header(head, "Seed");
    for (std::size_t i = 1; i < parts.size(); ++i) {
        parts[i].refuse_unknown({"Round", "Dealer", "Scores", "RoundSeed", "Deck", "Result"});
        record.rounds.push_back(read_round(parts[i]));
    }
    for (std::size_t i = 0; i < record.rounds.size(); ++i) {
        const Part& part = parts[i + 1];
        if (i > 0) {
            const FailingAt here(name_line(part.line));
            check_succession(record.rounds[i - 1], record.rounds[i]);
        }
        check_round(record.rules, record.rounds[i], part);
    }
    return record;
}

GameRecord parse_json_lines(const std::string& text) {
    check_length(text);
    GameRecord record;
    int number = 0;
    bool has_head = false;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string row = text.substr(start, end - start);
        start = end + 1;
        const FailingAt here(name_line(++number));
        if (row.find_first_not_of(SPACE) == row.npos) continue;
        const Json fields = read_object(row);
        if (!has_head) {
            read_json_head(record, fields);
            has_head = true;
            continue;
        }
        record.rounds.push_back(read_json_round(fields));
        if (record.rounds.size() > 1) check_succession(*(record.rounds.end() - 2), record.rounds.back());
        Replay again(record.rules, record.rounds.back());
        while (again.has_more() && !is_stopped()) again.step();
        if (is_stopped()) return record;
        again.check_end();
    }
    const FailingAt here(name_line(1));
    if (!has_head) check_version({});
    return record;
}

GameRecord parse_record(const std::string& text) {
    const std::size_t first = text.find_first_not_of(SPACE);
    const bool is_json = first != text.npos && text[first] == '{';
    return is_json ? parse_json_lines(text) : parse_text(text);
}

}  // namespace lastcard
