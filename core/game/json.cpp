#include "game/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

constexpr int DEEPEST = 64;

class Parser {
public:
    explicit Parser(std::string_view from, std::size_t most = SIZE_MAX) : text(from), most_values(most) {}

    Json parse_whole() {
        Json value = parse_value(0);
        skip_space();
        if (at != text.size()) refuse("nothing");
        return value;
    }

    // Why it is not JSON; empty if it is.
    const std::string& error() const { return refusal; }

private:
    std::string_view text;
    std::size_t at = 0;
    std::size_t most_values, num_values = 0;
    std::string refusal;

    // Nothing is read from here on.
    void refuse(const char* expected) {
        if (refusal.empty())
            refusal = "not JSON: expected " + std::string(expected) + " at character " + std::to_string(at);
        at = text.size();
    }

    char peek() const { return at < text.size() ? text[at] : '\0'; }

    void skip_space() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) ++at;
    }

    void expect(char wanted, const char* name) {
        if (peek() != wanted) return refuse(name);
        ++at;
    }

    bool take(std::string_view word) {
        if (text.substr(at, word.size()) != word) return false;
        at += word.size();
        return true;
    }

    Json parse_value(int depth) {
        if (depth > DEEPEST) refuse("fewer brackets");
        if (++num_values > most_values) refuse("fewer values");
        skip_space();
        if (peek() == '{') return parse_object(depth);
        if (peek() == '[') return parse_list(depth);
        if (peek() == '"') return parse_string();
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("null")) return {};
        return parse_number();
    }

    bool take_digits() {
        const std::size_t start = at;
        while (peek() >= '0' && peek() <= '9') ++at;
        return at > start;
    }

    Json parse_number() {
        const std::size_t start = at;
        take("-");
        bool is_number = take("0") || take_digits();
        if (take(".")) is_number &= take_digits();
        if (take("e") || take("E")) {
            if (!take("+")) take("-");
            is_number &= take_digits();
        }
        const std::string digits(text.substr(start, at - start));
        const double value = std::strtod(digits.c_str(), nullptr);
        if (!is_number || !std::isfinite(value)) refuse("a value");
        Json number(value);
        number.text = digits;
        number.is_whole = digits.find_first_of(".eE") == digits.npos;
        return number;
    }

    std::string parse_string() {
        expect('"', "text");
        std::string value;
        while (refusal.empty() && peek() != '"') {
            if (at == text.size()) refuse("the end of the text");
            else if (static_cast<u8>(text[at]) < 32) refuse("an escape");
            else if (text[at] != '\\') value += text[at++];
            else parse_escape(value);
        }
        expect('"', "the end of the text");
        return value;
    }

    void parse_escape(std::string& value) {
        ++at;
        const std::size_t place = std::string_view("\"\\/bfnrt").find(peek());
        if (place != std::string_view::npos) {
            value += "\"\\/\b\f\n\r\t"[place];
            ++at;
            return;
        }
        u32 code = parse_code();
        // Two halves make one character.
        if (code >> 10 == 0xD800 >> 10 && text.substr(at, 2) == "\\u") {
            const std::size_t start = at++;
            const u32 low = parse_code();
            if (low >> 10 == 0xDC00 >> 10) code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
            else if (refusal.empty()) at = start;
        }
        append_utf8(value, code);
    }

    u32 parse_code() {
        expect('u', "an escape");
        u32 code = 0;
        for (int i = 0; i < 4 && refusal.empty(); ++i) {
            const char letter = peek();
            const char lower = letter >= 'A' && letter <= 'F' ? static_cast<char>(letter + 32) : letter;
            const std::size_t digit = std::string_view("0123456789abcdef").find(lower);
            if (at == text.size() || digit == std::string_view::npos) refuse("four hexadecimal digits");
            else ++at;
            code = code * 16 + static_cast<u32>(digit & 15);
        }
        return code;
    }

    Json parse_list(int depth) {
        Json::List values;
        expect('[', "a list");
        skip_space();
        while (refusal.empty() && peek() != ']') {
            if (!values.empty()) expect(',', "a comma");
            values.push_back(parse_value(depth + 1));
            skip_space();
        }
        expect(']', "the end of the list");
        return values;
    }

    Json parse_object(int depth) {
        Json::Object members;
        expect('{', "an object");
        skip_space();
        while (refusal.empty() && peek() != '}') {
            if (!members.empty()) expect(',', "a comma");
            skip_space();
            std::string name = parse_string();
            skip_space();
            expect(':', "a colon");
            members.emplace_back(std::move(name), parse_value(depth + 1));
            skip_space();
        }
        expect('}', "the end of the object");
        return members;
    }
};

void write_code(std::string& to, u32 code) {
    char escaped[16];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(code));
    to += escaped;
}

void write_text(std::string& to, std::string_view text, bool is_ascii = false) {
    to += '"';
    while (!text.empty()) {
        const u32 code = take_character(text);
        const std::size_t place =
            code < 128 ? std::string_view("\"\\\b\f\n\r\t").find(static_cast<char>(code)) : text.npos;
        if (place != text.npos) to += std::string("\\") + "\"\\bfnrt"[place];
        else if (code < 32) write_code(to, code);
        else if (code >> 11 != 0xD800 >> 11 && (code < 127 || !is_ascii)) append_utf8(to, code);  // no half of one
        else if (code < 0x10000) write_code(to, code);
        else write_code(to, 0xD800 + ((code - 0x10000) >> 10)), write_code(to, 0xDC00 + (code & 0x3FF));
    }
    to += '"';
}

// 17 digits give back the very same number.
void write_number(std::string& to, const Json& value) {
    constexpr double LARGEST = 1e15;
    const double number = value.number;
    if (value.is_whole && !value.text.empty() && std::fabs(number) >= LARGEST) {
        to += value.text;
        return;
    }
    char digits[32];
    const bool is_whole = number == std::floor(number) && std::fabs(number) < LARGEST;
    std::snprintf(digits, sizeof digits, is_whole ? "%.0f" : "%.17g", number);
    to += digits;
}

void write_value(std::string& to, const Json& value) {
    const char* separator = "";
    switch (value.kind) {
        case Json::Kind::NOTHING:
        case Json::Kind::FOREIGN:
            to += "null";
            break;
        case Json::Kind::FLAG:
            to += value.flag ? "true" : "false";
            break;
        case Json::Kind::NUMBER:
            write_number(to, value);
            break;
        case Json::Kind::TEXT:
            write_text(to, value.text);
            break;
        case Json::Kind::LIST:
            to += '[';
            for (const Json& each : value.list) {
                to += separator;
                write_value(to, each);
                separator = ",";
            }
            to += ']';
            break;
        case Json::Kind::OBJECT:
            to += '{';
            for (const auto& [name, each] : value.members) {
                to += separator;
                write_text(to, name);
                to += ':';
                write_value(to, each);
                separator = ",";
            }
            to += '}';
            break;
    }
}

}  // namespace

// The last one counts, as in Python and JavaScript.
const Json* Json::find(std::string_view name) const {
    const auto found =
        std::find_if(members.rbegin(), members.rend(), [&](const Member& own) { return own.first == name; });
    return found == members.rend() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view name) const {
    const Json* found = find(name);
    if (found == nullptr) fail(std::string(name) + " is missing");
    return *found;
}

int Json::integer(std::string_view name, double low, double high) const {
    const Json& value = at(name);
    const bool is_integer = value.kind == Kind::NUMBER && value.number == std::floor(value.number);
    if (!is_integer || value.number < low || value.number > high) {
        fail(std::string(name) + " must be a whole number from " + format_json(low) + " to " + format_json(high) +
             ", not " + shorten(value));
    }
    return static_cast<int>(value.number);
}

const std::string& Json::words(std::string_view name) const {
    const Json& value = at(name);
    if (value.kind != Kind::TEXT) fail(std::string(name) + " must be text, not " + shorten(value));
    return value.text;
}

const Json::List& Json::items(std::string_view name) const {
    const Json& value = at(name);
    if (value.kind != Kind::LIST) fail(std::string(name) + " must be a list, not " + shorten(value));
    return value.list;
}

Json parse_json(std::string_view text) {
    Parser parser(text);
    Json value = parser.parse_whole();
    if (!parser.error().empty()) fail(parser.error());
    return value;
}

std::optional<Json> try_parse_json(std::string_view text, std::size_t most_values) {
    Parser parser(text, most_values);
    Json value = parser.parse_whole();
    return parser.error().empty() ? std::optional(std::move(value)) : std::nullopt;
}

std::string format_json(const Json& value) {
    std::string text;
    write_value(text, value);
    return text;
}

std::string format_ascii(const std::string& text) {
    std::string quoted;
    write_text(quoted, text, true);
    return quoted;
}

Json Json::digits(std::string text) {
    Json number(std::strtod(text.c_str(), nullptr));
    number.text = std::move(text);
    number.is_whole = true;
    return number;
}

bool is_same(const Json& one, const Json& other) {
    const auto is_number = [](const Json& value) { return value.kind == Json::Kind::NUMBER; };
    const auto is_flag = [](const Json& value) { return value.kind == Json::Kind::FLAG; };
    if (is_flag(one) && is_number(other)) return other.number == (one.flag ? 1.0 : 0.0);
    if (is_number(one) && is_flag(other)) return is_same(other, one);
    if (one.kind != other.kind) return false;
    switch (one.kind) {
        case Json::Kind::NOTHING:
            return true;
        case Json::Kind::FLAG:
            return one.flag == other.flag;
        case Json::Kind::NUMBER:
            return one.number == other.number;
        case Json::Kind::TEXT:
        case Json::Kind::FOREIGN:
            return one.text == other.text;
        case Json::Kind::LIST:
            return std::ranges::equal(one.list, other.list, is_same);
        case Json::Kind::OBJECT:
            return one.members.size() == other.members.size() &&
                   std::ranges::all_of(one.members, [&](const Json::Member& member) {
                       const Json* found = other.find(member.first);
                       return found != nullptr && is_same(member.second, *found);
                   });
    }
    return false;
}

std::string shorten(const Json& value) {
    constexpr std::size_t LONGEST = 60;
    const std::string text = format_json(value);
    std::string_view left = text;
    for (std::size_t i = 0; i < LONGEST && !left.empty(); ++i) take_character(left);
    return left.empty() ? text : text.substr(0, text.size() - left.size()) + "...";
}

}  // namespace lastcard
