// Playing a record again.
#pragma once

#include "game/record.hpp"

namespace lastcard {

// The round as it was dealt; fails naming what does not fit the rules.
Round deal_again(const Rules& rules, const PlayedRound& played);

// The same from cards of the deck in their order: a seed says which copy of a Wild lies where, a record does not.
Round deal_cards(const Rules& rules, const PlayedRound& played, const std::vector<u8>& cards);

// Plays a recorded round again, action by action. What does not fit fails, saying where.
class Replay {
public:
    // Deals.
    Replay(const Rules& rules, const PlayedRound& played);

    Round& now() { return round; }
    bool has_more() const { return ply < played.actions.size(); }

    u8 next_action() const { return played.actions[ply]; }

    // Applies the next action.
    void step();

    // After the last action: checks that it led where the record says.
    void check_end() const;

private:
    PlayedRound played;
    Round round;
    std::size_t ply = 0;

    std::string place() const;
    void check_script() const;
};

// The round after that many of its actions; fails if one is not legal.
Round replay(const Rules& rules, const PlayedRound& played, std::size_t num_actions);

// Checks that a round follows the one before.
void check_succession(const PlayedRound& earlier, const PlayedRound& later);

void check_seats(const GameRecord& record);

// Replays every round; fails at the first thing that does not fit.
void check_record(const GameRecord& record);

}  // namespace lastcard
