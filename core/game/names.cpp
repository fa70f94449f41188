#include "game/names.hpp"

#include <unordered_map>

#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

// The place of a name, in any case of letters and with space around it.
template <const auto& NAMES>
std::optional<int> find_name(std::string_view text) {
    const auto lower = [](std::string word) {
        for (char& letter : word) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
        return word;
    };
    static const auto places = [&] {
        std::unordered_map<std::string, int> made;
        for (const char* name : NAMES) made.emplace(lower(name), static_cast<int>(made.size()));
        return made;
    }();
    const auto found = places.find(lower(std::string(strip(text))));
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<int> find_card(std::string_view name) { return find_name<CARD_NAMES>(name); }

std::optional<int> find_action(std::string_view name) { return find_name<ACTION_NAMES>(name); }

std::optional<int> find_color(std::string_view name) {
    const std::optional<int> letter = find_name<COLOR_LETTERS>(name);
    return letter ? letter : find_name<COLOR_NAMES>(name);
}

int parse_card(const std::string& name) {
    const std::optional<int> found = find_card(name);
    if (!found) fail(quote(name) + " is not a card; expected " + CARD_HELP);
    return *found;
}

int parse_action(const std::string& name) {
    const std::optional<int> found = find_action(name);
    if (found) return *found;
    const std::string word(strip(name));
    if (is_same_word(word, "w") || is_same_word(word, "w+4"))
        fail(quote(name) + " names no color; expected " + word + ":r, :y, :g or :b");
    fail(quote(name) + " is not an action; expected " + ACTION_HELP);
}

int parse_color(const std::string& name) {
    const std::optional<int> found = find_color(name);
    if (!found) fail(quote(name) + COLOR_HELP);
    return *found;
}

std::vector<u8> parse_cards(const std::string& text) {
    std::vector<u8> faces;
    for (const std::string& word : split(text, CARD_SPACE)) faces.push_back(static_cast<u8>(parse_card(word)));
    return faces;
}

std::string format_cards(const std::vector<u8>& faces) {
    std::string text;
    for (const u8 face : faces) text += (text.empty() ? "" : " ") + std::string(CARD_NAMES[face]);
    return text;
}

std::string list_names(const ActionSet& actions) {
    std::string text;
    for (int i = 0; i < num_actions(actions); ++i)
        text += (i > 0 ? " " : "") + std::string(ACTION_NAMES[nth_action(actions, i)]);
    return text;
}

}  // namespace lastcard
