// JSON, in which requests and answers cross the border to JavaScript: every value by its name.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/platform.hpp"

namespace lastcard {

class Json {
public:
    enum class Kind : u8 { NOTHING, FLAG, NUMBER, TEXT, LIST, OBJECT };
    using List = std::vector<Json>;
    using Member = std::pair<std::string, Json>;
    using Object = std::vector<Member>;

    Json() = default;
    Json(bool value) : kind(Kind::FLAG), flag(value) {}
    Json(std::integral auto value) : kind(Kind::NUMBER), number(static_cast<double>(value)) {}
    Json(double value) : kind(Kind::NUMBER), number(value) {}
    Json(const char* value) : kind(Kind::TEXT), text(value) {}
    Json(std::string value) : kind(Kind::TEXT), text(std::move(value)) {}
    Json(List values) : kind(Kind::LIST), list(std::move(values)) {}
    Json(Object values) : kind(Kind::OBJECT), members(std::move(values)) {}

    Kind kind = Kind::NOTHING;
    bool flag = false;
    double number = 0.0;
    std::string text;  // of a number: its digits, if it was read
    List list;
    Object members;

    bool is_nothing() const { return kind == Kind::NOTHING; }

    // The member of that name; null if there is none.
    const Json* find(std::string_view name) const;

    // The member of that name; fails if there is none.
    const Json& at(std::string_view name) const;

    // What they say, or a failure that names the field.
    int integer(std::string_view name, double low, double high) const;
    const std::string& words(std::string_view name) const;
    const List& items(std::string_view name) const;
};

// Stands before the message of whatever fails from now on in this call: the line of a text that is being read.
inline std::string failing_at;

// Fails where the text is not JSON, saying at which character.
Json parse_json(std::string_view text);

std::string format_json(const Json& value);

// `value` for a message: cut short where it is long.
std::string shorten(const Json& value);

}  // namespace lastcard
