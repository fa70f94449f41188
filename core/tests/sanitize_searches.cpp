// Plays rounds in which every decision is searched, by every search in turn, and evaluates networks: what the
// sanitizers watch with all counts. Compiling it takes a minute.
//
// Usage: sanitize_searches ROUNDS
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "arena/match.hpp"
#include "search/check_encoding.hpp"
#include "tests/random_rules.hpp"

namespace lastcard {

// Encodings of random rounds, as networks get them.
std::string check_encodings(u64 num_rounds) {
    for (u64 index = 0; index < num_rounds; ++index) {
        Rng rng = split_rng(11, index);
        const Rules rules = random_switches(rng, random_players(rng));
        if (const char* fault = check_encoding(rules, index))
            return "encoding " + std::to_string(index) + ": " + fault + " (" + describe(rules) + ")";
    }
    return "";
}

// Hypotheses must account for every hidden card, and never exclude the truth.
const char* check_belief(const Round& round, const Observation& seen, const BeliefSettings& settings) {
    const Belief belief = believe(seen, settings, 5);
    if (belief.hypotheses.empty()) return "a belief without hypotheses";
    for (const Hypothesis& hypothesis : belief.hypotheses) {
        if (log_ways(belief.unseen, hypothesis.hands) < 0.0) return "a hypothesis with cards that are not there";
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            const int size = seat == seen.observer ? 0 : seen.hand_sizes[seat];
            if (num_cards(hypothesis.hands[seat]) != size) return "a hypothesis with a hand of another size";
        }
    }
    BySeat<Hand> truth{};
    const Round& known = as_last_seen(round, seen.observer);
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        const auto add = [&](int face) { add_face(truth[seat], face); };
        if (seat != seen.observer) for_each_face(known.state.hands[seat], add);
    }
    return log_weight(seen, settings, truth) < -1e9 ? "the truth is held to be impossible" : nullptr;
}

// Every way of searching a tree in turn, few positions each.
ExpectiminimaxSettings expectiminimax_settings(const BeliefSettings& belief, u64 seed) {
    ExpectiminimaxSettings settings;
    settings.weights = belief.weights;
    settings.determinizations = 6;
    settings.depth = 2;
    settings.draw_samples = 2;
    settings.nodes = 60;
    settings.threads = 2;
    settings.opponents = seed % 4 < 2 ? Opponents::POLICY : Opponents::MINIMISE;
    settings.group = seed % 4 == 0 ? 3 : 1;
    settings.fewest = 2;
    settings.playouts = static_cast<int>(seed % 2);
    settings.several = seed % 8 < 4 ? Several::MAX_N : Several::PARANOID;
    settings.keeps_turn = seed % 3 != 0;
    settings.common_random_numbers = seed % 5 != 0;
    settings.belief = static_cast<SampledBelief>(seed % 7 % 4);
    return settings;
}

Network random_network(Rng& rng, int players, int hidden) {
    const auto random_tensor = [&](int count) {
        Tensor tensor{"random", std::vector<float>(static_cast<std::size_t>(count))};
        for (float& value : tensor.values) value = static_cast<float>(scale_high(next_random(rng), 2001) - 1000) / 4e3f;
        return tensor;
    };
    constexpr int size = ENCODING_SIZE;
    return make_network(
        players, hidden,
        {random_tensor(hidden * size), random_tensor(hidden), random_tensor(hidden * hidden), random_tensor(hidden),
         random_tensor(NUM_ACTIONS * hidden), random_tensor(NUM_ACTIONS), random_tensor(hidden), random_tensor(1)},
        true, true);
}

// One of each search, on two threads and with few simulations; every other time as sketched in the published forms.
std::vector<Contestant> make_searchers(const BeliefSettings& belief, const std::shared_ptr<const Network>& advisor,
                                       u64 seed) {
    TreeSettings tree;
    tree.simulations = 24;
    tree.threads = tree.trees = 2;
    tree.max_nodes = seed % 3 == 0 ? 5 : 1000;
    tree.belief = belief;
    tree.playouts = seed % 2 == 0 ? PolicyKind::RANDOM : PolicyKind::HEURISTIC;
    HalvingSettings halving;
    halving.simulations = 24;
    halving.threads = 2;
    halving.belief = belief;
    halving.advisor = advisor;
    MctsSettings mcts;
    mcts.tree = tree;
    mcts.draws_from_pile = mcts.draws_penalties = mcts.follows_turns = mcts.searches_color = seed % 2 != 0;
    mcts.max_depth = seed % 2 == 0 ? 20 : 0;
    PomcpSettings pomcp;
    pomcp.tree = tree;
    pomcp.opponents = tree.playouts;
    pomcp.particles = 12;
    pomcp.rollout_depth = seed % 2 == 0 ? 3 : 0;
    pomcp.patience = 1 + static_cast<u32>(seed % 3);
    pomcp.refill_particles = seed % 4 < 2;
    std::vector<Contestant> searchers(5);
    searchers[0].search = halving;
    searchers[1].search = IsmctsSettings{tree, 1 + static_cast<u32>(seed % 3), seed % 2 != 0};
    searchers[2].search = mcts;
    searchers[3].search = pomcp;
    searchers[4].search = expectiminimax_settings(belief, seed);
    for (Contestant& searcher : searchers) searcher.kind = Contestant::Kind::SEARCH;
    return searchers;
}

// A search in turn that writes down what it does.
const char* check_trace(const Observation& seen, const std::vector<Contestant>& searchers, u64 number) {
    Trace trace({0, 11});
    DeterminizationTrace recursion(2, 3);
    if (number % 4 == 0) search_by_ismcts(seen, std::get<IsmctsSettings>(searchers[1].search), number, &trace);
    if (number % 4 == 1) search_by_mcts(seen, std::get<MctsSettings>(searchers[2].search), number, &trace);
    if (number % 4 == 2) Pomcp(std::get<PomcpSettings>(searchers[3].search)).search(seen, number, &trace);
    if (number % 4 < 3) return trace.found.size() == 2 ? nullptr : "a simulation is missing from the trace";
    const auto& settings = std::get<ExpectiminimaxSettings>(searchers[4].search);
    search_by_expectiminimax(seen, settings, number, false, &recursion);
    return recursion.recursions[0][0].rows.empty() ? "the recursion is missing from the trace" : nullptr;
}

// Every decision is made by a search on two threads, and by a ceiling's; every belief is looked into.
const char* check_searched(Rules rules, u64 seed, const Weights& weights,
                           const std::shared_ptr<const Network>& advisor) {
    rules.max_plies = rules.max_plies < 60 ? rules.max_plies : 60;
    Round round;
    round.rules = rules;
    const Key key = deal_key(seed, 0);
    deal_round(round, key, shuffled_deck(rules, key));
    BeliefSettings belief;
    belief.hypotheses = 8;
    belief.weights = weights;
    belief.kind = static_cast<BeliefKind>(seed % 3);
    const std::vector<Contestant> searchers = make_searchers(belief, advisor, seed);
    Mind minds[MAX_SEATS];
    for (u64 seat = 0; seat < MAX_SEATS; ++seat) minds[seat].rng = split_rng(seed, seat);
    while (!is_over(round)) {
        const int seat = round.state.turn.seat;
        const Observation seen = observe(round, seat);
        if (const char* fault = check_belief(round, seen, belief)) return fault;
        const int action = minds[seat].choose(searchers[(static_cast<u64>(seat) + seed) % searchers.size()], seen);
        if (!contains(seen.legal, action)) return "an illegal choice";
        if (round.state.turn.ply % 4 == 0) {
            if (const char* fault = check_trace(seen, searchers, seed + round.state.turn.ply / 4)) return fault;
        }
        const Ceiling ceiling = seed % 2 == 0 ? Ceiling::SEES_HANDS : Ceiling::OMNISCIENT;
        const auto& settings = std::get<HalvingSettings>(searchers[0].search);
        if (!contains(seen.legal, search_truth(round, ceiling, settings, seed).best))
            return "an illegal choice of a ceiling";
        apply_in_place(round, action);
    }
    return nullptr;
}

std::string check_searches(u64 num_rounds) {
    Rng rng{23};
    Weights weights{};
    for (float& value : weights.values) value = static_cast<float>(scale_high(next_random(rng), 7) - 3);
    for (u64 index = 0; index < num_rounds; ++index) {
        const int players = random_players(rng);
        Rules rules = random_switches(rng, players);
        if (index % 2 == 0)
            rules = make_preset(static_cast<Preset>(index / 2 % NUM_PRESETS), 2 + static_cast<int>(index / 2 % 2));
        if (index == 1) rules = make_preset(Preset::OFFICIAL, 4);
        const auto advisor = std::make_shared<const Network>(random_network(rng, rules.players, 16));
        if (const char* fault = check_searched(rules, index, weights, advisor)) {
            return "searched round " + std::to_string(index) + ": " + fault + " (" + describe(rules) + ")";
        }
    }
    return "";
}

// One row at a time and four at a time must give the same bits, whatever the width.
std::string check_networks() {
    Rng rng{29};
    for (const int hidden : {1, 63, 64, 130}) {
        constexpr int size = ENCODING_SIZE;
        const Network network = random_network(rng, 3, hidden);
        std::vector<u8> rows(static_cast<std::size_t>(7 * size));
        for (u8& byte : rows) byte = static_cast<u8>(scale_high(next_random(rng), 8) / 7);
        std::vector<Evaluation> together(7);
        Evaluator evaluator(network);
        evaluator.evaluate(rows.data(), together.size(), together.data());
        for (std::size_t i = 0; i < together.size(); ++i) {
            Evaluation alone;
            evaluator.evaluate(rows.data() + i * static_cast<std::size_t>(size), alone);
            if (std::memcmp(&alone, &together[i], sizeof alone) != 0) return "a batch gives other bits than a row";
        }
    }
    return "";
}

}  // namespace lastcard

int main(int argc, char** argv) {
    const long rounds = argc == 2 ? std::atol(argv[1]) : 0;
    if (rounds <= 0) {
        std::fprintf(stderr, "usage: sanitize_searches ROUNDS\n");
        return 2;
    }
    const lastcard::u64 num_rounds = static_cast<lastcard::u64>(rounds);
    std::string fault = lastcard::check_networks();
    if (fault.empty()) fault = lastcard::check_encodings(num_rounds * 100);
    if (fault.empty()) fault = lastcard::check_searches(num_rounds);
    if (fault.empty()) return 0;
    std::fprintf(stderr, "sanitize_searches: %s\n", fault.c_str());
    return 1;
}
