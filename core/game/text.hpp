// Words of a text, and texts in messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/platform.hpp"

namespace lastcard {

inline constexpr const char* SPACE = " \n\r\t\f\v";
inline constexpr const char* CARD_SPACE = " \n\r\t\f\v,";

std::vector<std::string> split(const std::string& text, const char* separators);

// Its words with one space between them.
std::string join_words(const std::string& text);

// Whether two words differ in case only.
bool is_same_word(std::string_view one, std::string_view other);

// Breaks lines between words, as late as possible.
std::string wrap(const std::string& text);

// Adds a character as UTF-8.
void append_utf8(std::string& to, u32 code);

// Takes a character of UTF-8 off the front; of other bytes, one.
u32 take_character(std::string_view& text);

std::size_t count_characters(std::string_view text);

inline constexpr std::size_t LONGEST_QUOTE = 60;

// Without the space around it.
std::string_view strip(std::string_view text);

// Cut to so many characters, and marked as cut.
std::string cut(const std::string& text, std::size_t most = LONGEST_QUOTE);

// In quotes, with what cannot be seen escaped, as Python writes it.
std::string show(std::string_view text);

// The same for a message: cut short where it is long.
std::string quote(std::string_view text);
inline std::string quote(const std::string& text) { return quote(std::string_view(text)); }

// The end of a message about an unknown name: the known one that was probably meant, if any.
std::string suggest(std::string_view name, const std::vector<std::string>& known);

// "one, two, three".
std::string join(const std::vector<std::string>& words, const char* separator = ", ");

// A number with a comma after each thousand.
std::string group_digits(std::size_t number);

}  // namespace lastcard
