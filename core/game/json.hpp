// JSON: lines of records, and requests and answers that cross the border to JavaScript.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/platform.hpp"

namespace lastcard {

class Json {
public:
    enum class Kind : u8 { NOTHING, FLAG, NUMBER, TEXT, LIST, OBJECT, FOREIGN };  // FOREIGN: of the host, no JSON
    using List = std::vector<Json>;
    using Member = std::pair<std::string, Json>;
    using Object = std::vector<Member>;

    Json() = default;
    Json(bool value) : kind(Kind::FLAG), flag(value) {}
    Json(std::integral auto value) : kind(Kind::NUMBER), is_whole(true), number(static_cast<double>(value)) {}
    Json(double value) : kind(Kind::NUMBER), number(value) {}
    Json(const char* value) : kind(Kind::TEXT), text(value) {}
    Json(std::string value) : kind(Kind::TEXT), text(std::move(value)) {}
    Json(List values) : kind(Kind::LIST), list(std::move(values)) {}
    Json(Object values) : kind(Kind::OBJECT), members(std::move(values)) {}

    Kind kind = Kind::NOTHING;
    bool flag = false;
    bool is_whole = false;  // a number that was given without a fraction
    double number = 0.0;
    std::string
        text;  // of a number: its digits, if it was read or is too large for a double; of a foreign value: its name
    List list;
    Object members;

    // A whole number of any size.
    static Json digits(std::string text);

    bool is_nothing() const { return kind == Kind::NOTHING; }
    bool is_text() const { return kind == Kind::TEXT; }

    // The member of that name; null if there is none.
    const Json* find(std::string_view name) const;

    // The member of that name; fails if there is none.
    const Json& at(std::string_view name) const;

    // What they say, or a failure that names the field.
    int integer(std::string_view name, double low, double high) const;
    const std::string& words(std::string_view name) const;
    const List& items(std::string_view name) const;
};

// Fails where the text is not JSON, saying at which character.
Json parse_json(std::string_view text);

// Nothing if the text is not JSON, or has more values than that: each takes a hundred bytes of memory.
std::optional<Json> try_parse_json(std::string_view text, std::size_t most_values);

std::string format_json(const Json& value);

// Text in quotes, with everything but ASCII escaped.
std::string format_ascii(const std::string& text);

// Whether two values are equal; true is 1, as in Python.
bool is_same(const Json& one, const Json& other);

// `value` for a message: cut short where it is long.
std::string shorten(const Json& value);

}  // namespace lastcard
