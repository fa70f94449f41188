#include "game/refusal.hpp"

#include "game/names.hpp"

namespace lastcard {

namespace {

std::string find_reason(const Round& round, int action) {
    const Turn& turn = round.state.turn;
    const std::string not_now =
        std::string(ACTION_NAMES[action]) + " is not possible in phase " + PHASE_NAMES[static_cast<int>(turn.phase)];
    if (!is_play(action)) return not_now;
    const int face = action < FIRST_WILD ? action : action < FIRST_FOUR ? WILD_FACE : FOUR_FACE;
    const std::string card = CARD_NAMES[face];
    if (count_face(round.state.hands[turn.seat], face) == 0)
        return card + " is not in the hand of seat " + std::to_string(turn.seat);
    const std::string top = CARD_NAMES[face_of(turn.top)];
    if (turn.phase == Phase::DRAWN) return card + " is not the card just drawn, or does not match " + top;
    if (turn.phase != Phase::TURN || turn.active_color == NO_COLOR) return not_now;
    const std::string color = std::string("active color ") + COLOR_NAMES[turn.active_color] + ")";
    if (face < FIRST_WILD) return card + " does not match " + top + " (" + color;
    return card +
           " may not be played (wild_draw_four=" + WILD_DRAW_FOUR_NAMES[static_cast<int>(round.rules.wild_draw_four)] +
           ", " + color;
}

}  // namespace

bool is_legal(const Round& round, int action) {
    return action >= 0 && action < NUM_ACTIONS && contains(legal_actions(round.state, round.rules), action);
}

std::string explain_refusal(const Round& round, int action) {
    if (action < 0 || action >= NUM_ACTIONS) return "there is no such action";
    if (is_over(round)) return std::string(ACTION_NAMES[action]) + " is not legal: the round is over";
    return find_reason(round, action) + "; seat " + std::to_string(round.state.turn.seat) +
           " may: " + list_names(legal_actions(round.state, round.rules));
}

}  // namespace lastcard
