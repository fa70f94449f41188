// Rules, actions and observations as JSON values, written as the Python package writes them.
#pragma once

#include <string>
#include <vector>

#include "game/json.hpp"
#include "game/names.hpp"
#include "game/text.hpp"
#include "round/observation.hpp"

namespace lastcard {

// Rules with the score that ends a game, which no round depends on.
struct GameRules {
    Rules rules{};
    Json fields;  // all of them, as `Rules.to_dict` writes them
};

// From a text such as "house players=3", or from an object of fields and a preset. Fails naming the field.
GameRules read_rules(const Json& described);

// All fields of the rules, as `GameRules` has them.
Json name_rules(const Rules& rules);

// The preset with the fewest changes, so that `read_rules` reads it back.
std::string format_rules(const Json& fields);

// The preset that these fields are, for any number of players; nothing if they are none.
Json name_preset(const Json& fields);

// A seed of up to 256 bits from hexadecimal digits.
Key read_seed(const Json& described);

int read_action(const Json& described);

// One whole number within these limits for each seat.
std::vector<int> read_by_seat(const Json& described, const char* field, int players, double low, double high);

// Scores of earlier rounds, as far as Python takes them.
inline std::vector<int> read_scores(const Json& described, int players) {
    return read_by_seat(described, "scores", players, -1e7, 1e7);
}

Json name_action(int action);
Json name_actions(const ActionSet& actions);
Json name_cards(const std::vector<u8>& cards);
Json name_hand(const Hand& hand);
Json name_card(int card);
Json name_color(int color);
Json name_seat(int seat);
Json name_seats(unsigned seats);
bool is_private_card(const Event& event);

Json first_seats(const BySeat<int>& values, int players);

Json describe_outcome(const Turn& turn, const BySeat<int>& points, int players);

// As `Observation.to_dict` writes it.
Json describe_observation(const Observation& seen, const GameRules& rules);

// Reads what `describe_observation` writes. Fails naming a field that is missing or impossible, or that is not what the
// others make it.
Observation read_observation(const Json& described);

// The history of an observation as text, from the event of that number on.
Json name_history(const Observation& seen, std::size_t from = 0);

// Everything that a page can offer: presets and fields of rules, agents with their options, levels.
const Json& description();

}  // namespace lastcard
