#include "wasm/agents.hpp"

#include <algorithm>
#include <cstdlib>

#include "game/rules_form.hpp"
#include "game/text.hpp"
#include "game/values.hpp"
#include "search/decision.hpp"
#include "search/frequency.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/recall.hpp"
#include "tables.hpp"
#include "wasm/options.hpp"
#include "wasm/reports.hpp"

namespace lastcard {

namespace {

// Agents in a window have to be quick: nobody else may notice that they were asked.
constexpr double WINDOW_SIMULATIONS = 5'000, WINDOW_SECONDS = 0.05;

// Actions below the root that an explanation of a recursion shows.
constexpr int RECURSION_LEVELS = 3;

Weights shipped_weights(int players) {
    Weights weights{};
    const auto& values = players == 2 ? tables::TWO_PLAYER_WEIGHTS : tables::MORE_PLAYER_WEIGHTS;
    std::copy(std::begin(values), std::end(values), weights.values);
    return weights;
}

bool has_official_deck(const Rules& rules) {
    const Rules official = make_official_rules(rules.players);
    return std::equal(rules.deck, rules.deck + rules.deck_size, official.deck, official.deck + official.deck_size);
}

// The name of the network shipped for a use (`net`, `champion` or `advisor`) and these rules; null if none is. Scoring
// and the score that ends a game make no difference: who wins a round does not depend on them.
const Json* find_shipped(const std::string& use, const Rules& rules) {
    const Json& shipped = description().at("networks").at(use);
    for (const auto& [table, name] : shipped.members) {
        if (table == "any") continue;
        Rules own = parse_rules(table);
        own.target_score = rules.target_score;
        own.scoring = rules.scoring;
        if (rules == own) return &name;
    }
    return has_official_deck(rules) ? shipped.find("any") : nullptr;
}

const std::string& shipped_name(const std::string& use, const Rules& rules) {
    const Json* name = find_shipped(use, rules);
    if (name != nullptr) return name->text;
    const std::string advice = find_shipped("net", rules) != nullptr ? "net plays by them" : "halving plays by them";
    fail(use + ": no network is shipped for the rules " + quote(format_rules(rules)) + "; " + advice);
}

std::shared_ptr<const Network> find_network(const Networks& networks, const std::string& name, int players) {
    const auto found = networks.find(name);
    if (found == networks.end()) fail("load the network " + name + " first");
    if (found->second->players != 0 && found->second->players != players) {
        fail("the network " + name + " is for " + std::to_string(found->second->players) + " players, not " +
             std::to_string(players) + "; load the one for this table as " + name);
    }
    return found->second;
}

template <class Record>
Record make_record(const Json& options, const Surroundings& around) {
    Record record;
    read_options(record, options, around);
    return record;
}

// Without a policy of their own, opponents play by that of playouts.
template <class Record>
Record make_tree_record(const Json& options, const Surroundings& around) {
    auto record = make_record<Record>(options, around);
    if (options.find("opponents") == nullptr) record.tree.opponents = record.tree.playouts;
    return record;
}

ExpectiminimaxSettings make_expectiminimax(const Json& options, const Surroundings& around) {
    const bool is_published = options.words("belief") == "published";
    Json known = options;
    for (auto& [name, value] : known.members) {
        if (name == "belief" && is_published) value = "uniform";
    }
    auto settings = make_record<ExpectiminimaxSettings>(known, around);
    settings.published_belief = is_published;
    settings.belief.hypotheses = std::min(settings.determinizations, is_published ? 1024 : 65'536);
    require(settings.group == 1 || settings.opponents == Opponents::POLICY, "group must be 1 where opponents=minimise");
    return settings;
}

FrequencySettings make_frequency(const Json& options) {
    FrequencySettings settings;
    read_option(settings.four_below, "four_below", options.at("four_below"), {0, MAX_CARDS});
    read_option(settings.four_to_go_out, "four_to_go_out", options.at("four_to_go_out"), {});
    read_option(settings.challenge_from, "challenge_from", options.at("challenge_from"), {-1e9, 1e9});
    return settings;
}

Json only(int action) { return Json::Object{{"best", name_action(action)}}; }

// An option's value from text, as what its default is.
Json read_like(const std::string& name, const Json& before, const std::string& text) {
    if (before.kind == Json::Kind::TEXT) return text;
    if (before.kind == Json::Kind::FLAG && (text == "true" || text == "false")) return text == "true";
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0' && before.kind == Json::Kind::NUMBER;
    if (!is_number) fail(name + " must be a value such as " + format_json(before) + ", not " + text);
    return number;
}

void set_option(Json& options, const std::string& kind, const std::string& name, const Json& value) {
    std::string known;
    for (auto& [own, before] : options.members) {
        if (own == name) {
            before = value;
            return;
        }
        known += (known.empty() ? "" : ", ") + own;
    }
    fail(kind + " has no option " + name + "; there are: " + (known.empty() ? "none" : known));
}

void use_published(Json& options, const std::string& kind, const Json& published) {
    if (published.members.empty()) fail(kind + " has no published form");
    for (const auto& [name, value] : published.members) set_option(options, kind, name, value);
}

// The agent's entry among all that are described.
const Json& find_agent(const std::string& kind) {
    const Json& agents = description().at("agents");
    if (const Json* found = agents.find(kind)) return *found;
    std::string known;
    for (const auto& member : agents.members) known += (known.empty() ? "" : ", ") + member.first;
    fail("no agent " + kind + "; there are " + known);
}

// Options after the colon of a text: `simulations=5000,threads=2`, the first of which may be `as_published`.
void read_text(Json& options, const std::string& kind, const Json& entry, const std::string& text) {
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string part = text.substr(start, end - start);
        const std::size_t middle = part.find('=');
        if (start == 0 && part == "as_published") {
            use_published(options, kind, entry.at("published"));
        } else if (middle != std::string::npos) {
            const std::string name = part.substr(0, middle);
            const Json* before = options.find(name);
            set_option(options, kind, name, before ? read_like(name, *before, part.substr(middle + 1)) : Json());
        } else if (!entry.words("main_option").empty()) {
            set_option(options, kind, entry.words("main_option"), part);
        } else {
            fail(kind + ": " + part + " is no option; expected name=value");
        }
        start = end + 1;
    }
}

}  // namespace

Agent::Agent(const Json& described, const Key& with) : seed(split_key(with, Stream::AGENT, 0)) {
    const bool is_text = described.kind == Json::Kind::TEXT;
    const std::string& name = is_text ? described.text : described.words("agent");
    const std::size_t colon = std::min(name.find(':'), name.size());
    kind = name.substr(0, colon);
    const Json& entry = find_agent(kind);
    options = entry.at("options");
    read_text(options, kind, entry, name.substr(std::min(colon + 1, name.size())));
    for (const auto& [option, value] : described.members) {
        if (option != "agent") set_option(options, kind, option, value);
    }
    const Json* weights = options.find("weights");
    require(weights == nullptr || (weights->kind == Json::Kind::TEXT && weights->text.empty()),
            "weights must be empty: files of weights are not read here");
    // Options out of range are refused now, not at the first decision.
    const Surroundings nowhere;
    if (kind == "frequency") (void)make_frequency(options);
    if (kind == "halving") (void)make_record<HalvingSettings>(options, nowhere);
    if (kind == "expectiminimax") (void)make_expectiminimax(options, nowhere);
    if (kind == "ismcts") (void)make_tree_record<IsmctsSettings>(options, nowhere);
    if (kind == "mcts") (void)make_tree_record<MctsSettings>(options, nowhere);
    if (kind == "pomcp") (void)make_tree_record<PomcpSettings>(options, nowhere);
}

Json Agent::decide(const Observation& seen, const Networks& networks) {
    Basis basis;
    return decide(seen, networks, decision_seed(seen, seed), basis);
}

Json Agent::analyse(const Observation& seen, const Networks& networks, std::optional<u64> random) {
    Basis basis;
    return analyse(seen, networks, random.value_or(decision_seed(seen, seed)), basis);
}

Json Agent::explain(const Observation& seen, const Networks& networks) {
    Basis basis;
    if (kind == "expectiminimax") basis.trace.emplace(1, RECURSION_LEVELS);
    Json found = analyse(seen, networks, decision_seed(seen, seed), basis);
    if (!basis.stages.empty()) found.members.emplace_back("stages", describe_stages(basis.stages));
    if (basis.trace && !basis.trace->recursions.empty())
        found.members.emplace_back("tree", describe_recursions(basis.trace->recursions[0]));
    return found;
}

Json Agent::analyse(const Observation& seen, const Networks& networks, u64 random, Basis& basis) {
    Json found = Json::Object{{"best", Json()}};
    if (num_actions(seen.legal) > 0) found = decide(seen, networks, random, basis);
    BeliefSettings settings;
    settings.weights = shipped_weights(seen.rules.players);
    const Belief belief = basis.belief ? *basis.belief : believe(seen, settings, 0);
    found.members.emplace_back("belief", describe_marginals(seen, belief));
    if (found.find("actions") != nullptr) found.members.emplace_back("reasons", describe_reasons(seen, belief, found));
    if (basis.trees) found.members.emplace_back("tree", describe_tree(*basis.trees));
    return found;
}

Agent Agent::in_window() const {
    Agent quick;
    quick.kind = kind;
    quick.options = options;
    quick.seed = seed;
    const Json* simulations = options.find("simulations");
    const Json* seconds = options.find("seconds");
    const bool is_timed = seconds != nullptr && seconds->number > 0;
    for (auto& [name, value] : quick.options.members) {
        if (name == "simulations") value = is_timed ? WINDOW_SIMULATIONS : std::min(value.number, WINDOW_SIMULATIONS);
        if (name == "seconds") value = simulations != nullptr ? 0.0 : WINDOW_SECONDS;
    }
    return quick;
}

Json Agent::decide(const Observation& seen, const Networks& networks, u64 random, Basis& basis) {
    require(num_actions(seen.legal) > 0, "the seat has nothing to decide here");
    const int players = seen.rules.players;
    if (kind == "random") return only(choose_at_random(seen, random));
    if (kind == "first_legal") return only(nth_action(seen.legal, 0));
    if (kind == "frequency") return only(choose_by_frequency(seen, make_frequency(options), random).action);
    if (kind == "heuristic") return only(choose_by_heuristic(seen, shipped_weights(players)));
    const std::string network = network_for(seen.rules);
    const auto found = network.empty() ? nullptr : find_network(networks, network, players);
    return is_network() ? only(choose_by_network(seen, *found)) : search(seen, found, random, basis);
}

bool Agent::is_network() const { return kind == "net" || kind == "champion"; }

std::string Agent::network_for(const Rules& rules) const {
    const Json* file = options.find("file");
    if (file != nullptr && !file->text.empty()) return file->text;
    if (is_network()) return shipped_name(kind, rules);
    if (kind != "halving" || options.words("advisor") != "network") return "";
    const Json* advisor = find_shipped("advisor", rules);
    return advisor != nullptr ? advisor->text : "";  // where no network is shipped, the heuristic advises
}

Json Agent::search(const Observation& seen, const Advisor& advisor, u64 random, Basis& basis) {
    const int players = seen.rules.players;
    const Surroundings around{shipped_weights(players), advisor};
    if (num_actions(seen.legal) == 1) return report_forced(nth_action(seen.legal, 0));
    const auto tell = [&](auto&& result) {
        if constexpr (requires { result.trees; }) basis.trees = result.trees;
        if constexpr (requires { result.stages; }) basis.stages = result.stages;
        Json told = report(result);
        basis.belief = std::move(result.belief);
        return told;
    };
    if (kind == "halving") return tell(search_by_halving(seen, make_record<HalvingSettings>(options, around), random));
    if (kind == "expectiminimax")
        return tell(search_by_expectiminimax(seen, make_expectiminimax(options, around), random, true,
                                             basis.trace ? &*basis.trace : nullptr));
    if (kind == "ismcts")
        return tell(search_by_ismcts(seen, make_tree_record<IsmctsSettings>(options, around), random));
    if (kind == "mcts") return tell(search_by_mcts(seen, make_tree_record<MctsSettings>(options, around), random));
    if (kind != "pomcp") fail("the agent " + kind + " is not part of this module");
    if (!pomcp || pomcp_players != players) {
        pomcp.emplace(make_tree_record<PomcpSettings>(options, around));
        pomcp_players = players;
    }
    return tell(pomcp->search(seen, random));
}

}  // namespace lastcard
