#include "game/position.hpp"

#include <algorithm>

#include "game/names.hpp"
#include "game/rules_form.hpp"
#include "game/text.hpp"
#include "round/blank_turn.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

std::string name_phase_of(Phase phase) { return PHASE_NAMES[static_cast<int>(phase)]; }

bool is_draw_card(int top) { return is_four(top) || (is_colored(top) && rank_of(top) == DRAW_TWO); }

// The reasons for which the core could not go on from a described turn.
struct TurnCheck {
    const Rules& rules;
    const Places& places;
    const Turn& turn;
    int top;  // card id

    std::string show_top() const { return CARD_NAMES[face_of(top)]; }

    void check() const {
        const bool is_over = turn.phase == Phase::OVER;
        const bool is_out = turn.winner != NO_SEAT && item(places.hands, turn.winner).empty();
        if (is_over && turn.ending == Ending::WENT_OUT && !is_out)
            fail("outcome: the seat that went out must have won and hold no card");
        require((turn.drawn != NO_CARD) == (turn.phase == Phase::DRAWN),
                "drawn_card belongs to phase drawn and to no other");
        if (is_over) return;
        if (turn.seat == NO_SEAT) fail("seat is missing in phase " + name_phase_of(turn.phase));
        check_seats();
        check_color();
        check_draw_sum();
        check_hands();
        if (!can_come_up(rules, turn.phase, top))
            fail("phase " + name_phase_of(turn.phase) + " cannot come up with " + show_top() +
                 " on top under the rules " + format_rules(rules));
    }

    void check_seats() const {
        const Phase phase = turn.phase;
        const bool has_player =
            phase == Phase::ANSWER || phase == Phase::SWAP || phase == Phase::CATCH_UNO || phase == Phase::JUMP_IN;
        if (has_player && turn.player == NO_SEAT)
            fail("player, who played the top card, is missing in phase " + name_phase_of(phase));
        if ((phase == Phase::ANSWER || phase == Phase::JUMP_IN) && turn.seat == turn.player)
            fail("seat " + std::to_string(turn.seat) + " played the top card and cannot be asked in phase " +
                 name_phase_of(phase));
        if (phase == Phase::SWAP && turn.seat != turn.player)
            fail("seat must be " + std::to_string(turn.player) + ", who played the 7, in phase swap");
    }

    void check_color() const {
        if (turn.phase == Phase::NAME_COLOR) {
            require(face_of(top) == WILD_FACE && turn.active_color == NO_COLOR,
                    "phase name_color needs a Wild on top and no active_color");
        } else if (turn.active_color == NO_COLOR) {
            fail("active_color is missing: " + show_top() + " on top has none of its own");
        } else if (is_colored(top) && turn.active_color != color_of(top)) {
            fail(std::string("active_color must be ") + COLOR_LETTERS[color_of(top)] + ", the color of " + show_top() +
                 " on top");
        }
    }

    void check_draw_sum() const {
        const std::string sum = "draw_sum=" + std::to_string(turn.draw_sum);
        require(turn.phase != Phase::ANSWER || (is_draw_card(top) && turn.draw_sum > 0),
                "phase answer needs a draw card on top and a draw_sum");
        if (turn.draw_sum % 2 != 0) fail(sum + " cannot be: draw cards cost 2 or 4 each");
        const bool can_be = turn.phase == Phase::ANSWER || (turn.phase == Phase::CATCH_UNO && is_draw_card(top));
        if (turn.draw_sum > 0 && !can_be) fail(sum + " cannot be pending in phase " + name_phase_of(turn.phase));
    }

    void check_hands() const {
        const std::vector<u8>& hand = item(places.hands, turn.seat);
        const auto holds = [&](int card) { return std::ranges::find(hand, face_of(card)) != hand.end(); };
        const std::string seat = std::to_string(turn.seat);
        if (turn.drawn != NO_CARD && !holds(turn.drawn))
            fail(std::string("drawn_card ") + CARD_NAMES[face_of(turn.drawn)] + " is not in the hand of seat " + seat);
        if (turn.phase == Phase::JUMP_IN && (!is_colored(top) || !holds(top)))
            fail("seat " + seat + " cannot jump in on " + show_top() + ": it holds " +
                 (hand.empty() ? "nothing" : format_cards(hand)));
        if (turn.phase == Phase::CATCH_UNO && item(places.hands, turn.player).size() != 1)
            fail("seat " + std::to_string(turn.player) + " cannot be caught with " +
                 std::to_string(item(places.hands, turn.player).size()) + " cards");
        for (std::size_t owner = 0; owner < places.hands.size(); ++owner) {
            const bool may_be_empty = turn.phase == Phase::ANSWER && owner == turn.player;
            if (places.hands[owner].empty() && !may_be_empty)
                fail("hand of seat " + std::to_string(owner) + " is empty although the round is not over");
        }
    }
};

Phase read_phase(const Fields& fields) {
    if (!fields.has("phase")) return Phase::TURN;
    const std::optional<int> phase = find_word(PHASE_NAMES, fields.get("phase"));
    if (!phase) fail("phase must be one of " + join(list_words(PHASE_NAMES)) + ", not " + quote(fields.get("phase")));
    return static_cast<Phase>(*phase);
}

void read_end(Turn& turn, const Fields& fields, int players) {
    const Json& outcome = fields.get("outcome");
    const bool is_over = turn.phase == Phase::OVER;
    require(is_over || outcome.is_nothing(), "outcome is given although the phase is not over");
    if (!is_over) return;
    require(!outcome.is_nothing(), "outcome is missing although the phase is over");
    const Fields part(outcome, "a state");
    const std::optional<int> ending = find_word(ENDING_NAMES, part.get("reason"));
    std::vector<std::string> known = list_words(ENDING_NAMES);
    known.erase(known.begin());
    if (!ending || *ending == 0)
        fail("outcome: reason must be one of " + join(known) + ", not " + quote(part.get("reason")));
    turn.ending = static_cast<Ending>(*ending);
    turn.winner = static_cast<u8>(part.seat("winner", players));
}

// UNO is declared with two cards in hand, before the one that leaves the last (Rule 7.1); drawing takes it back.
void check_declared(const Fields& fields, const Rules& rules, const Places& places) {
    for (const Json& each : fields.items("declared")) {
        const auto seat = static_cast<std::size_t>(require_whole("declared", each, 0, rules.players - 1));
        if (places.hands[seat].size() > 2)
            fail("declared: seat " + std::to_string(seat) + " cannot have declared UNO with " +
                 std::to_string(places.hands[seat].size()) + " cards in hand");
    }
}

}  // namespace

std::vector<int> read_scores(const Json& scores, const Rules& rules) {
    constexpr i64 MOST = 10'000'000;
    if (scores.kind != Json::Kind::LIST || scores.list.size() != static_cast<std::size_t>(rules.players))
        fail("scores must have one number for each of " + std::to_string(rules.players) + " seats, not " +
             quote(scores));
    std::vector<int> read;
    for (const Json& score : scores.list) read.push_back(static_cast<int>(require_whole("scores", score, -MOST, MOST)));
    return read;
}

Turn read_turn(const Fields& fields, const Rules& rules, const Places& places) {
    const int players = rules.players, top_face = places.discards.back();
    const int top = top_face == FOUR_FACE ? FIRST_FOUR : top_face;
    const auto seat = [&](const char* name) { return static_cast<u8>(fields.seat(name, players)); };
    Turn turn = blank_turn();
    turn.phase = read_phase(fields);
    const bool is_over = turn.phase == Phase::OVER;
    if (const std::optional<u8> drawn = fields.card("drawn_card"))
        turn.drawn = *drawn == FOUR_FACE ? FIRST_FOUR : *drawn;
    turn.seat = fields.has("seat") ? seat("seat") : static_cast<u8>(is_over ? NO_SEAT : 0);
    read_end(turn, fields, players);
    turn.player = seat("player");
    turn.active_color = static_cast<u8>(fields.color("active_color", is_colored(top) ? color_of(top) : NO_COLOR));
    turn.draw_sum = static_cast<u8>(fields.integer("draw_sum", 0, 0, 100));
    turn.direction = static_cast<i8>(fields.integer("direction", 1, -1, 1));
    turn.next_seat = seat("next_seat");
    turn.stuck_passes = static_cast<u8>(fields.integer("stuck_passes", 0, 0, players));
    turn.last_color = static_cast<u8>(fields.color("last_color", NO_COLOR));
    require(turn.phase != Phase::JUMP_IN || turn.next_seat != NO_SEAT, "next_seat is missing in phase jump_in");
    TurnCheck{rules, places, turn, top}.check();
    require(turn.phase != Phase::ANSWER || !is_four(top) || turn.last_color != NO_COLOR,
            "last_color, which a challenge is judged by, is missing in phase answer");
    require(turn.direction != 0, "direction must be 1 or -1, not 0");
    turn.declared = static_cast<u16>(fields.seats("declared", players));
    check_declared(fields, rules, places);
    if (turn.stuck_passes == players && !is_over)
        fail("stuck_passes=" + std::to_string(turn.stuck_passes) + " would have ended the round");
    if (is_over) turn.seat = NO_SEAT;
    turn.ply = static_cast<u32>(fields.integer("ply", 0, 0, static_cast<i64>(rules.max_plies)));
    turn.last_actor = seat("last_actor");
    return turn;
}

Round lay_out(const Rules& rules, const Key& key, const Places& places, const Turn& turn) {
    Round round;
    round.rules = rules;
    std::vector<u8> faces;
    for (const std::vector<u8>& hand : places.hands) faces.insert(faces.end(), hand.begin(), hand.end());
    faces.insert(faces.end(), places.draw_pile.begin(), places.draw_pile.end());
    faces.insert(faces.end(), places.discards.begin(), places.discards.end());
    const std::vector<u8> cards = number_wilds(faces);
    auto next = cards.begin();
    Truth& state = round.state;
    for (std::size_t seat = 0; seat < places.hands.size(); ++seat) {
        for (std::size_t i = 0; i < places.hands[seat].size(); ++i) add_card(state.hands[seat], *next++);
    }
    OrderedPile& pile = state.pile;
    pile.key = key;
    for (std::size_t i = 0; i < places.draw_pile.size(); ++i) pile.cards[pile.size++] = *next++;
    for (std::size_t i = 0; i < places.discards.size(); ++i) discard(pile, *next++);
    for (const u8 card : number_wilds(places.shown)) add_card(state.shown, card);
    state.turn = put_on_top(turn, pile.discards[pile.num_discards - 1]);
    if (turn.drawn != NO_CARD)
        state.turn.drawn = static_cast<u8>(lowest_bit(state.hands[turn.seat].first & face_bits(turn.drawn)));
    return round;
}

}  // namespace lastcard
