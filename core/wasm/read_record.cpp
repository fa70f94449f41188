// Records, read from text or JSON lines.
#include <algorithm>
#include <map>

#include "round/fail.hpp"
#include "tables.hpp"
#include "wasm/record.hpp"

namespace lastcard {

namespace {

constexpr std::size_t MOST_CHARACTERS = 20'000'000;

struct Word {
    std::string text;
    int line;
};

// The head of a text, or a round of it.
struct Part {
    int line = 1;
    std::map<std::string, Word> fields;
    std::vector<Word> reshuffles;
    std::vector<Word> words;  // the actions, each go led by its seat
};

void at_line(int line) { failing_at = "line " + std::to_string(line) + ": "; }

void check_version(const std::string& version) {
    if (version != "1") {
        fail("not a lastcard record of version 1: its first line says " + shorten(version) +
             "; expected [Lastcard \"1\"]");
    }
}

class Reader {
public:
    explicit Reader(const std::string& from) : text(from) {}

    std::vector<Part> read() {
        while (skip_space()) {
            at_line(line);
            if (text[at] == '[') {
                read_header();
            } else {
                read_word();
            }
        }
        at_line(1);
        check_version(parts[0].fields.contains("Lastcard") ? parts[0].fields.at("Lastcard").text : "");
        return std::move(parts);
    }

private:
    const std::string& text;
    std::size_t at = 0;
    int line = 1;
    std::vector<Part> parts{1};

    static bool is_space(char letter) { return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t'; }

    bool skip_space() {
        for (; at < text.size() && is_space(text[at]); ++at) line += text[at] == '\n';
        return at < text.size();
    }

    [[noreturn]] void refuse(std::size_t start) const {
        const std::size_t end = std::min(text.find('\n', start), std::min(text.size(), start + 40));
        fail(shorten(text.substr(start, end - start)) + " is neither a header nor an action");
    }

    void read_header() {
        const std::size_t start = at, space = text.find_first_of(" \n\t", at);
        const std::size_t open = space == text.npos ? text.npos : text.find_first_not_of(" \n\t", space);
        if (open == text.npos || text[open] != '"' || space == start + 1) refuse(start);
        const std::string name = text.substr(start + 1, space - start - 1);
        std::size_t close = open + 1;
        while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
        if (close + 1 >= text.size() || text[close + 1] != ']') refuse(start);
        add_header(name, text.substr(open + 1, close - open - 1));
        line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(start),
                                            text.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
        at = close + 2;
    }

    void add_header(const std::string& name, const std::string& value) {
        if (parts[0].fields.empty() && name != "Lastcard") check_version(value);
        if (name == "Round") parts.push_back({line, {}, {}, {}});
        Part& part = parts.back();
        if (name == "Reshuffle" && parts.size() > 1) return part.reshuffles.push_back({value, line});
        if (part.fields.contains(name)) fail("header " + name + " is given twice");
        part.fields[name] = {value, line};
    }

    void read_word() {
        const std::size_t start = at;
        while (at < text.size() && !is_space(text[at]) && text[at] != '[' && text[at] != ']' && text[at] != '"') ++at;
        if (at == start) refuse(start);
        const std::string word = text.substr(start, at - start);
        if (parts[0].fields.empty()) check_version(word);
        if (parts.size() == 1) fail(shorten(word) + " stands before the first round; expected [Round \"1\"]");
        parts.back().words.push_back({word, line});
    }
};

// The value of a header that must be there; what fails from now on fails on its line.
const std::string& read_field(const Part& part, const std::string& name) {
    const auto found = part.fields.find(name);
    if (found == part.fields.end()) {
        failing_at = "line " + std::to_string(part.line) + ": ";
        fail("header " + name + " is missing");
    }
    at_line(found->second.line);
    return found->second.text;
}

void refuse_unknown(const Part& part, const std::vector<std::string>& known) {
    for (const auto& [name, value] : part.fields) {
        if (std::ranges::find(known, name) != known.end()) continue;
        at_line(value.line);
        fail("unknown header " + shorten(name));
    }
}

int read_whole(const std::string& text, const std::string& name) {
    const std::size_t sign = text.starts_with("-") ? 1 : 0;
    const bool is_number =
        text.size() > sign && text.size() < 10 && text.find_first_not_of("0123456789", sign) == text.npos;
    if (!is_number) fail(name + ": " + shorten(text) + " is not a whole number");
    return std::stoi(text);
}

std::vector<int> read_numbers(const std::string& text, const std::string& name) {
    std::vector<int> numbers;
    for (const std::string& word : split(text, " \n\r\t")) numbers.push_back(read_whole(word, name));
    return numbers;
}

std::string join_words(const std::string& text) {
    std::string joined;
    for (const std::string& word : split(text, " \n\r\t")) joined += (joined.empty() ? "" : " ") + word;
    return joined;
}

void set_scores(PlayedRound& played, const std::vector<int>& scores, int players) {
    if (static_cast<int>(scores.size()) != players) fail("Scores must have one number for each seat");
    for (int seat = 0; seat < players; ++seat) played.scores[seat] = item(scores, seat);
}

void set_people(GameRecord& record, std::vector<int> people) {
    std::ranges::sort(people);
    people.erase(std::unique(people.begin(), people.end()), people.end());
    for (const int seat : people) {
        if (seat < 0 || seat >= record.players())
            fail("People must be seats from 0 to " + std::to_string(record.players() - 1) + ", not " +
                 std::to_string(seat));
    }
    record.people = std::move(people);
}

void check_range(int value, int low, int high, const char* name) {
    (void)Json(Json::Object{{name, value}}).integer(name, low, high);
}

bool is_seat(const std::string& word) { return word.size() == 2 && word[0] >= '0' && word[0] <= '9' && word[1] == ':'; }

PlayedRound read_round(const Part& part, int players) {
    PlayedRound played;
    played.number = read_whole(read_field(part, "Round"), "Round");
    check_range(played.number, 1, 1'000'000, "Round");
    played.dealer = read_whole(read_field(part, "Dealer"), "Dealer");
    check_range(played.dealer, 0, players - 1, "Dealer");
    set_scores(played, read_numbers(read_field(part, "Scores"), "Scores"), players);
    if (part.fields.contains("RoundSeed")) played.seed = parse_decimal_seed(read_field(part, "RoundSeed"), "RoundSeed");
    played.deck = read_cards(read_field(part, "Deck"));
    if (part.fields.contains("Result")) played.result = join_words(read_field(part, "Result"));
    for (const Word& order : part.reshuffles) {
        at_line(order.line);
        played.reshuffles.push_back(read_cards(order.text));
    }
    for (const Word& word : part.words) {
        at_line(word.line);
        if (!is_seat(word.text)) played.actions.push_back(static_cast<u8>(read_action(word.text)));
    }
    return played;
}

// Replays a round of a text, and checks that each go is led by the seat whose go it is.
void check_round(const GameRecord& record, const PlayedRound& played, const Part& part) {
    at_line(part.line);
    Round round = deal_again(record, played);
    int speaker = NO_SEAT;
    std::size_t ply = 0;
    for (const Word& word : part.words) {
        at_line(word.line);
        const std::string where = "round " + std::to_string(played.number) + ", ply " + std::to_string(ply + 1) + ": ";
        if (is_over(round)) fail(where + "the round is over");
        const int seat = round.state.turn.seat;
        const std::string expected = std::to_string(seat) + ":";
        if (is_seat(word.text) ? seat == speaker || word.text != expected : seat != speaker)
            fail(where + "read " + shorten(word.text) + ", expected " + (seat == speaker ? "an action" : expected));
        speaker = seat;
        if (is_seat(word.text)) continue;
        const int action = played.actions[ply++];
        if (!contains(legal_actions(round.state, round.rules), action))
            fail(where + tables::ACTIONS[action] + " is not legal");
        apply_in_place(round, action);
        if (round.state.pile.script_failed)
            fail(where + "the recorded reshuffle does not hold the cards that were discarded");
    }
}

// What the rounds say of each other and of their ends.
void check_rounds(const GameRecord& record, const std::vector<int>& lines) {
    for (std::size_t i = 0; i < record.rounds.size(); ++i) {
        const PlayedRound& played = record.rounds[i];
        at_line(lines[i]);
        const std::string where = "round " + std::to_string(played.number) + ": ";
        const Round end = replay(record, played, played.actions.size());
        PlayedRound again;
        note_progress(again, end);
        if (again.result != played.result) {
            const auto name = [](const std::string& result) { return result.empty() ? "no result" : result; };
            fail(where + "the record says " + name(played.result) + ", the actions lead to " + name(again.result));
        }
        if (again.reshuffles.size() != played.reshuffles.size())
            fail(where + std::to_string(played.reshuffles.size()) + " reshuffles recorded, " +
                 std::to_string(again.reshuffles.size()) + " happened");
        if (i + 1 == record.rounds.size()) continue;
        const PlayedRound& next = record.rounds[i + 1];
        at_line(lines[i + 1]);
        if (played.result.empty()) fail("round " + std::to_string(played.number) + " before it is not finished");
        if (next.number != played.number + 1) fail("expected round " + std::to_string(played.number + 1));
        if (next.scores != scores_after(end)) fail("scores do not follow from the round before");
    }
}

GameRecord read_text(const std::string& text) {
    const std::vector<Part> parts = Reader(text).read();
    const Part& head = parts[0];
    GameRecord record;
    record.rules = read_rules(join_words(read_field(head, "Rules")));
    std::vector<std::string> known{"Lastcard", "Rules", "People", "Seed"};
    for (int seat = 0; seat < record.players(); ++seat) {
        known.push_back("Seat" + std::to_string(seat));
        record.agents.push_back(parse_json("\"" + read_field(head, known.back()) + "\"").text);
    }
    refuse_unknown(head, known);
    if (head.fields.contains("People")) set_people(record, read_numbers(read_field(head, "People"), "People"));
    if (head.fields.contains("Seed")) record.seed = parse_decimal_seed(read_field(head, "Seed"), "Seed");
    std::vector<int> lines;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        refuse_unknown(parts[i], {"Round", "Dealer", "Scores", "RoundSeed", "Deck", "Result"});
        record.rounds.push_back(read_round(parts[i], record.players()));
        check_round(record, record.rounds.back(), parts[i]);
        lines.push_back(parts[i].line);
    }
    check_rounds(record, lines);
    return record;
}

std::optional<Key> read_json_seed(const Json& fields, const char* name) {
    const Json* value = fields.find(name);
    if (value == nullptr || value->is_nothing()) return {};
    return parse_decimal_seed(value->text, name);
}

PlayedRound read_json_round(const Json& fields, int players) {
    PlayedRound played;
    played.number = fields.integer("round", 1, 1e6);
    played.dealer = fields.integer("dealer", 0, players - 1);
    std::vector<int> scores;
    for (const Json& score : fields.items("scores")) scores.push_back(static_cast<int>(score.number));
    set_scores(played, scores, players);
    played.seed = read_json_seed(fields, "seed");
    played.deck = read_cards(fields.words("deck"));
    for (const Json& order : fields.items("reshuffles")) played.reshuffles.push_back(read_cards(order.text));
    for (const std::string& word : split(fields.words("actions"), " "))
        played.actions.push_back(static_cast<u8>(read_action(word)));
    const Json& outcome = fields.at("outcome");
    if (outcome.is_nothing()) return played;
    const Json& winner = outcome.at("winner");
    played.result = (winner.is_nothing() ? "nobody" : format_json(winner)) + " " + outcome.words("reason");
    for (const Json& points : outcome.items("points")) played.result += " " + format_json(points);
    return played;
}

GameRecord read_json_lines(const std::string& text) {
    GameRecord record;
    std::vector<int> lines;
    int number = 0;
    bool has_head = false;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string row = text.substr(start, end - start);
        start = end + 1;
        at_line(++number);
        if (row.find_first_not_of(" \r\t") == row.npos) continue;
        const Json fields = parse_json(row);
        if (has_head) {
            record.rounds.push_back(read_json_round(fields, record.players()));
            lines.push_back(number);
            continue;
        }
        has_head = true;
        check_version(fields.find("lastcard") == nullptr ? "" : format_json(fields.at("lastcard")));
        record.rules = read_rules(fields.at("rules"));
        for (const Json& name : fields.items("agents")) record.agents.push_back(name.text);
        if (static_cast<int>(record.agents.size()) != record.players()) fail("agents must be one for each seat");
        record.seed = read_json_seed(fields, "seed");
        std::vector<int> people;
        if (fields.find("people") != nullptr) {
            for (const Json& seat : fields.items("people")) people.push_back(static_cast<int>(seat.number));
        }
        set_people(record, people);
    }
    check_rounds(record, lines);
    return record;
}

}  // namespace

GameRecord parse_record(const std::string& text) {
    require(text.size() <= MOST_CHARACTERS, "a record has at most 20,000,000 characters");
    const std::size_t first = text.find_first_not_of(" \n\r\t");
    GameRecord record = first != text.npos && text[first] == '{' ? read_json_lines(text) : read_text(text);
    failing_at.clear();
    require(!record.rounds.empty(), "the record has no round");
    return record;
}

}  // namespace lastcard
