// A round of which only the public part is known: who does what, and how many cards each seat holds.
//
// state.hpp alone says what follows from an action. Before one is applied, hands and draw pile get made-up cards with
// which it is possible and which lead to nothing else. Of hidden cards only their number means anything.
#pragma once

#include <optional>
#include <vector>

#include "round/round.hpp"

namespace lastcard {

class PublicRound {
public:
    PublicRound(const Rules& given, const std::vector<int>& sizes, int direction);

    int players() const { return rules.players; }
    const Turn& turn() const { return state.turn; }
    int size_of(int seat) const { return num_cards(state.hands[seat]); }
    void resize(int seat, int size);
    void give_turn(int seat) { state.turn.seat = static_cast<u8>(seat); }
    void owe(int sum) { state.turn.draw_sum = static_cast<u8>(sum); }

    // A card on top that nobody is known to have played; without a color, a Wild whose color is still to be named.
    void lay(int card, int color);

    // The card on top takes effect as if the seat had just played it.
    std::vector<Event> resolve(int player);

    // The seat has just played the card on top without calling UNO.
    void forget_uno(int player);

    // Lets all seats pass that are asked about a forgotten UNO before `until`.
    std::vector<Event> pass_window(int until);

    // Asks the seat whether it jumps in; false where the rules do not.
    bool ask_to_jump_in(int seat);

    // The seat calls UNO, before its play or in a window that nobody else sees.
    void call_uno(int seat);

    // The seat's turn is over, however it went.
    void end_turn(int seat);

    void swap(int seat, int other);
    void pass();

    // The seat takes an action. Returns it and what follows, as all see it; nothing where the rules forbid it whatever
    // the seat holds. In a turn `drawn` cards can be drawn, and a challenge ends as told.
    std::optional<std::vector<Event>> act(int seat, int action, int drawn, bool is_guilty);

private:
    Rules rules;
    Truth state{};

    u64 idle_ids() const;
    std::vector<u8> list_slots() const;
    void make_up_cards(int seat, int card);
    void make_up_draw(int seat, int drawn);
};

}  // namespace lastcard
