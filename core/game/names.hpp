// Names of cards, actions, colors, phases and endings: the one place that states how each is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "round/faces.hpp"
#include "rules/actions.hpp"

namespace lastcard {

inline constexpr const char* CARD_NAMES[NUM_FACES] = {
    "r0", "r1",  "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "rS", "rR", "r+2",  //
    "y0", "y1",  "y2", "y3", "y4", "y5", "y6", "y7", "y8", "y9", "yS", "yR", "y+2",  //
    "g0", "g1",  "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "gS", "gR", "g+2",  //
    "b0", "b1",  "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "bS", "bR", "b+2",  //
    "w",  "w+4",
};

inline constexpr const char* ACTION_NAMES[NUM_ACTIONS] = {
    "r0",      "r1",      "r2",      "r3",      "r4",     "r5",     "r6",     "r7",     "r8",        "r9",     "rS",
    "rR",      "r+2",     "y0",      "y1",      "y2",     "y3",     "y4",     "y5",     "y6",        "y7",     "y8",
    "y9",      "yS",      "yR",      "y+2",     "g0",     "g1",     "g2",     "g3",     "g4",        "g5",     "g6",
    "g7",      "g8",      "g9",      "gS",      "gR",     "g+2",    "b0",     "b1",     "b2",        "b3",     "b4",
    "b5",      "b6",      "b7",      "b8",      "b9",     "bS",     "bR",     "b+2",    "w:r",       "w:y",    "w:g",
    "w:b",     "w+4:r",   "w+4:y",   "w+4:g",   "w+4:b",  "draw",   "keep",   "accept", "challenge", "uno",    "catch",
    "pass",    "swap:0",  "swap:1",  "swap:2",  "swap:3", "swap:4", "swap:5", "swap:6", "swap:7",    "swap:8", "swap:9",
    "color:r", "color:y", "color:g", "color:b",
};

inline constexpr const char* COLOR_LETTERS[NUM_COLORS] = {"r", "y", "g", "b"};
inline constexpr const char* COLOR_NAMES[NUM_COLORS] = {"red", "yellow", "green", "blue"};
inline constexpr const char* PHASE_NAMES[] = {"turn", "drawn", "name_color", "answer",
                                              "swap", "catch", "jump_in",    "over"};
inline constexpr const char* ENDING_NAMES[] = {"", "went_out", "blocked", "max_plies"};
inline constexpr const char* WILD_DRAW_FOUR_NAMES[] = {"strict", "bluff", "free", "last_resort"};
inline constexpr const char* STACKING_NAMES[] = {"none", "same", "any_up"};
inline constexpr const char* DRAWN_CARD_NAMES[] = {"may_play", "must_play", "end_turn"};
inline constexpr const char* SCORING_NAMES[] = {"winner", "lowest"};

// Of an `EventKind`, as a word and in a sentence. Cards that were got or shown are told with the event before them.
inline constexpr const char* EVENT_NAMES[] = {
    "dealt",      "",     "turned_up",   "reshuffled", "played",       "jumped_in",
    "drew",       "kept", "named_color", "accepted",   "called_uno",   "caught",
    "challenged", "",     "passed",      "swapped",    "hands_passed", "skipped",
};
inline constexpr const char* EVENT_VERBS[] = {
    "is dealt", "",          "turned up", "reshuffled", "plays", "jumps in", "draws",      "keeps",      "names",
    "accepts",  "calls uno", "catches",   "challenges", "",      "passes",   "swaps with", "hands pass", "is skipped",
};

inline constexpr const char* CARD_HELP =
    "a color r, y, g or b with 0-9, S, R or +2 (such as r5, gS, b+2), or w, or w+4";
inline constexpr const char* ACTION_HELP =
    "a card (a color r, y, g or b with 0-9, S, R or +2 (such as r5, gS, b+2), or w, or w+4), a Wild with its color "
    "(w:g, w+4:b), draw, keep, accept, challenge, uno, catch, pass, swap:SEAT or color:COLOR";

inline constexpr const char* COLOR_HELP = " is not a color; expected r, y, g, b or red, yellow, green, blue";

// The face, action or color of that name, in any case of letters and with space around it.
std::optional<int> find_card(std::string_view name);
std::optional<int> find_action(std::string_view name);
std::optional<int> find_color(std::string_view name);

// The same for a text that must be one; fails quoting it.
int parse_card(const std::string& name);
int parse_action(const std::string& name);
int parse_color(const std::string& name);

// Cards separated by spaces or commas.
std::vector<u8> parse_cards(const std::string& text);
std::string format_cards(const std::vector<u8>& faces);

std::string list_names(const ActionSet& actions);

}  // namespace lastcard
