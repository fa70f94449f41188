// Rules, actions and observations as JSON values, written as the Python package writes them.
#pragma once

#include "round/observation.hpp"
#include "wasm/json.hpp"

namespace lastcard {

// Rules with the score that ends a game, which no round depends on.
struct GameRules {
    Rules rules{};
    Json fields;  // all of them, as `Rules.to_dict` writes them
};

// From a text such as "house players=3", or from an object of fields and a preset. Fails naming the field.
GameRules read_rules(const Json& described);

// A seed of up to 256 bits from hexadecimal digits.
Key read_seed(const Json& described);

int read_action(const Json& described);
Json name_action(int action);
Json name_actions(const ActionSet& actions);
Json name_cards(const std::vector<u8>& cards);
Json name_hand(const Hand& hand);

Json describe_outcome(const Turn& turn, const std::array<int, MAX_SEATS>& points, int players);

// As `Observation.to_dict` writes it.
Json describe_observation(const Observation& seen, const GameRules& rules);

// Everything that a page can offer: presets and fields of rules, agents with their options, levels.
const Json& description();

}  // namespace lastcard
