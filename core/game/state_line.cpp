// States in one line of text.
#include <algorithm>
#include <map>
#include <set>

#include "game/fields.hpp"
#include "game/names.hpp"
#include "game/rules_form.hpp"
#include "game/state_form.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

enum class PartKind { NUMBER, NUMBERS, TEXT };

// How a field is written: its word, its name in the data, its value at the start of a round, and what it is.
struct PartForm {
    const char* word;
    const char* name;
    const char* start;  // null where it is always written
    PartKind kind;
};

constexpr PartForm PARTS[] = {
    {"to act", "seat", "0", PartKind::NUMBER},
    {"phase", "phase", "turn", PartKind::TEXT},
    {"direction", "direction", "1", PartKind::NUMBER},
    {"last color", "last_color", nullptr, PartKind::TEXT},
    {"draw sum", "draw_sum", "0", PartKind::NUMBER},
    {"drawn", "drawn_card", nullptr, PartKind::TEXT},
    {"played by", "player", nullptr, PartKind::NUMBER},
    {"next", "next_seat", nullptr, PartKind::NUMBER},
    {"acted", "last_actor", nullptr, PartKind::NUMBER},
    {"declared", "declared", "", PartKind::NUMBERS},
    {"shown", "shown_hand", "", PartKind::TEXT},
    {"stuck", "stuck_passes", "0", PartKind::NUMBER},
    {"ply", "ply", "0", PartKind::NUMBER},
    {"round", "round", "1", PartKind::NUMBER},
    {"dealer", "dealer", nullptr, PartKind::NUMBER},
    {"seed", "seed", "0", PartKind::NUMBER},
    {"reshuffles", "reshuffles", "0", PartKind::NUMBER},
    {"draw pile", "draw_pile", nullptr, PartKind::TEXT},
};

std::string show_part(const Json& value) {
    if (value.is_text()) return value.text;
    if (value.kind != Json::Kind::LIST) return format_json(value);
    std::vector<std::string> words;
    for (const Json& each : value.list) words.push_back(format_json(each));
    return join(words, " ");
}

// Without the space at its end.
std::string trim(const std::string& part) { return part.substr(0, part.find_last_not_of(' ') + 1); }

std::string format_fields(const Json& fields, const Rules& rules) {
    const Json::List& players = fields.items("players");
    std::vector<std::string> parts{"rules " + format_rules(rules), "discards " + fields.words("discard_pile")};
    if (!fields.at("active_color").is_nothing()) parts.push_back("color " + fields.words("active_color"));
    std::vector<std::string> scores, people;
    bool has_score = false;
    for (std::size_t seat = 0; seat < players.size(); ++seat) {
        parts.push_back(trim("seat " + std::to_string(seat) + ": " + players[seat].words("hand")));
        scores.push_back(format_json(players[seat].at("score")));
        has_score |= players[seat].at("score").number != 0;
        if (!players[seat].at("bot").flag) people.push_back(std::to_string(seat));
    }
    for (const PartForm& form : PARTS) {
        const Json& value = fields.at(form.name);
        const std::string text = show_part(value);
        if (value.is_nothing() || (form.start != nullptr && text == form.start)) continue;
        parts.push_back(trim(form.word + (" " + text)));
    }
    if (has_score) parts.push_back("scores " + join(scores, " "));
    if (!people.empty()) parts.push_back("people " + join(people, " "));
    if (const Json& outcome = fields.at("outcome"); !outcome.is_nothing()) {
        const Json& winner = outcome.at("winner");
        parts.push_back("won by " + (winner.is_nothing() ? "nobody" : format_json(winner)) + " " +
                        outcome.words("reason"));
    }
    std::vector<std::string> history;
    for (const Json& event : fields.items("history")) history.push_back(event.text);
    if (!history.empty()) parts.push_back("history " + join(history, "; "));
    const std::string line = join(parts, " | ");
    const Json& before = fields.at("before");
    return before.is_nothing() ? line : line + " << " + format_fields(before, rules);
}

Json parse_number(const std::string& word) {
    constexpr std::size_t MOST_DIGITS = 80;
    const std::string digits = word.substr(word.starts_with("-") ? 1 : 0);
    if (digits.empty() || digits.size() > MOST_DIGITS || digits.find_first_not_of("0123456789") != digits.npos)
        fail(quote(word) + " is not a whole number");
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    const bool is_negative = word.starts_with("-") && digits.substr(first) != "0";
    return Json::digits((is_negative ? "-" : "") + digits.substr(first));
}

Json parse_numbers(const std::string& text) {
    Json::List numbers;
    for (const std::string& word : split(text, SPACE)) numbers.push_back(parse_number(word));
    return numbers;
}

Json parse_outcome(const std::string& part) {
    const std::vector<std::string> words = split(part, " ");
    const bool is_winner = words.size() == 4 &&
                           (words[2] == "nobody" || (words[2].size() == 1 && words[2][0] >= '0' && words[2][0] <= '9'));
    const auto is_reason_letter = [](char letter) { return letter == '_' || (letter >= 'a' && letter <= 'z'); };
    const bool is_outcome = is_winner && part == join(words, " ") && words[0] == "won" && words[1] == "by" &&
                            std::ranges::all_of(words[3], is_reason_letter);
    if (!is_outcome) fail(quote(part) + " is not an outcome; expected one such as 'won by 0 went_out'");
    return Json::Object{{"winner", words[2] == "nobody" ? Json() : Json(words[2][0] - '0')}, {"reason", words[3]}};
}

// The parts of one line, as they are read.
class LineParts {
public:
    void read(const std::string& part) {
        const PartForm* form = find_form(part);
        const int seat = find_hand_seat(part);
        const std::size_t space = std::min(part.find(' '), part.size());
        const std::string head = part.substr(0, space), rest = part.substr(std::min(space + 1, part.size()));
        const std::string key = seat >= 0         ? "seat " + std::to_string(seat)
                                : form != nullptr ? form->word
                                : head == "top"   ? "discards"
                                                  : head;
        if (!part.empty() && !given.insert(key).second) fail(quote(part) + ": '" + key + "' is given twice");
        if (seat >= 0) hands[seat] = strip(std::string_view(part).substr(part.find(':') + 1));
        else if (form != nullptr) add(form->name, read_part(*form, part.substr(std::string(form->word).size())));
        else if (head == "top" || head == "discards") add("discard_pile", rest);
        else if (head == "color") add("active_color", rest);
        else if (head == "rules") read_rules_part(rest);
        else if (head == "scores") scores = parse_numbers(rest).list;
        else if (head == "people") people = parse_numbers(rest).list;
        else if (head == "won") add("outcome", parse_outcome(part));
        else if (head == "history") add("history", read_history(rest));
        else if (!part.empty())
            fail(quote(part) + " is not a part of a state; expected one such as 'top r5' or 'seat 0: r7 b2'");
    }

    // Checks that the parts fit together, and returns them as fields.
    Json finish() {
        check_hands();
        if (find("discard_pile") == nullptr) fail("the top card is missing; expected a part such as 'top r5'");
        if (!rules) read_rules_part("official players=" + std::to_string(hands.size()));
        if (static_cast<std::size_t>(rules->players) != hands.size()) {
            const FailingAs kind(Refused::RULES);
            fail("players=" + std::to_string(rules->players) + " in the rules, but " + std::to_string(hands.size()) +
                 " hands");
        }
        for (const Json& seat : people) {
            if (seat.number < 0 || seat.number >= static_cast<double>(hands.size()))
                fail("people names a seat beyond " + std::to_string(hands.size() - 1));
        }
        if (!scores.empty() && scores.size() != hands.size())
            fail(std::to_string(scores.size()) + " scores for " + std::to_string(hands.size()) + " seats");
        add("rules", describe_rules(*rules));
        Json::List players;
        for (const auto& [seat, hand] : hands) {
            const bool is_person = std::ranges::any_of(people, [&](const Json& each) { return each.number == seat; });
            players.push_back(Json::Object{{"hand", hand},
                                           {"score", scores.empty() ? Json(0) : scores[static_cast<std::size_t>(seat)]},
                                           {"bot", !is_person}});
        }
        add("players", std::move(players));
        const Json* phase = find("phase");
        const bool has_color = phase == nullptr || (phase->text != "over" && phase->text != "name_color");
        if (!has_color && find("active_color") == nullptr) add("active_color", {});
        return std::move(fields);
    }

private:
    Json::Object fields;
    std::map<int, std::string> hands;
    std::optional<Rules> rules;
    Json::List scores, people;
    std::set<std::string> given;

    void add(const char* name, Json value) { fields.emplace_back(name, std::move(value)); }

    const Json* find(const char* name) const {
        const auto found = std::ranges::find(fields, name, &Json::Member::first);
        return found == fields.end() ? nullptr : &found->second;
    }

    static const PartForm* find_form(const std::string& part) {
        for (const PartForm& form : PARTS) {
            if (part == form.word || part.starts_with(std::string(form.word) + " ")) return &form;
        }
        return nullptr;
    }

    // Of "seat 0: r7", or -1.
    static int find_hand_seat(const std::string& part) {
        const bool has_seat = part.starts_with("seat ") && part.size() > 6 && part[5] >= '0' && part[5] <= '9';
        const bool has_colon = has_seat && (part[6] == ':' || part.substr(6, 2) == " :");
        return has_colon ? part[5] - '0' : -1;
    }

    static Json read_part(const PartForm& form, const std::string& rest) {
        const std::string text(strip(rest));
        if (form.kind == PartKind::TEXT) return text;
        return form.kind == PartKind::NUMBER ? parse_number(text) : parse_numbers(text);
    }

    static Json read_history(const std::string& rest) {
        Json::List events;
        for (std::size_t start = 0; start <= rest.size();) {
            const std::size_t end = std::min(rest.find(';', start), rest.size());
            events.emplace_back(std::string(strip(std::string_view(rest).substr(start, end - start))));
            start = end + 1;
        }
        return events;
    }

    void read_rules_part(const std::string& text) {
        const FailingAs kind(Refused::RULES);
        rules = parse_rules(text);
    }

    void check_hands() const {
        bool is_whole = hands.size() >= 2;
        std::vector<std::string> seats;
        for (const auto& [seat, hand] : hands) {
            is_whole &= seat == static_cast<int>(seats.size());
            seats.push_back(std::to_string(seat));
        }
        if (!is_whole) fail("hands must be given for seats 0, 1 and so on, not [" + join(seats) + "]");
    }
};

Json parse_fields(const std::string& text) {
    const std::size_t middle = std::min(text.find("<<"), text.size());
    LineParts parts;
    for (std::size_t start = 0; start <= middle;) {
        const std::size_t end = std::min(text.find('|', start), middle);
        parts.read(std::string(strip(std::string_view(text).substr(start, end - start))));
        start = end + 1;
    }
    Json fields = parts.finish();
    const std::string before = text.substr(std::min(middle + 2, text.size()));
    if (!before.empty()) fields.members.emplace_back("before", parse_fields(before));
    return fields;
}

}  // namespace

std::string format_state(const SeatedRound& seated) {
    return format_fields(describe_state(seated), seated.round.rules);
}

SeatedRound parse_state(const Json& line) {
    const auto read = [&] {
        const FailingAs notation(Refused::NOTATION);
        if (!line.is_text())
            fail("expected a state as text such as 'top r5 | seat 0: r7 | seat 1: g1', not " + quote(line));
        int num_before = 0;
        for (std::size_t at = 0; (at = line.text.find("<<", at)) != std::string::npos; at += 2) num_before += 1;
        if (num_before > MOST_BEFORE)
            fail("a state cannot have more than " + std::to_string(MOST_BEFORE) + " states before it");
        return parse_fields(line.text);
    };
    return read_state(read());
}

}  // namespace lastcard
