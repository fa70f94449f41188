// The root of `expectiminimax`: determinizations from the belief, the mean of their values, the best action.
#include "search/expectiminimax.hpp"

#include <chrono>
#include <functional>

#include "round/compiled_rules.hpp"
#include "round/threads.hpp"
#include "search/determinize.hpp"
#include "search/information_tree.hpp"
#include "search/latent.hpp"

namespace lastcard {

namespace {

constexpr u64 MOST_DETERMINIZATIONS = 10'000'000;
constexpr u64 PART = 16'384;  // determinizations whose values are kept at a time
constexpr u64 LINES = 24;     // determinizations whose lines are compared

// The linear map from [-100, 100]: where leaves are rounds played out it is the share of them won.
double win_probability(double value) { return 0.5 + value / (2.0 * WIN); }

// From the root on, the action with which most of the lines that are the same so far continue.
std::vector<int> find_most_common(std::vector<std::vector<int>> lines, int action) {
    std::vector<int> line{action};
    while (true) {
        const std::size_t at = line.size();
        std::erase_if(lines, [&](const auto& each) { return each.size() <= at || each[at - 1] != line.back(); });
        if (lines.empty()) return line;
        Indexed<int, NUM_ACTIONS> counts{};
        for (const auto& each : lines) counts[each[at]] += 1;
        line.push_back(static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin()));
    }
}

// What the root asks of determinizations, whatever the rules.
struct DeterminizationSearch {
    // Determinizations `first` up to `last`, which are searched together: the value of each action in each; returns the
    // nodes.
    std::function<u64(const std::vector<ActionMean>& actions, u64 first, u64 last, double* values)> search;
    std::function<std::vector<Hand>(u64 index, std::size_t action)> list_hands;
    std::function<std::vector<int>(int action)> find_line;
};

// What all of them know.
struct RootBelief {
    const Belief* belief = nullptr;
    std::vector<double> cumulative{};  // of the weights, where the belief is exact
};

template <class R, int SEATS>
class DeterminizationTrees {
public:
    DeterminizationTrees(const R& with_rules, const Observation& observation, const ExpectiminimaxSettings& with,
                         u64 with_seed, const RootBelief& believed, DeterminizationTrace* with_trace)
        : rules(with_rules),
          seen(observation),
          settings(with),
          seed(with_seed),
          root_belief(believed),
          trace(with_trace),
          determinizer(observation),
          memory(remember(observation)) {}

    DeterminizationSearch as_search() const {
        return {[this](const auto& actions, u64 first, u64 last, double* values) {
                    return settings.group == 1 ? search_one(actions, first, values)
                                               : search_group(actions, first, last, values);
                },
                [this](u64 index, std::size_t action) {
                    Node root;
                    determinize(root, index, action);
                    return std::vector<Hand>(root.state.hands, root.state.hands + rules.players);
                },
                [this](int action) { return settings.group > 1 ? group_line(action) : most_common_line(action); }};
    }

private:
    using Node = TreeNode<SEATS>;

    const R& rules;
    const Observation& seen;
    const ExpectiminimaxSettings& settings;
    u64 seed;
    const RootBelief& root_belief;
    DeterminizationTrace* trace;  // null if nobody asked for one
    Determinizer determinizer;
    Memory memory;

    // Every root action in one determinization, or in one of its own.
    u64 search_one(const std::vector<ActionMean>& actions, u64 index, double* values) const {
        GameTree<R, SEATS> tree(rules, settings, seen.observer);
        Node root;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (i == 0 || !settings.common_random_numbers) determinize(root, index, i);
            tree.told = recursion_to_tell(index, i);
            values[i] = win_probability(tree.root_value(root, actions[i].action));
        }
        return tree.num_nodes;
    }

    u64 search_group(const std::vector<ActionMean>& actions, u64 first, u64 last, double* values) const {
        InformationTree<R, SEATS> tree(rules, settings, seen.observer);
        const std::size_t count = actions.size();
        std::vector<Node> roots;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || !settings.common_random_numbers) roots = determinize_group(first, last, i);
            tree.told = recursion_to_tell(first, i);
            const GroupValue found = tree.root_value(roots, actions[i].action);
            for (std::size_t k = 0; k < roots.size(); ++k) values[k * count + i] = win_probability(found.values[k]);
        }
        return tree.num_nodes;
    }

    // Where the recursion of an action is written down; null if nobody asked.
    RecursionTrace* recursion_to_tell(u64 index, std::size_t action) const {
        return trace == nullptr || index >= trace->wanted ? nullptr : &trace->recursions[index][action];
    }

    std::vector<Node> determinize_group(u64 first, u64 last, std::size_t action) const {
        std::vector<Node> roots(last - first);
        for (u64 index = first; index < last; ++index) determinize(roots[index - first], index, action);
        return roots;
    }

    // s_i ~ b: a hypothesis for the hands, the rest in any order.
    [[gnu::noinline]] void determinize(Node& root, u64 index, std::size_t action) const {
        const u64 number =
            settings.common_random_numbers ? index : index * static_cast<u64>(num_actions(seen.legal)) + action;
        root.memory = memory;
        root.state.pile.rng = split_rng(seed ^ 0xE4BEC71ull, number);
        const Hypothesis& hypothesis = pick(number, root.state.pile.rng);
        determinizer.fill(root.state, hypothesis);
        shuffle_pile(root.state.pile);
        root.random_seats = 0;
        for (int seat = 0; settings.model_random_opponents && seat < rules.players; ++seat) {
            const bool is_random = hypothesis.models[seat] == RANDOM_MODEL;
            if (seat != seen.observer && is_random) root.random_seats |= static_cast<u16>(1u << seat);
        }
    }

    const Hypothesis& pick(u64 number, Rng& rng) const {
        const std::size_t count = root_belief.belief->hypotheses.size();
        if (!root_belief.belief->is_exact) return root_belief.belief->hypotheses[number % count];
        const double point = static_cast<double>(next_random(rng) >> 11) * 0x1p-53 * root_belief.cumulative.back();
        const auto at = std::upper_bound(root_belief.cumulative.begin(), root_belief.cumulative.end(), point);
        return root_belief.belief
            ->hypotheses[std::min(static_cast<std::size_t>(at - root_belief.cumulative.begin()), count - 1)];
    }

    std::vector<int> group_line(int action) const {
        InformationTree<R, SEATS> tree(rules, settings, seen.observer);
        const u64 count = static_cast<u64>(std::min(settings.group, settings.determinizations));
        return tree.root_value(determinize_group(0, count, 0), action).line;
    }

    std::vector<int> most_common_line(int action) const {
        GameTree<R, SEATS> tree(rules, settings, seen.observer);
        std::vector<std::vector<int>> lines;
        for (u64 index = 0; index < std::min(LINES, static_cast<u64>(settings.determinizations)); ++index) {
            Node root;
            determinize(root, index, 0);
            lines.push_back(tree.line_after(root, action));
        }
        return find_most_common(std::move(lines), action);
    }
};

class ExpectiminimaxSearch {
public:
    ExpectiminimaxSearch(const Observation& observation, const ExpectiminimaxSettings& with, u64 with_seed,
                         DeterminizationTrace* with_trace)
        : seen(observation), settings(with), seed(with_seed), trace(with_trace) {}

    RootBelief root_belief;

    // argmax over a of Q(a), the mean of V over determinizations.
    ExpectiminimaxResult run(const DeterminizationSearch& with, bool wants_line) {
        ExpectiminimaxResult result;
        result.by_policy = choose_by_heuristic(seen, settings.weights);
        for (int i = 0; i < num_actions(seen.legal); ++i)
            result.actions.push_back(ActionMean{nth_action(seen.legal, i)});
        trees = &with;
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
        if (wants_line) result.line = trees->find_line(result.best);
        return result;
    }

private:
    const Clock::time_point start = Clock::now();
    const Observation& seen;
    const ExpectiminimaxSettings& settings;
    u64 seed;
    DeterminizationTrace* trace;  // null if nobody asked for one
    const DeterminizationSearch* trees = nullptr;

    // As many hypotheses as determinizations, within reason; beyond it they are met again, with other luck.
    void believe_enough(ExpectiminimaxResult& result) {
        const u64 streams = settings.common_random_numbers ? 1 : result.actions.size();
        const u64 wanted = static_cast<u64>(settings.determinizations) * streams;
        const int count = static_cast<int>(std::min(wanted, static_cast<u64>(MOST_HYPOTHESES)));
        if (settings.belief == SampledBelief::PUBLISHED) {
            result.belief = believe_as_published(seen, count, seed);
        } else {
            const int kind = static_cast<int>(settings.belief) - static_cast<int>(SampledBelief::UNIFORM);
            BeliefSettings with{.kind = static_cast<BeliefKind>(kind), .hypotheses = count};
            with.weights = settings.weights;
            result.belief = believe(seen, with, seed);
        }
        root_belief.belief = &result.belief;
        double sum = 0.0;
        for (const Hypothesis& hypothesis : result.belief.hypotheses)
            root_belief.cumulative.push_back(sum += hypothesis.weight);
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

    // Determinizations `first` up to `last`, each for all actions. They are added up in order, whatever thread they
    // came from.
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
                nodes[part] += trees->search(result.actions, from, to, values);
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

    void tell_determinization(u64 index, const double* values, std::size_t actions) const {
        DeterminizationTrace::Found& told = trace->found.emplace_back();
        told.values.assign(values, values + actions);
        for (std::size_t i = 0; i < (settings.common_random_numbers ? 1 : actions); ++i) {
            told.hands.push_back(trees->list_hands(index, i));
        }
    }
};

}  // namespace

ExpectiminimaxResult search_by_expectiminimax(const Observation& seen, const ExpectiminimaxSettings& settings, u64 seed,
                                              bool wants_line, DeterminizationTrace* trace) {
    ExpectiminimaxSearch search(seen, settings, seed, trace);
    return with_compiled_rules(seen.rules, [&]<class R, int SEATS>(const R& rules, Seats<SEATS>) {
        const auto run = [&]<int ROOM>(Seats<ROOM>) {
            const DeterminizationTrees<R, ROOM> trees(rules, seen, settings, seed, search.root_belief, trace);
            return search.run(trees.as_search(), wants_line);
        };
        if constexpr (SEATS == MAX_SEATS) {  // nodes are copied all the time: two hands are far less to copy than ten
            if (rules.players == 2) return run(Seats<2>{});
        }
        return run(Seats<SEATS>{});
    });
}

}  // namespace lastcard
