#include "game/names.hpp"

#include <algorithm>

#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

std::optional<int> find_name(const auto& names, std::string_view wanted) {
    const auto found = std::ranges::find_if(names, [&](const char* name) { return is_same_word(wanted, name); });
    return found == std::end(names) ? std::nullopt : std::optional(static_cast<int>(found - std::begin(names)));
}

}  // namespace

std::optional<int> find_card(std::string_view name) { return find_name(CARD_NAMES, name); }

std::optional<int> find_action(std::string_view name) { return find_name(ACTION_NAMES, name); }

int parse_card(const std::string& name) {
    const std::optional<int> found = find_card(name);
    if (!found) fail(quote(name) + " is not a card; expected " + CARD_HELP);
    return *found;
}

int parse_action(const std::string& name) {
    const std::optional<int> found = find_action(name);
    if (found) return *found;
    if (is_same_word(name, "w") || is_same_word(name, "w+4"))
        fail(quote(name) + " names no color; expected " + name + ":r, :y, :g or :b");
    fail(quote(name) + " is not an action; expected " + ACTION_HELP);
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
