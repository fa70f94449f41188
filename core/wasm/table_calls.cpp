#include "wasm/table_calls.hpp"

#include "game/observation_form.hpp"
#include "game/rules_form.hpp"
#include "game/values.hpp"
#include "game/view_form.hpp"
#include "round/fail.hpp"
#include "wasm/kept.hpp"
#include "wasm/study.hpp"
#include "wasm/table.hpp"

namespace lastcard {

namespace {

std::map<int, Table> tables_kept;
std::map<int, GameRecord> records_kept;
int last_kept = 0;

Table& find_table(const Json& request) { return find_kept(tables_kept, request, "table"); }
const GameRecord& find_record(const Json& request) { return find_kept(records_kept, request, "record"); }

const PlayedRound& find_played(const Json& request) {
    return find_round(find_record(request), request.integer("round", 1, 1e6));
}

GameRecord read_record(const Json& request) {
    GameRecord record = parse_record(request.words("text"));
    require(!record.rounds.empty(), "the record has no round");
    return record;
}

std::vector<SeatInfo> read_seats(const Json& request) {
    std::vector<SeatInfo> seats;
    for (const Json& seat : request.items("seats")) {
        const Json& is_person = seat.at("is_person");
        if (is_person.kind != Json::Kind::FLAG) fail("is_person must be true or false, not " + shorten(is_person));
        seats.push_back({seat.words("name"), seat.words("level"), seat.words("agent"), is_person.flag});
    }
    return seats;
}

const std::string& read_length(const Json& request) {
    const std::string& length = request.words("length");
    require(length == "round" || length == "game", "length must be round or game");
    return length;
}

Json keep_table(Table table) {
    const Json networks = table.list_networks();
    tables_kept.emplace(++last_kept, std::move(table));
    return Json::Object{{"table", last_kept}, {"networks", networks}};
}

Json open_table(const Json& request, const Networks&) {
    return keep_table(Table(choose_rules(request.at("rules")), read_seats(request), read_length(request),
                            read_seed(request.at("seed"))));
}

Json resume_table(const Json& request, const Networks&) {
    const GameRecord read = read_record(request);
    return keep_table(
        Table(read.rules, read, read_seats(request), read_length(request), read_seed(request.at("seed"))));
}

Json view_table(const Json& request, const Networks&) {
    const Table& table = find_table(request);
    const Json* deadline = request.find("deadline");
    return table.view(request.words("game"), request.integer("seat", 0, table.players() - 1),
                      request.integer("since", 0, 1e9), deadline == nullptr ? Json() : *deadline);
}

Json act(const Json& request, const Networks& networks) {
    find_table(request).act(read_action(request.at("action")), networks);
    return {};
}

Json step(const Json& request, const Networks& networks) {
    find_table(request).step(networks);
    return {};
}

Json settle(const Json& request, const Networks& networks) {
    find_table(request).settle(networks);
    return {};
}

Json next_round(const Json& request, const Networks& networks) {
    Table& table = find_table(request);
    table.next_round();
    table.settle(networks);
    return {};
}

Json write_record(const Json& request, const Networks&) { return find_table(request).write_record(); }

Json open_record(const Json& request, const Networks&) {
    records_kept.emplace(last_kept + 1, read_record(request));
    return Json::Object{{"record", ++last_kept}};
}

Json describe(const Json& request, const Networks&) {
    const GameRecord& found = find_record(request);
    return describe_record(found, read_length(request));
}

Json frames(const Json& request, const Networks&) {
    const GameRecord& record = find_record(request);
    const bool is_truth = request.at("seat").is_nothing();
    return list_frames(record.rules, find_played(request),
                       is_truth ? SPECTATOR : request.integer("seat", 0, record.players() - 1));
}

Json branch(const Json& request, const Networks&) {
    const GameRecord& found = find_record(request);
    return format_record(branch_off(found, find_played(request), request.integer("ply", 0, 1e6)));
}

Json choices(const Json& request, const Networks&) {
    return list_plies(find_record(request).rules, find_played(request));
}

Json judge(const Json& request, const Networks& networks) {
    return judge_ply(find_record(request).rules, find_played(request), request.integer("ply", 1, 1e6),
                     read_seed(request.at("seed")), networks);
}

Json list_costs_of(const Json& request, const Networks&) { return describe_costs(request.items("decisions")); }

Json sum_up_judged(const Json& request, const Networks&) {
    return describe_sums(find_record(request), request.items("judged"));
}

// What the seat is shown: an observation, or a view with the log of the round.
Observation read_shown(const Json& request) {
    const Json* view = request.find("view");
    return view == nullptr ? read_observation(request.at("observation")) : read_view(*view, request.at("log"));
}

// The search of a decision from what the seat is shown, and from nothing else. `random` is the seed of the search
// itself, as `lastcard advise` takes it; without it the agent's own seed gives one.
Json analyse(const Json& request, const Networks& networks) {
    std::optional<u64> random;
    if (const Json* given = request.find("random")) {
        const Key key = read_seed(*given);
        random = u64{key.words[1]} << 32 | key.words[0];
    }
    return Agent(request.at("agent"), read_seed(request.at("seed"))).analyse(read_shown(request), networks, random);
}

// The network that an agent needs by these rules; null if none.
Json needed_network(const Json& request, const Networks&) {
    const std::string name = Agent(request.at("agent"), Key{}).network_for(choose_rules(request.at("rules")));
    return name.empty() ? Json() : Json(name);
}

Json release_kept(const Json& request, const Networks&) {
    if (request.find("table") != nullptr) tables_kept.erase(request.integer("table", 1, 1e9));
    if (request.find("record") != nullptr) records_kept.erase(request.integer("record", 1, 1e9));
    return {};
}

constexpr struct {
    const char* name;
    Json (*answer)(const Json& request, const Networks& networks);
} TABLE_CALLS[] = {
    {"open_table", open_table},
    {"resume_table", resume_table},
    {"view_table", view_table},
    {"act", act},
    {"step", step},
    {"settle", settle},
    {"next_round", next_round},
    {"write_record", write_record},
    {"open_record", open_record},
    {"describe_record", describe},
    {"list_frames", frames},
    {"branch_off", branch},
    {"list_choices", choices},
    {"judge", judge},
    {"sum_up", sum_up_judged},
    {"list_costs", list_costs_of},
    {"analyse", analyse},
    {"needed_network", needed_network},
    {"release_table", release_kept},
};

}  // namespace

std::optional<Json> answer_about_tables(const Json& request, const Networks& networks) {
    const std::string& name = request.words("call");
    for (const auto& call : TABLE_CALLS) {
        if (name == call.name) return call.answer(request, networks);
    }
    return {};
}

}  // namespace lastcard
