// The root of `expectiminimax`: determinizations from the belief, the mean of their values, the best action.
#pragma once

#include "search/information_tree.hpp"
#include "search/latent.hpp"

namespace lastcard {

struct ActionMean {
    int action = 0;
    u64 determinizations = 0;
    double sum = 0.0;      // of win probabilities
    double squares = 0.0;  // of those
    double rank = 0.0;     // the mean, with the bonus for the heuristic's choice
};

struct ExpectiminimaxResult {
    int best = 0;
    int by_policy = 0;
    std::vector<ActionMean> actions;
    std::vector<int> line;  // the best action, and what follows in most determinizations
    Belief belief;
    u64 determinizations = 0;  // of all actions together
    u64 nodes = 0;
};

constexpr u64 MOST_DETERMINIZATIONS = 10'000'000;
constexpr int MOST_HYPOTHESES = 65'536;
constexpr u64 PART = 16'384;  // determinizations whose values are kept at a time
constexpr u64 LINES = 24;     // determinizations whose lines are compared

// The linear map from [-100, 100]: where leaves are rounds played out it is the share of them won.
inline double win_probability(double value) { return 0.5 + value / (2.0 * WIN); }

template <class R, int SEATS>
class ExpectiminimaxSearch {
public:
    ExpectiminimaxSearch(const R& with_rules, const Observation& observation, const ExpectiminimaxSettings& with,
                         u64 with_seed, DeterminizationTrace* with_trace)
        : rules(with_rules),
          seen(observation),
          settings(with),
          seed(with_seed),
          trace(with_trace),
          determinizer(observation) {}

    // argmax over a of Q(a), the mean of V over determinizations.
    ExpectiminimaxResult run(bool wants_line) {
        ExpectiminimaxResult result;
        result.by_policy = choose_by_heuristic(seen, settings.belief.weights);
        for (int i = 0; i < num_actions(seen.legal); ++i)
            result.actions.push_back(ActionMean{nth_action(seen.legal, i)});
        memory = remember(seen);
        believe_enough(result);
        if (trace != nullptr)
            trace->recursions.assign(trace->wanted, {result.actions.size(), RecursionTrace(trace->levels)});
        spend_budget(result);
        for (ActionMean& row : result.actions) {
            row.rank = row.sum / static_cast<double>(row.determinizations);
            const u64 count = std::max(row.determinizations, BONUS_SIMULATIONS);
            if (row.action == result.by_policy) row.rank += bonus_of(settings, count);
        }
        std::size_t best = 0;
        for (std::size_t i = 1; i < result.actions.size(); ++i)
            if (result.actions[i].rank > result.actions[best].rank) best = i;
        result.best = result.actions[best].action;
        if (wants_line) result.line = settings.group > 1 ? group_line(result.best) : most_common_line(result.best);
        return result;
    }

private:
    using Node = TreeNode<SEATS>;

    const Clock::time_point start = Clock::now();
    const R& rules;
    const Observation& seen;
    const ExpectiminimaxSettings& settings;
    u64 seed;
    DeterminizationTrace* trace;  // null if nobody asked for one
    Determinizer determinizer;
    Memory memory{};
    const Belief* belief = nullptr;
    std::vector<double> cumulative;  // of the weights, where the belief is exact

    // As many hypotheses as determinizations, within reason; beyond it they are met again, with other luck.
    void believe_enough(ExpectiminimaxResult& result) {
        const u64 streams = settings.shares ? 1 : result.actions.size();
        const u64 wanted = static_cast<u64>(settings.determinizations) * streams;
        const int count = static_cast<int>(std::min(wanted, static_cast<u64>(MOST_HYPOTHESES)));
        BeliefSettings with = settings.belief;
        with.hypotheses = count;
        result.belief = settings.published_belief ? believe_as_published(seen, count, seed) : believe(seen, with, seed);
        belief = &result.belief;
        double sum = 0.0;
        for (const Hypothesis& hypothesis : belief->hypotheses) cumulative.push_back(sum += hypothesis.weight);
    }

    void spend_budget(ExpectiminimaxResult& result) {
        const u64 group = static_cast<u64>(settings.group);
        if (settings.seconds > 0.0) {
            const auto end = start + std::chrono::duration<double>(settings.seconds);
            const u64 part = group * static_cast<u64>(settings.threads);
            u64 first = 0;
            do run_part(result, first, first + part);
            while ((first += part) < MOST_DETERMINIZATIONS && !is_stopped() && Clock::now() < end);
            return;
        }
        const u64 last = static_cast<u64>(settings.determinizations);
        const u64 part = group * (PART / group + 1);  // whole groups
        for (u64 first = 0; first < last && !is_stopped(); first += part)
            run_part(result, first, std::min(last, first + part));
    }

    // Determinizations `first` up to `last`, each for all actions. They are added up in order, whatever thread they came from.
    void run_part(ExpectiminimaxResult& result, u64 first, u64 last) {
        const std::size_t count = result.actions.size();
        std::vector<double> found((last - first) * count);
        std::vector<u64> nodes(static_cast<std::size_t>(settings.threads));
        const u64 group = static_cast<u64>(settings.group);
        const u64 groups = (last - first + group - 1) / group;
        run_on_threads(settings.threads, groups, [&](u64 part, u64 begin, u64 end) {
            for (u64 at = begin; at < end && !is_stopped(); ++at) {
                const u64 from = first + at * group, to = std::min(last, from + group);
                double* values = found.data() + (from - first) * count;
                nodes[part] += group == 1 ? search_one(result, from, values) : search_group(result, from, to, values);
            }
        });
        for (u64 index = first; trace != nullptr && index < std::min<u64>(last, trace->wanted); ++index)
            tell_determinization(index, found.data() + (index - first) * count, count);
        for (std::size_t at = 0; at < found.size(); ++at) {
            ActionMean& row = result.actions[at % count];
            row.determinizations += 1;
            row.sum += found[at];
            row.squares += found[at] * found[at];
        }
        result.determinizations += found.size();
        for (const u64 part : nodes) result.nodes += part;
    }

    // Every root action in one determinization, or in one of its own.
    u64 search_one(const ExpectiminimaxResult& result, u64 index, double* values) const {
        GameTree<R, SEATS> tree(rules, settings, seen.observer);
        Node root;
        for (std::size_t i = 0; i < result.actions.size(); ++i) {
            if (i == 0 || !settings.shares) determinize(root, index, i);
            tree.told = recursion_to_tell(index, i);
            values[i] = win_probability(tree.root_value(root, result.actions[i].action));
        }
        return tree.num_nodes;
    }

    u64 search_group(const ExpectiminimaxResult& result, u64 first, u64 last, double* values) const {
        InformationTree<R, SEATS> tree(rules, settings, seen.observer);
        const std::size_t count = result.actions.size();
        std::vector<Node> roots;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || !settings.shares) roots = determinize_group(first, last, i);
            tree.told = recursion_to_tell(first, i);
            const GroupValue found = tree.root_value(roots, result.actions[i].action);
            for (std::size_t k = 0; k < roots.size(); ++k) values[k * count + i] = win_probability(found.values[k]);
        }
        return tree.num_nodes;
    }

    // Where the recursion of an action is written down; null if nobody asked.
    RecursionTrace* recursion_to_tell(u64 index, std::size_t action) const {
        return trace == nullptr || index >= trace->wanted ? nullptr : &trace->recursions[index][action];
    }

    void tell_determinization(u64 index, const double* values, std::size_t actions) const {
        DeterminizationTrace::Found& told = trace->found.emplace_back();
        told.values.assign(values, values + actions);
        for (std::size_t i = 0; i < (settings.shares ? 1 : actions); ++i) {
            Node root;
            determinize(root, index, i);
            told.hands.emplace_back(root.state.hands, root.state.hands + rules.players);
        }
    }

    std::vector<Node> determinize_group(u64 first, u64 last, std::size_t action) const {
        std::vector<Node> roots(last - first);
        for (u64 index = first; index < last; ++index) determinize(roots[index - first], index, action);
        return roots;
    }

    // s_i ~ b: a hypothesis for the hands, the rest in any order.
    void determinize(Node& root, u64 index, std::size_t action) const {
        const u64 number = settings.shares ? index : index * static_cast<u64>(num_actions(seen.legal)) + action;
        root.memory = memory;
        root.state.pile.rng = split_rng(seed ^ 0xE4BEC71ull, number);
        const Hypothesis& hypothesis = pick(number, root.state.pile.rng);
        determinizer.fill(root.state, hypothesis);
        shuffle_pile(root.state.pile);
        root.random_seats = 0;
        for (int seat = 0; settings.adapts && seat < rules.players; ++seat) {
            const bool is_random = hypothesis.models[static_cast<std::size_t>(seat)] == RANDOM_MODEL;
            if (seat != seen.observer && is_random) root.random_seats |= static_cast<u16>(1u << seat);
        }
    }

    const Hypothesis& pick(u64 number, Rng& rng) const {
        const std::size_t count = belief->hypotheses.size();
        if (!belief->is_exact) return belief->hypotheses[number % count];
        const double point = static_cast<double>(next_random(rng) >> 11) * 0x1p-53 * cumulative.back();
        const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), point);
        return belief->hypotheses[std::min(static_cast<std::size_t>(at - cumulative.begin()), count - 1)];
    }

    std::vector<int> group_line(int action) const {
        InformationTree<R, SEATS> tree(rules, settings, seen.observer);
        const u64 count = static_cast<u64>(std::min(settings.group, settings.determinizations));
        return tree.root_value(determinize_group(0, count, 0), action).line;
    }

    // From the root on, the action with which most determinizations of the same line go on.
    std::vector<int> most_common_line(int action) const {
        GameTree<R, SEATS> tree(rules, settings, seen.observer);
        std::vector<std::vector<int>> lines;
        for (u64 index = 0; index < std::min(LINES, static_cast<u64>(settings.determinizations)); ++index) {
            Node root;
            determinize(root, index, 0);
            lines.push_back(tree.line_after(root, action));
        }
        std::vector<int> line{action};
        while (true) {
            const std::size_t at = line.size();
            std::erase_if(lines, [&](const auto& each) { return each.size() <= at || each[at - 1] != line.back(); });
            if (lines.empty()) return line;
            std::array<int, NUM_ACTIONS> counts{};
            for (const auto& each : lines) counts[static_cast<std::size_t>(each[at])] += 1;
            line.push_back(static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin()));
        }
    }
};

// The official games are compiled for themselves; everything else reads its switches at run time.
inline ExpectiminimaxResult search_by_expectiminimax(const Observation& seen, const ExpectiminimaxSettings& settings,
                                                     u64 seed, bool wants_line, DeterminizationTrace* trace = nullptr) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    const Rules& rules = seen.rules;
    const auto run = [&]<int SEATS>(const auto& by, std::integral_constant<int, SEATS>) {
        using R = std::remove_cvref_t<decltype(by)>;
        return ExpectiminimaxSearch<R, SEATS>(by, seen, settings, seed, trace).run(wants_line);
    };
    if (are_same_rules(rules, two)) return run(two, std::integral_constant<int, 2>{});
    if (are_same_rules(rules, four)) return run(four, std::integral_constant<int, 4>{});
    if (rules.players == 2) return run(rules, std::integral_constant<int, 2>{});
    return run(rules, std::integral_constant<int, MAX_SEATS>{});
}

}  // namespace lastcard
