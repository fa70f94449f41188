// Rules as text and as JSON values: fields, presets and decks, and the one place that states how each is written.
#pragma once

#include <string>

#include "game/json.hpp"
#include "rules/rules.hpp"

namespace lastcard {

// From an object of fields. Fails naming the field.
Rules read_rules(const Json& fields);

// From a text such as "house players=3".
Rules parse_rules(const Json& text);

// From a text, or from an object of fields and perhaps a preset.
Rules choose_rules(const Json& described);

// All fields.
Json describe_rules(const Rules& rules);

// The preset with the fewest changes, so that `parse_rules` reads it back.
std::string format_rules(const Rules& rules);

// The same as data: the name under `preset`, and the fields that are changed.
Json list_rule_changes(const Rules& rules);

// The preset that these rules are, for any number of players; nothing if they are none.
Json name_preset(const Rules& rules);

// The name of the deck, or its cards.
std::string name_deck(const Rules& rules);

// What a page can offer: each field with its type, values and meaning; the presets; what they are; decks by name.
Json describe_rule_fields();
Json describe_presets();
Json summarize_presets();
Json describe_decks();

}  // namespace lastcard
