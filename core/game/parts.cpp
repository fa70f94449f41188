#include "game/parts.hpp"

#include <algorithm>
#include <string_view>

#include "game/record.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

bool is_letter_or_digit(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

[[noreturn]] void refuse_version(const Json& read) {
    const std::string wanted = std::to_string(RECORD_VERSION);
    const std::string shown = read.is_nothing()               ? "nothing"
                              : read.kind == Json::Kind::TEXT ? quote(read.text)
                                                              : shorten(read);
    fail("not a lastcard record of version " + wanted + ": its first line says " + shown + "; expected [Lastcard \"" +
         wanted + "\"]");
}

class Reader {
public:
    explicit Reader(const std::string& from) : text(from) {}

    std::vector<Part> read() {
        while (skip_space()) {
            const FailingAt here(name_line(line));
            if (text[at] == '[') read_header();
            else read_word();
        }
        const FailingAt here(name_line(1));
        if (parts[0].headers.empty()) refuse_version({});
        return std::move(parts);
    }

private:
    std::string_view text;
    std::size_t at = 0;
    int line = 1;
    std::vector<Part> parts{1};

    static bool is_space(char letter) { return std::string_view(SPACE).find(letter) != std::string_view::npos; }

    bool skip_space() {
        for (; at < text.size() && is_space(text[at]); ++at) line += text[at] == '\n';
        return at < text.size();
    }

    [[noreturn]] void refuse(std::size_t start) const {
        std::string_view left = text.substr(start);
        for (int i = 0; i < 40 && !left.empty(); ++i) take_character(left);
        std::string_view shown = text.substr(start, text.size() - left.size() - start);
        shown = shown.substr(0, shown.find_last_not_of(SPACE) + 1);
        fail(quote(shown) + " is neither a header nor an action");
    }

    void read_header() {
        const std::size_t start = at++;
        while (at < text.size() && is_letter_or_digit(text[at])) ++at;
        const std::string name(text.substr(start + 1, at - start - 1));
        const std::size_t open = text.find_first_not_of(SPACE, at);
        if (name.empty() || open == text.npos || open == at || text[open] != '"') refuse(start);
        std::size_t close = open + 1;
        while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
        if (close + 1 >= text.size() || text[close + 1] != ']') refuse(start);
        add_header(name, std::string(text.substr(open + 1, close - open - 1)));
        line += static_cast<int>(std::ranges::count(text.substr(start, close - start), '\n'));
        at = close + 2;
    }

    void add_header(const std::string& name, const std::string& value) {
        if (parts[0].headers.empty()) {
            if (name != "Lastcard") refuse_version("[" + name + " \"" + value + "\"]");
            check_version(join_words(value));
        }
        if (name == "Round") parts.push_back({line, {}, {}, {}});
        Part& part = parts.back();
        if (name == "Reshuffle" && parts.size() > 1) return part.reshuffles.push_back({value, line});
        if (part.find(name) != nullptr) fail("header " + name + " is given twice");
        require(part.headers.size() < MOST_HEADERS, "more headers than a record has");
        part.headers.push_back({name, {name.starts_with("Seat") ? value : join_words(value), line}});
    }

    void read_word() {
        const std::size_t start = at;
        while (at < text.size() && !is_space(text[at]) && std::string_view("[]\"").find(text[at]) == text.npos) ++at;
        if (at == start) refuse(start);
        const std::string word(text.substr(start, at - start));
        if (parts[0].headers.empty()) refuse_version(word);
        if (parts.size() == 1) fail(quote(word) + " stands before the first round; expected [Round \"1\"]");
        parts.back().words.push_back({word, line});
    }

    static constexpr std::size_t MOST_HEADERS = 1000;
};

}  // namespace

const Word* Part::find(const std::string& name) const {
    const auto found = std::ranges::find(headers, name, &Header::name);
    return found == headers.end() ? nullptr : &found->value;
}

const Word& Part::at(const std::string& name) const {
    const Word* found = find(name);
    if (found != nullptr) return *found;
    const FailingAt here(name_line(line));
    fail("header " + name + " is missing");
}

void Part::refuse_unknown(const std::vector<std::string>& known) const {
    for (const Header& header : headers) {
        if (std::ranges::find(known, header.name) != known.end()) continue;
        const FailingAt here(name_line(header.value.line));
        std::string expected;
        for (const std::string& name : known) expected += (expected.empty() ? "" : ", ") + name;
        fail("unknown header " + quote(header.name) + "; expected " + expected);
    }
}

std::string name_line(int line) { return "line " + std::to_string(line) + ": "; }

void check_version(const Json& version) {
    const bool is_number = version.kind == Json::Kind::NUMBER && version.number == RECORD_VERSION;
    const bool is_text = version.kind == Json::Kind::TEXT && version.text == std::to_string(RECORD_VERSION);
    if (!is_number && !is_text) refuse_version(version);
}

void check_length(const std::string& text) {
    const std::size_t size = count_characters(text);
    if (size > MOST_RECORD_CHARACTERS)
        fail("a record has at most " + group_digits(MOST_RECORD_CHARACTERS) + " characters, this one " +
             group_digits(size));
}

std::vector<Part> read_parts(const std::string& text) { return Reader(text).read(); }

}  // namespace lastcard
