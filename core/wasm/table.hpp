// The table: the referee who holds the truth, asks each agent in turn, and keeps the record.
#pragma once

#include "wasm/agents.hpp"
#include "wasm/record.hpp"
#include "wasm/views.hpp"

namespace lastcard {

class Table {
public:
    // Deals the first round. A game is one round, or rounds to the target score.
    Table(GameRules rules, std::vector<SeatInfo> seats, std::string length, const Key& seed);

    // Continues where the record stops.
    Table(GameRecord record, std::vector<SeatInfo> seats, std::string length, const Key& fresh);

    // The seat to act takes the action; agents then answer in windows, which nobody else may notice. Fails if it is
    // not legal.
    void act(int action, const Networks& networks);

    // The agent to act decides. Fails where a person is to act, or nobody.
    void step(const Networks& networks);

    // Agents answer in windows up to where a person is asked or a turn begins.
    void settle(const Networks& networks);

    // Deals the next round; fails if the one in progress or the game is not at that point.
    void next_round();

    Json view(const std::string& game, int seat, int since, const Json& deadline) const;
    const GameRecord& record() const { return played; }

    // The networks that its agents need.
    Json list_networks() const;

private:
    GameRecord played;
    std::vector<SeatInfo> seats;
    std::string length;
    Key seed{};  // deals later rounds
    std::vector<Agent> turns, windows;
    Round round;
    BySeat<int> earlier{};  // events of earlier rounds, as each seat counts

    void seat_agents();
    void deal_next(int number, const BySeat<int>& scores);
    void apply(int action);
    bool is_over() const;
    Json game_outcome() const;
};

}  // namespace lastcard
