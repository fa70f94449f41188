// The table: it asks each agent in turn, and shows each seat what it may see.
#pragma once

#include "game/referee.hpp"
#include "wasm/agents.hpp"

namespace lastcard {

struct SeatInfo {
    std::string name;
    std::string level;
    std::string agent;
    bool is_person = false;
};

class Table {
public:
    // Deals the first round. A game is one round, or rounds to the target score.
    Table(const Rules& rules, std::vector<SeatInfo> seats, std::string length, const Key& seed);

    // Continues where the record stops.
    Table(const Rules& rules, const GameRecord& record, std::vector<SeatInfo> seats, std::string length,
          const Key& fresh);

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
    std::string write_record();
    int players() const { return rules.players; }

    // The networks that its agents need.
    Json list_networks() const;

private:
    Rules rules;
    std::vector<SeatInfo> seats;
    std::string length;
    std::optional<Key> seed;  // nothing where it is withheld
    Referee referee;
    std::vector<Agent> turns, windows;
    BySeat<int> earlier{};  // events of earlier rounds, as each seat counts

    const Round& round() const { return referee.now(); }
    void seat_agents(const Key& from);
    bool is_over() const;
    Json game_outcome() const;
};

}  // namespace lastcard
