// Fields of documents from outside, each checked where it is read. Every complaint names the field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/json.hpp"
#include "rules/rng.hpp"

namespace lastcard {

using i64 = long long;

// A value for a message, as Python writes it, and cut short where it is long.
std::string quote(const Json& value, std::size_t most = 60);

// The value, if it is a whole number within these bounds.
i64 require_whole(const std::string& name, const Json& value, i64 low, i64 high);

// The key that a seed makes.
Key require_key(const std::string& name, const Json& value);

// The place of a word among those that it may be.
template <class Names>
std::optional<int> find_word(const Names& names, const Json& value) {
    int place = 0;
    for (const char* name : names) {
        if (value.is_text() && value.text == name) return place;
        place += 1;
    }
    return {};
}

template <class Names>
std::vector<std::string> list_words(const Names& names) {
    return {std::begin(names), std::end(names)};
}

// A document of named fields, some of which may be left out.
class Fields {
public:
    // Fails unless it is an object; `what` names it.
    Fields(const Json& document, const char* what);

    bool has(std::string_view name) const { return document.find(name) != nullptr; }

    // Nothing where it is left out.
    const Json& get(std::string_view name) const;

    int integer(const char* name, int otherwise, i64 low, i64 high) const;

    // NO_SEAT where it is null or left out.
    int seat(const char* name, int players) const;

    // Cards as text, none where it is left out.
    std::vector<u8> cards(const char* name) const;

    // A face; nothing where it is null or left out.
    std::optional<u8> card(const char* name) const;

    // NO_COLOR where it is null; `otherwise` where it is left out.
    int color(const char* name, int otherwise) const;

    const Json::List& items(const char* name) const;

    // Seats as bits.
    unsigned seats(const char* name, int players) const;

private:
    const Json& document;
};

// Cards as text; `name` stands before what is wrong with it.
std::vector<u8> read_cards(const std::string& name, const Json& value);

}  // namespace lastcard
