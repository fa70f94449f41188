#include "wasm/table.hpp"

#include <algorithm>
#include <set>

#include "round/fail.hpp"
#include "search/decision.hpp"
#include "tables.hpp"

namespace lastcard {

Table::Table(GameRules rules, std::vector<SeatInfo> sitting, std::string how_long, const Key& with)
    : seats(std::move(sitting)), length(std::move(how_long)), seed(with) {
    played.rules = std::move(rules);
    played.seed = seed;
    seat_agents();
    deal_next(1, {});
}

Table::Table(GameRecord record, std::vector<SeatInfo> sitting, std::string how_long, const Key& fresh)
    : played(std::move(record)),
      seats(std::move(sitting)),
      length(std::move(how_long)),
      seed(played.seed.value_or(fresh)) {
    seat_agents();
    for (const PlayedRound& each : played.rounds) {
        round = replay(played, each, each.actions.size());
        if (&each == &played.rounds.back()) break;
        for (int seat = 0; seat < played.players(); ++seat)
            earlier[seat] += static_cast<int>(count_events(observe(round, seat)));
    }
}

void Table::seat_agents() {
    require(static_cast<int>(seats.size()) == played.players(), "seats must be one for each player");
    played.agents.clear();
    played.people.clear();
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
        const SeatInfo& info = seats[seat];
        played.agents.push_back(info.agent);
        if (info.is_person) played.people.push_back(static_cast<int>(seat));
        // Nobody asks the agent in a person's seat.
        turns.emplace_back(Json(info.is_person ? "random" : info.agent),
                           split_key(seed, Stream::AGENT, static_cast<u32>(seat)));
        (void)turns.back().network_for(played.rules.rules);  // one that cannot play by these rules is refused now
    }
    for (const Agent& agent : turns) windows.push_back(agent.in_window());
}

void Table::deal_next(int number, const BySeat<int>& scores) {
    const int players = played.players();
    PlayedRound next;
    next.number = number;
    next.dealer = (players - 2 + number) % players;
    next.scores = scores;
    next.seed = split_key(seed, Stream::ROUND, static_cast<u32>(number));
    for (const u8 card : shuffled_deck(played.rules.rules, *next.seed))
        next.deck.push_back(static_cast<u8>(face_of(card)));
    round = deal_again(played, next);
    if (!played.seed) next.seed.reset();
    note_progress(next, round);
    played.rounds.push_back(std::move(next));
}

void Table::apply(int action) {
    apply_in_place(round, action);
    played.rounds.back().actions.push_back(static_cast<u8>(action));
    note_progress(played.rounds.back(), round);
}

void Table::act(int action, const Networks& networks) {
    require(!lastcard::is_over(round), "the round is over");
    if (!contains(legal_actions(round.state, round.rules), action))
        fail(std::string(tables::ACTIONS[action]) + " is not legal here");
    apply(action);
    settle(networks);
}

void Table::step(const Networks& networks) {
    require(!lastcard::is_over(round), "the round is over");
    const int seat = round.state.turn.seat;
    require(!item(seats, seat).is_person, "the person is to act");
    Agent& agent = item(is_window(round.state) ? windows : turns, seat);
    apply(read_action(agent.decide(observe(round, seat), networks).at("best")));
    settle(networks);
}

void Table::settle(const Networks& networks) {
    while (!lastcard::is_over(round) && is_window(round.state)) {
        const int seat = round.state.turn.seat;
        if (item(seats, seat).is_person) return;
        apply(read_action(item(windows, seat).decide(observe(round, seat), networks).at("best")));
    }
}

bool Table::is_over() const {
    return lastcard::is_over(round) && (length == "round" || judge_game(played.rules, scores_after(round)));
}

void Table::next_round() {
    require(lastcard::is_over(round), "the round is not over");
    require(!is_over(), "the game is over; start another");
    for (int seat = 0; seat < played.players(); ++seat)
        earlier[seat] += static_cast<int>(count_events(observe(round, seat)));
    deal_next(round.number + 1, scores_after(round));
}

Json Table::game_outcome() const {
    const BySeat<int> scores = scores_after(round);
    const int winner = length == "round" ? round.state.turn.winner : *judge_game(played.rules, scores);
    return Json::Object{{"winner", name_seat(winner)}, {"scores", first_seats(scores, played.players())}};
}

Json Table::view(const std::string& game, int seat, int since, const Json& deadline) const {
    PublicTable table{game, length, seats, earlier[seat], since, deadline, {}, {}, {}};
    if (is_over()) {
        table.game_outcome = game_outcome();
        if (played.seed) table.seed = format_seed(*played.seed);
    }
    if (lastcard::is_over(round)) {
        Json::List hands;
        for (int each = 0; each < played.players(); ++each) hands.push_back(name_hand(round.state.hands[each]));
        table.hands = std::move(hands);
    }
    return make_view(observe(round, seat), played.rules, table);
}

Json Table::list_networks() const {
    std::set<std::string> names;
    for (const Agent& agent : turns) names.insert(agent.network_for(played.rules.rules));
    names.erase("");
    return Json::List(names.begin(), names.end());
}

}  // namespace lastcard
