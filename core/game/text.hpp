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

// For a message: in quotes, with what cannot be seen escaped, and cut short where it is long.
std::string quote(std::string_view text);

// A number with a comma after each thousand.
std::string group_digits(std::size_t number);

}  // namespace lastcard
