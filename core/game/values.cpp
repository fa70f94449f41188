#include "game/values.hpp"

#include "game/names.hpp"
#include "round/fail.hpp"

namespace lastcard {

Json name_action(int action) { return ACTION_NAMES[action]; }

Json name_actions(const ActionSet& actions) {
    Json::List named;
    named.reserve(static_cast<std::size_t>(num_actions(actions)));
    for (u64 left = actions.plays; left != 0; left &= left - 1) named.push_back(name_action(lowest_bit(left)));
    for (u64 left = actions.others; left != 0; left &= left - 1)
        named.push_back(name_action(NUM_PLAYS + lowest_bit(left)));
    return named;
}

Json name_card(int card) { return card == NO_CARD ? Json() : Json(CARD_NAMES[face_of(card)]); }

Json name_cards(const std::vector<u8>& cards) {
    Json::List named;
    named.reserve(cards.size());
    for (const u8 card : cards) named.push_back(name_card(card));
    return named;
}

Json name_faces(const std::vector<u8>& faces) {
    Json::List named;
    for (const u8 face : faces) named.emplace_back(CARD_NAMES[face]);
    return named;
}

Json name_hand(const Hand& hand) {
    Json::List named;
    for_each_face(hand, [&](int face) { named.emplace_back(CARD_NAMES[face]); });
    return named;
}

Json name_color(int color) { return color == NO_COLOR ? Json() : Json(COLOR_LETTERS[color]); }

Json name_seat(int seat) { return seat == NO_SEAT ? Json() : Json(seat); }

Json name_seats(unsigned seats) {
    Json::List named;
    for (u64 left = seats; left != 0; left &= left - 1) named.emplace_back(lowest_bit(left));
    return named;
}

Json first_seats(const BySeat<int>& values, int players) {
    return Json::List(values.begin(), values.begin() + players);
}

Json describe_outcome(const Turn& turn, const BySeat<int>& points, int players) {
    if (turn.ending == Ending::NONE) return {};
    return Json::Object{{"winner", name_seat(turn.winner)},
                        {"reason", ENDING_NAMES[static_cast<int>(turn.ending)]},
                        {"points", first_seats(points, players)}};
}

int read_action(const Json& described) {
    const std::optional<int> action = described.is_text() ? find_action(described.text) : std::nullopt;
    if (!action) fail("action must be one such as \"r5\", \"w:g\" or \"draw\", not " + shorten(described));
    return *action;
}

}  // namespace lastcard
