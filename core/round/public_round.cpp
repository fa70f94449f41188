#include "round/public_round.hpp"

#include <algorithm>

#include "round/observation.hpp"
#include "round/recorder.hpp"

namespace lastcard {

namespace {

constexpr int NUM_SLOTS = 2 * NUM_CARD_IDS;  // two copies of each id

// What happens, as all see it.
template <class Do>
std::vector<Event> record(Do happen) {
    std::vector<Event> events;
    std::vector<std::vector<u8>> reshuffles;
    Recorder recorder{events, reshuffles};
    happen(recorder);
    std::erase_if(events, [](const Event& event) { return is_private(event.kind); });
    return events;
}

}  // namespace

PublicRound::PublicRound(const Rules& given, const std::vector<int>& sizes, int direction) : rules(given) {
    rules.max_plies = ~u32{0};  // what is told has happened, however long the round
    state.turn.player = state.turn.next_seat = state.turn.last_actor = state.turn.winner = NO_SEAT;
    state.turn.last_color = NO_COLOR;
    state.turn.direction = static_cast<i8>(direction);
    lay(0, RED);
    for (int seat = 0; seat < rules.players; ++seat) resize(seat, item(sizes, seat));
}

void PublicRound::resize(int seat, int size) {
    Hand hand{0, 0};
    const std::vector<u8> slots = list_slots();
    for (int i = 0; i < std::min(size, NUM_SLOTS); ++i) add_card(hand, item(slots, i));
    state.hands[seat] = hand;
}

void PublicRound::lay(int card, int color) {
    state.turn.top = static_cast<u8>(card);
    state.turn.top_play = static_cast<u8>(is_colored(card) ? card : (card & ~3) + (color & 3));
    state.turn.active_color = static_cast<u8>(color);
    state.turn.phase = color == NO_COLOR ? Phase::NAME_COLOR : Phase::TURN;
    state.turn.drawn = NO_CARD;
}

std::vector<Event> PublicRound::resolve(int player) {
    make_up_cards(NO_SEAT, NO_CARD);
    state.turn.player = static_cast<u8>(player);
    return record([&](Recorder& recorder) { resolve_effect(state, rules, recorder); });
}

void PublicRound::forget_uno(int player) {
    state.turn.player = state.turn.seat = static_cast<u8>(player);
    if (rules.uno_penalty > 0) state.turn.phase = Phase::CATCH_UNO;
}

std::vector<Event> PublicRound::pass_window(int until) {
    make_up_cards(NO_SEAT, NO_CARD);
    return record([&](Recorder& recorder) {
        while (state.turn.phase == Phase::CATCH_UNO && state.turn.seat != until)
            apply_and_record(state, rules, recorder, PASS);
    });
}

bool PublicRound::ask_to_jump_in(int seat) {
    if (state.turn.phase != Phase::TURN) return false;
    const u8 player = state.turn.player;
    make_up_cards(seat, state.turn.top);
    if (player == NO_SEAT) state.turn.player = static_cast<u8>((seat + 1) % rules.players);
    finish_effect(state, rules, state.turn.seat);
    if (state.turn.phase != Phase::JUMP_IN) state.turn.player = player;
    return state.turn.phase == Phase::JUMP_IN;
}

void PublicRound::call_uno(int seat) {
    state.turn.ply += 1;
    state.turn.last_actor = static_cast<u8>(seat);
    state.turn.declared = static_cast<u16>(state.turn.declared | 1u << seat);
}

void PublicRound::end_turn(int seat) { begin_turn(state, seat_after(state, rules, seat)); }

void PublicRound::swap(int seat, int other) {
    NoEvents nobody;
    state.turn.seat = static_cast<u8>(seat);
    swap_hands(state, rules, nobody, other);
}

void PublicRound::pass() {
    NoEvents nobody;
    pass_hands(state, rules, nobody);
}

std::optional<std::vector<Event>> PublicRound::act(int seat, int action, int drawn, bool is_guilty) {
    if (state.turn.seat != seat) return std::nullopt;
    make_up_cards(seat, is_play(action) ? lowest_bit(face_bits(action)) : NO_CARD);
    const int size = size_of(seat);
    if (action == DRAW) make_up_draw(seat, drawn);
    if (action == CHALLENGE) {
        state.shown = is_guilty ? Hand{color_bits(state.turn.last_color), 0} : Hand{0, 0};
    }
    if (!contains(legal_actions(state, rules), action)) {
        resize(seat, size);
        return std::nullopt;
    }
    std::vector<Event> events = record([&](Recorder& recorder) { apply_and_record(state, rules, recorder, action); });
    if (action == DRAW) resize(seat, size + size_of(seat));
    return events;
}

// The ids with which nothing can be done on the top card.
u64 PublicRound::idle_ids() const { return COLORED_BITS & ~PLAYS.matching[state.turn.top_play]; }

// Every id twice, idle ones first.
std::vector<u8> PublicRound::list_slots() const {
    std::vector<u8> slots;
    constexpr u64 all = COLORED_BITS | WILD_BITS | FOUR_BITS;
    for (const u64 ids : {idle_ids(), all & ~idle_ids()}) {
        for (u64 left = ids; left != 0; left &= left - 1)
            slots.insert(slots.end(), 2, static_cast<u8>(lowest_bit(left)));
    }
    return slots;
}

// Hands of idle cards, in which the seat holds `card` as well, and a draw pile of cards that no hand has twice.
void PublicRound::make_up_cards(int seat, int card) {
    for (int other = 0; other < rules.players; ++other) {
        const int size = size_of(other);
        resize(other, other == seat && card != NO_CARD ? std::max(size, 1) - 1 : size);
    }
    if (card != NO_CARD) add_card(state.hands[seat], card);
    state.turn.drawn = state.turn.phase != Phase::DRAWN ? NO_CARD
                       : card != NO_CARD                ? static_cast<u8>(card)
                                                        : static_cast<u8>(lowest_bit(idle_ids()));
    const std::vector<u8> slots = list_slots();
    state.pile.num_discards = 0;
    discard(state.pile, state.turn.top);
    state.pile.size = std::min(NUM_SLOTS, MAX_CARDS);
    std::copy_n(slots.begin(), state.pile.size, state.pile.cards);
}

// Idle cards alone, so that none of them ends the drawing; the hand is counted afterwards.
void PublicRound::make_up_draw(int seat, int drawn) {
    state.hands[seat] = Hand{0, 0};
    state.pile.size = std::min(drawn, 2 * popcount(idle_ids()));
}

}  // namespace lastcard
