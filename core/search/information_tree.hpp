// `expectiminimax` without clairvoyance: what we do later depends on what we will have seen by then, and on nothing else.
//
// In a determinization searched by itself, max picks a different action for each assignment of the hidden cards, as if we saw them:
// strategy fusion (I. Frank and D. Basin, "Search in games with incomplete information", 1998). Here many determinizations go
// down the tree together. Those that still look alike to us stay together, and our action is the same in all of them: the one with the
// best mean (T. Cazenave and V. Ventos, "The alpha-mu search algorithm for the game of bridge", 2019, without its Pareto fronts).
// Opponents follow a policy of what they see; so each determinization tells by itself what comes next.
#pragma once

#include <numeric>

#include "search/expectiminimax.hpp"

namespace lastcard {

// What an action in all determinizations of a group came to.
struct GroupValue {
    std::vector<double> values;  // one for each determinization
    std::vector<int> line;       // what followed in most of them
};

template <class R, int SEATS>
class InformationTree {
public:
    using Node = TreeNode<SEATS>;
    using Nodes = std::vector<Node>;

    InformationTree(const R& with_rules, const ExpectiminimaxSettings& with, int seat)
        : rules(with_rules), settings(with), observer(seat), tree(with_rules, with, seat) {}

    u64 num_nodes = 0;

    // The worth of the root action in each of the determinizations.
    GroupValue root_value(const Nodes& roots, int action) {
        last_node = num_nodes + static_cast<u64>(settings.nodes) * roots.size();
        return after(roots, std::vector<int>(roots.size(), action), settings.depth + 1);
    }

private:
    const R& rules;
    const ExpectiminimaxSettings& settings;
    int observer;
    GameTree<R, SEATS> tree;
    u64 last_node = 0;

    // V of positions that look alike to us.
    GroupValue value(const Nodes& nodes, int depth) {
        num_nodes += nodes.size();
        const Turn& turn = nodes.front().state.turn;
        const bool are_few = nodes.size() < static_cast<std::size_t>(settings.fewest);
        if (depth == 0 || are_few || turn.phase == Phase::OVER || num_nodes >= last_node) return leaves(nodes);
        if (turn.seat == observer) return best_after(nodes, depth);
        std::vector<int> replies;
        for (const Node& node : nodes) replies.push_back(tree.by_policy(node));
        return after(nodes, replies, depth);
    }

    GroupValue leaves(const Nodes& nodes) const {
        GroupValue found;
        for (const Node& node : nodes) found.values.push_back(tree.reward(node)[static_cast<std::size_t>(observer)]);
        return found;
    }

    // Max on our turn. The best of several means is too good by chance; so one half of the determinizations chooses for the other (H. van
    // Hasselt, "Double Q-learning", 2010).
    GroupValue best_after(const Nodes& nodes, int depth) {
        const ActionSet legal = legal_actions(nodes.front().state, rules);
        const int favorite = tree.by_policy(nodes.front());
        const double bonus = 2.0 * WIN * bonus_of(settings, nodes.size());
        std::vector<GroupValue> found;
        std::size_t best[2] = {};
        double most[2] = {-4.0 * WIN, -4.0 * WIN};
        for (int i = 0; i < num_actions(legal); ++i) {
            const int action = nth_action(legal, i);
            found.push_back(after(nodes, std::vector<int>(nodes.size(), action), depth));
            for (std::size_t half = 0; half < 2; ++half) {
                const double mean = mean_of_half(found.back().values, half) + (action == favorite ? bonus : 0.0);
                if (mean <= most[half]) continue;
                most[half] = mean;
                best[half] = found.size() - 1;
            }
        }
        GroupValue chosen{{}, found[best[0]].line};
        for (std::size_t i = 0; i < nodes.size(); ++i) chosen.values.push_back(found[best[1 - i % 2]].values[i]);
        return chosen;
    }

    static double mean_of_half(const std::vector<double>& values, std::size_t half) {
        double sum = 0.0;
        for (std::size_t i = half; i < values.size(); i += 2) sum += values[i];
        return sum / static_cast<double>((values.size() + 1 - half) / 2);
    }

    // An action in each of the positions; from then on those stay together that we cannot tell apart.
    GroupValue after(const Nodes& nodes, const std::vector<int>& actions, int depth) {
        Nodes next = nodes;
        std::vector<std::pair<u64, std::size_t>> looks;
        for (std::size_t i = 0; i < next.size(); ++i) {
            tree.transition(next[i], actions[i]);
            looks.emplace_back(look_of(next[i], actions[i]), i);
        }
        std::sort(looks.begin(), looks.end());
        GroupValue found{std::vector<double>(nodes.size()), {}};
        std::size_t largest = 0;
        for (std::size_t first = 0, last = 0; first < looks.size(); first = last) {
            Nodes alike;
            for (last = first; last < looks.size() && looks[last].first == looks[first].first; ++last)
                alike.push_back(next[looks[last].second]);
            const GroupValue part = value(alike, depth - 1);
            for (std::size_t i = first; i < last; ++i) found.values[looks[i].second] = part.values[i - first];
            if (last - first <= largest) continue;
            largest = last - first;
            found.line = {actions[looks[first].second]};
            found.line.insert(found.line.end(), part.line.begin(), part.line.end());
        }
        return found;
    }

    // What we see of a position that was reached by this action, in one number. Wilds of a face are interchangeable.
    u64 look_of(const Node& node, int action) const {
        const Turn& turn = node.state.turn;
        const Hand& own = node.state.hands[observer];
        const u64 wilds = static_cast<u64>(popcount(own.first & WILD_BITS) << 8 | popcount(own.first & FOUR_BITS));
        u64 look = multiply_mix(own.first & COLORED_BITS, own.second ^ 0x8BB84B93962EACC9ull);
        look = multiply_mix(look ^ wilds, static_cast<u64>(action) << 8 | turn.top_play | 1ull << 40);
        look ^= static_cast<u64>(turn.seat) << 8 | static_cast<u64>(turn.phase);
        for (int seat = 0; seat < rules.players; ++seat)
            look = multiply_mix(look ^ 0x2D358DCCAA6C78A5ull, static_cast<u64>(num_cards(node.state.hands[seat])) + 1);
        return look;
    }
};

}  // namespace lastcard
