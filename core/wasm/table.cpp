#include "wasm/table.hpp"

#include <set>

#include "game/replay.hpp"
#include "game/seed.hpp"
#include "game/values.hpp"
#include "game/view_form.hpp"
#include "round/fail.hpp"
#include "search/decision.hpp"

namespace lastcard {

Table::Table(const Rules& by, std::vector<SeatInfo> sitting, std::string how_long, const Key& with)
    : rules(by), seats(std::move(sitting)), length(std::move(how_long)), seed(with), referee(rules, with) {
    seat_agents(with);
}

Table::Table(const Rules& by, const GameRecord& record, std::vector<SeatInfo> sitting, std::string how_long,
             const Key& fresh)
    : rules(by),
      seats(std::move(sitting)),
      length(std::move(how_long)),
      seed(record.seed),
      referee(record, seed.value_or(fresh), {}) {
    seat_agents(seed.value_or(fresh));
    for (std::size_t i = 0; i + 1 < record.rounds.size(); ++i) {
        const PlayedRound& played = record.rounds[i];
        const Round end = replay(record.rules, played, played.actions.size());
        for (int seat = 0; seat < players(); ++seat)
            earlier[seat] += static_cast<int>(count_events(observe(end, seat)));
    }
}

void Table::seat_agents(const Key& from) {
    require(static_cast<int>(seats.size()) == players(), "seats must be one for each player");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
        const SeatInfo& info = seats[seat];
        // Nobody asks the agent in a person's seat.
        turns.emplace_back(Json(info.is_person ? "random" : info.agent),
                           split_key(from, Stream::AGENT, static_cast<u32>(seat)));
        (void)turns.back().network_for(rules);  // one that cannot play by these rules is refused now
    }
    for (const Agent& agent : turns) windows.push_back(agent.in_window());
}

void Table::act(int action, const Networks& networks) {
    const bool is_agents = !lastcard::is_over(round()) && !item(seats, round().state.turn.seat).is_person;
    require(!is_agents, "an agent is to act");  // a refusal would name its cards
    referee.apply(action);
    settle(networks);
}

void Table::step(const Networks& networks) {
    require(!lastcard::is_over(round()), "the round is over");
    const int seat = round().state.turn.seat;
    require(!item(seats, seat).is_person, "the person is to act");
    Agent& agent = item(is_window(round().state) ? windows : turns, seat);
    referee.apply(read_action(agent.decide(observe(round(), seat), networks).at("best")));
    settle(networks);
}

void Table::settle(const Networks& networks) {
    while (!lastcard::is_over(round()) && is_window(round().state)) {
        const int seat = round().state.turn.seat;
        if (item(seats, seat).is_person) return;
        referee.apply(read_action(item(windows, seat).decide(observe(round(), seat), networks).at("best")));
    }
}

bool Table::is_over() const { return lastcard::is_over(round()) && (length == "round" || referee.find_end().is_over); }

void Table::next_round() {
    require(length != "round" || !is_over(), "the game is over; start another");
    BySeat<int> heard = earlier;
    for (int seat = 0; seat < players(); ++seat) heard[seat] += static_cast<int>(count_events(observe(round(), seat)));
    referee.next_round();
    earlier = heard;
}

std::string Table::write_record() {
    GameRecord record = referee.record();
    record.agents.clear();
    record.people.clear();
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
        record.agents.push_back(seats[seat].agent);
        if (seats[seat].is_person) record.people.push_back(static_cast<int>(seat));
    }
    return format_record(record);
}

Json Table::game_outcome() const {
    const int winner = length == "round" ? round().state.turn.winner : referee.find_end().winner;
    return Json::Object{{"winner", name_seat(winner)}, {"scores", first_seats(scores_after(round()), players())}};
}

Json Table::view(const std::string& game, int seat, int since, const Json& deadline) const {
    Json::List sitting, hands;
    for (const SeatInfo& info : seats)
        sitting.push_back(Json::Object{{"name", info.name},
                                       {"level", info.is_person ? "" : info.level},
                                       {"is_person", info.is_person},
                                       {"is_open", false},
                                       {"is_away", false},
                                       {"connected", true}});
    for (int each = 0; each < players(); ++each) hands.push_back(name_hand(round().state.hands[each]));
    const bool is_done = is_over();
    const Json table = Json::Object{
        {"game", game},
        {"length", length},
        {"seats", std::move(sitting)},
        {"is_gathering", false},
        {"has_acted", false},
        {"earlier", earlier[seat]},
        {"since", since},
        {"deadline", deadline},
        {"game_outcome", is_done ? game_outcome() : Json()},
        {"deal_hash", ""},
        {"seed", is_done && seed ? Json(format_seed(*seed)) : Json()},
        {"rematch", false},
        {"hands", lastcard::is_over(round()) ? Json(std::move(hands)) : Json()},
    };
    return describe_view(observe(round(), seat), table);
}

Json Table::list_networks() const {
    std::set<std::string> names;
    for (const Agent& agent : turns) names.insert(agent.network_for(rules));
    names.erase("");
    return Json::List(names.begin(), names.end());
}

}  // namespace lastcard
