#include "wasm/calls.hpp"

#include <algorithm>
#include <cstdint>

#include "game/names.hpp"
#include "game/observation_form.hpp"
#include "game/position.hpp"
#include "game/rules_form.hpp"
#include "game/values.hpp"
#include "round/batch.hpp"
#include "round/faces.hpp"
#include "round/fail.hpp"
#include "round/leaves.hpp"
#include "tables.hpp"
#include "wasm/agents.hpp"
#include "wasm/kept.hpp"
#include "wasm/position.hpp"
#include "wasm/requests.hpp"
#include "wasm/table_calls.hpp"

namespace lastcard {

namespace {

// What lives from call to call, under numbers that are not used again.
struct Kept {
    std::map<int, Round> rounds;
    std::map<int, Agent> agents;
    Networks networks;
    int last = 0;
};

Kept kept;

Round& find_round(const Json& request) { return find_kept(kept.rounds, request, "round"); }

int optional_integer(const Json& request, const char* name, int low, int high, int otherwise) {
    return request.find(name) == nullptr ? otherwise : request.integer(name, low, high);
}

Json hex(u64 number) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", number);
    return digits;
}

Json describe_all(const Json&) { return description(); }

Json check_rules(const Json& request) { return describe_rules(choose_rules(request.at("rules"))); }

Json keep_round(Round made) {
    kept.rounds.emplace(++kept.last, std::move(made));
    return Json::Object{{"round", kept.last}, {"rules", describe_rules(kept.rounds.at(kept.last).rules)}};
}

Json deal_round_for(const Json& request) {
    Round round;
    round.rules = choose_rules(request.at("rules"));
    const int players = round.rules.players;
    round.dealer = optional_integer(request, "dealer", 0, players - 1, players - 1);
    round.number = optional_integer(request, "number", 1, 1'000'000, 1);
    if (request.find("scores") != nullptr) {
        const std::vector<int> scores = read_scores(request.at("scores"), round.rules);
        std::copy(scores.begin(), scores.end(), &round.scores[0]);
    }
    const Key key = read_seed(request.at("seed"));
    deal_round(round, key, shuffled_deck(round.rules, key));
    return keep_round(std::move(round));
}

// A round from a position instead of a deal.
Json place(const Json& request) {
    return keep_round(place_round(choose_rules(request.at("rules")), read_seed(request.at("seed")), request));
}

Json copy_round(const Json& request) {
    Round copy = find_round(request);
    kept.rounds.emplace(++kept.last, std::move(copy));
    return Json::Object{{"round", kept.last}};
}

Json apply_action(const Json& request) {
    Round& round = find_round(request);
    const int action = read_action(request.at("action"));
    if (!contains(legal_actions(round.state, round.rules), action)) {
        fail(std::string(ACTION_NAMES[action]) + " is not legal here; legal are " +
             format_json(name_actions(legal_actions(round.state, round.rules))));
    }
    apply_in_place(round, action);
    return {};
}

// The truth, for the table that referees and for replays.
Json show_round(const Json& request) {
    const Round& round = find_round(request);
    const Turn& turn = round.state.turn;
    Json::List hands, reshuffles;
    for (int seat = 0; seat < round.rules.players; ++seat) hands.push_back(name_hand(round.state.hands[seat]));
    for (const std::vector<u8>& order : round.reshuffles) reshuffles.push_back(name_cards(order));
    return Json::Object{
        {"seat", turn.phase == Phase::OVER ? Json() : Json(turn.seat)},
        {"phase", PHASE_NAMES[static_cast<int>(turn.phase)]},
        {"ply", turn.ply},
        {"top_card", CARD_NAMES[face_of(turn.top)]},
        {"hands", std::move(hands)},
        {"reshuffles", std::move(reshuffles)},
        {"legal_actions",
         turn.phase == Phase::OVER ? Json(Json::List{}) : name_actions(legal_actions(round.state, round.rules))},
        {"outcome", describe_outcome(turn, points_scored(round), round.rules.players)},
    };
}

Json observe_round(const Json& request) {
    const Round& round = find_round(request);
    return describe_observation(observe(round, request.integer("seat", 0, round.rules.players - 1)));
}

// Bytes that the host has written into memory.
std::string_view find_bytes(const Json& request) {
    const auto address = static_cast<std::uintptr_t>(request.integer("address", 0, INT32_MAX));
    const auto size = static_cast<std::size_t>(request.integer("size", 0, 256e6));
    const u64 memory = u64{__builtin_wasm_memory_size(0)} * 65'536;
    if (address + u64{size} > memory)
        fail("address and size must be of bytes in memory, which has " + std::to_string(memory));
    return {reinterpret_cast<const char*>(address), size};
}

Json load_network(const Json& request) {
    const std::string_view bytes = find_bytes(request);
    auto network = read_network(bytes.data(), bytes.size());
    const int players = network->players;
    kept.networks[request.words("name")] = std::move(network);
    return Json::Object{{"players", players}};
}

Json make_agent(const Json& request) {
    kept.agents.emplace(kept.last + 1, Agent(request.at("agent"), read_seed(request.at("seed"))));
    return Json::Object{{"agent", ++kept.last}};
}

// The agent decides for the seat to act, of whose round it is shown that seat's observation.
Json decide(const Json& request) {
    const Round& round = find_round(request);
    require(!is_over(round), "the round is over");
    return find_kept(kept.agents, request, "agent").decide(observe(round, round.state.turn.seat), kept.networks);
}

// The decision with the steps that led to it.
Json explain(const Json& request) {
    const Round& round = find_round(request);
    require(!is_over(round), "the round is over");
    return find_kept(kept.agents, request, "agent").explain(observe(round, round.state.turn.seat), kept.networks);
}

Json count_leaves_of(const Json& request) {
    return static_cast<double>(count_leaves(find_round(request), request.integer("depth", 1, 20)));
}

Json play_random(const Json& request) {
    const Rules rules = choose_rules(request.at("rules"));
    const auto num_games = static_cast<u64>(request.integer("num_games", 0, 1e9));
    const Tally tally = play_random_games(rules, 0, num_games, static_cast<u64>(request.integer("seed", 0, 1e9)), 1);
    Json::List wins(tally.wins.begin(), tally.wins.begin() + rules.players);
    Json::List points(tally.points.begin(), tally.points.begin() + rules.players);
    return Json::Object{{"wins", std::move(wins)},
                        {"points", std::move(points)},
                        {"plies", tally.plies},
                        {"draws", tally.drawn},
                        {"signature", hex(tally.signature)}};
}

Json release(const Json& request) {
    if (request.find("round") != nullptr) kept.rounds.erase(request.integer("round", 1, 1e9));
    if (request.find("agent") != nullptr) kept.agents.erase(request.integer("agent", 1, 1e9));
    return {};
}

constexpr struct {
    const char* name;
    Json (*answer)(const Json& request);
} CALLS[] = {
    {"describe", describe_all},
    {"check_rules", check_rules},
    {"deal", deal_round_for},
    {"copy", copy_round},
    {"apply", apply_action},
    {"show", show_round},
    {"observe", observe_round},
    {"load_network", load_network},
    {"make_agent", make_agent},
    {"decide", decide},
    {"count_leaves", count_leaves_of},
    {"play_random_games", play_random},
    {"release", release},
    {"place", place},
    {"explain", explain},
};

}  // namespace

Json answer(const Json& request) {
    const std::string& name = request.words("call");
    for (const auto& call : CALLS) {
        if (name == call.name) return call.answer(request);
    }
    if (std::optional<Json> answered = answer_about_tables(request, kept.networks)) return *std::move(answered);
    fail("there is no call " + name);
}

}  // namespace lastcard
