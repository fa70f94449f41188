#include "game/text.hpp"

#include <algorithm>
#include <cstdio>

namespace lastcard {

namespace {

constexpr std::size_t WIDTH = 80;

bool is_continuation(char byte) { return (static_cast<u8>(byte) & 0xC0) == 0x80; }

// What cannot be seen or told from a space, and halves of characters.
bool is_hidden(u32 code) {
    constexpr u32 RANGES[][2] = {{0, 31},          {127, 160},       {0xAD, 0xAD},
                                 {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},
                                 {0x3000, 0x3000}, {0xD800, 0xDFFF}, {0xFEFF, 0xFEFF}};
    return std::ranges::any_of(RANGES, [&](const u32(&range)[2]) { return code >= range[0] && code <= range[1]; });
}

// As in a string of Python.
std::string escape(u32 code) {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    char escaped[16];
    std::snprintf(escaped, sizeof escaped, code < 256 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code));
    return escaped;
}

// Letters in common, by Ratcliff and Obershelp: those of the longest common run, and on both sides of it.
std::size_t count_shared(std::string_view one, std::string_view other) {
    std::size_t longest = 0, start = 0, begin = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        for (std::size_t j = 0; j < other.size(); ++j) {
            std::size_t size = 0;
            while (i + size < one.size() && j + size < other.size() && one[i + size] == other[j + size]) ++size;
            if (size > longest) longest = size, start = i, begin = j;
        }
    }
    if (longest == 0) return 0;
    return longest + count_shared(one.substr(0, start), other.substr(0, begin)) +
           count_shared(one.substr(start + longest), other.substr(begin + longest));
}

}  // namespace

std::vector<std::string> split(const std::string& text, const char* separators) {
    std::vector<std::string> words;
    for (std::size_t start = 0; (start = text.find_first_not_of(separators, start)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
        words.push_back(text.substr(start, end - start));
        start = end;
    }
    return words;
}

std::string join_words(const std::string& text) {
    std::string joined;
    for (const std::string& word : split(text, SPACE)) joined += (joined.empty() ? "" : " ") + word;
    return joined;
}

bool is_same_word(std::string_view one, std::string_view other) {
    const auto lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter + 0; };
    return std::ranges::equal(one, other, {}, lower, lower);
}

std::string wrap(const std::string& text) {
    std::string wrapped;
    std::size_t column = 0;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        const std::size_t length = end - start;
        const bool fits = column + 1 + length <= WIDTH;
        if (!wrapped.empty()) wrapped += fits ? ' ' : '\n';
        column = wrapped.empty() || !fits ? length : column + 1 + length;
        wrapped.append(text, start, length);
        start = end + 1;
    }
    return wrapped;
}

void append_utf8(std::string& to, u32 code) {
    const auto add_tail = [&](u32 shift) { to += static_cast<char>(0x80 | (code >> shift & 63)); };
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xC0 | code >> 6);
        add_tail(0);
    } else if (code < 0x10000) {
        to += static_cast<char>(0xE0 | code >> 12);
        add_tail(6);
        add_tail(0);
    } else {
        to += static_cast<char>(0xF0 | code >> 18);
        add_tail(12);
        add_tail(6);
        add_tail(0);
    }
}

u32 take_character(std::string_view& text) {
    const u32 first = static_cast<u8>(text[0]);
    const std::size_t size = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    u32 code = size == 1 ? first : first & (0xFFu >> (size + 1));
    std::size_t taken = 1;
    while (taken < size && taken < text.size() && is_continuation(text[taken]))
        code = code << 6 | (static_cast<u8>(text[taken++]) & 63);
    text.remove_prefix(taken);
    return code;
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !is_continuation(byte); }));
}

std::string_view strip(std::string_view text) {
    const std::size_t first = text.find_first_not_of(SPACE);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(SPACE) + 1 - first);
}

std::string cut(const std::string& text, std::size_t most) {
    std::string_view left = text;
    for (std::size_t i = 0; i < most && !left.empty(); ++i) take_character(left);
    return left.empty() ? text : text.substr(0, text.size() - left.size()) + "\xE2\x80\xA6";  // …
}

std::string show(std::string_view text) {
    const bool has_single = text.find('\'') != text.npos && text.find('"') == text.npos;
    const char mark = has_single ? '"' : '\'';
    std::string shown(1, mark);
    while (!text.empty()) {
        const u32 code = take_character(text);
        if (is_hidden(code)) shown += escape(code);
        else if (code == '\\' || code == static_cast<u32>(mark)) (shown += '\\') += static_cast<char>(code);
        else append_utf8(shown, code);
    }
    return shown + mark;
}

std::string quote(std::string_view text) { return cut(show(text)); }

std::string join(const std::vector<std::string>& words, const char* separator) {
    std::string joined;
    for (const std::string& word : words) joined += (&word == words.data() ? "" : separator) + word;
    return joined;
}

std::string suggest(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t LONGEST_NAME = 40;
    constexpr double CLOSE = 0.6;
    if (count_characters(name) > LONGEST_NAME) return "";
    std::string wanted(strip(name));
    for (char& letter : wanted) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    std::string best;
    double most = CLOSE;
    for (const std::string& each : known) {
        const auto size = static_cast<double>(each.size() + wanted.size());
        const double likeness = 2.0 * static_cast<double>(count_shared(each, wanted)) / size;
        if (likeness < most || (likeness == most && each < best)) continue;
        best = each;
        most = likeness;
    }
    return best.empty() ? "" : " (did you mean " + show(best) + "?)";
}

std::string group_digits(std::size_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(at - 3), ',');
    return digits;
}

}  // namespace lastcard
