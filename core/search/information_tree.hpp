// `expectiminimax` without clairvoyance: what we do later depends on what we will have seen by then, and on nothing
// else.
//
// In a determinization searched by itself, max picks a different action for each assignment of the hidden cards, as if
// we saw them: strategy fusion (I. Frank and D. Basin, "Search in games with incomplete information", 1998). Here many
// determinizations go down the tree together. Those that still look alike to us stay together, and our action is the
// same in all of them: the one with the best mean (T. Cazenave and V. Ventos, "The alpha-mu search algorithm for the
// game of bridge", 2019, without its Pareto fronts). Opponents follow a policy of what they see; so each
// determinization tells by itself what comes next.
#pragma once

#include <numeric>

#include "search/game_tree.hpp"

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
    RecursionTrace* told = nullptr;

    // The worth of the root action in each of the determinizations.
    GroupValue root_value(const Nodes& roots, int action) {
        last_node = num_nodes + static_cast<u64>(settings.nodes) * roots.size();
        return all_after(roots, action, settings.depth + 1);
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
        if (depth == 0 || are_few || turn.phase == Phase::OVER || num_nodes >= last_node || is_stopped())
            return leaves(nodes);
        if (turn.seat == observer) return best_after(nodes, depth);
        std::vector<int> replies;
        for (const Node& node : nodes) replies.push_back(tree.by_policy(node));
        return after(nodes, replies, depth);
    }

    GroupValue leaves(const Nodes& nodes) const {
        tell_leaf(told);
        GroupValue found;
        for (const Node& node : nodes) found.values.push_back(tree.reward(node)[observer]);
        return found;
    }

    // Max on our turn. The best of several means is too good by chance; so one half of the determinizations chooses for
    // the other (H. van Hasselt, "Double Q-learning", 2010).
    GroupValue best_after(const Nodes& nodes, int depth) {
        const ActionSet legal = legal_actions(nodes.front().state, rules);
        const int favorite = tree.by_policy(nodes.front());
        const double bonus = 2.0 * WIN * bonus_of(settings, nodes.size());
        std::vector<GroupValue> found;
        std::vector<double> ranks;  // by action, then by half
        std::size_t best[2] = {};
        double most[2] = {-4.0 * WIN, -4.0 * WIN};
        for (int i = 0; i < num_actions(legal); ++i) {
            const int action = nth_action(legal, i);
            found.push_back(all_after(nodes, action, depth));
            for (std::size_t half = 0; half < 2; ++half) {
                const double mean = mean_of_half(found.back().values, half) + (action == favorite ? bonus : 0.0);
                ranks.push_back(mean);
                if (mean <= most[half]) continue;
                most[half] = mean;
                best[half] = found.size() - 1;
            }
        }
        tell_ranks(ranks, best);
        GroupValue chosen{{}, found[best[0]].line};
        for (std::size_t i = 0; i < nodes.size(); ++i) chosen.values.push_back(found[best[1 - i % 2]].values[i]);
        return chosen;
    }

    // The rows of our actions, the last ones written a level below this one, get what decided between them.
    void tell_ranks(const std::vector<double>& ranks, const std::size_t* best) const {
        if (told == nullptr) return;
        std::size_t action = ranks.size() / 2;
        for (std::size_t at = told->rows.size(); at-- > 0 && action > 0;) {
            TracedRow& row = told->rows[at];
            if (row.level != told->depth()) continue;
            action -= 1;
            for (std::size_t half = 0; half < 2; ++half) {
                row.ranks[half] = ranks[2 * action + half];
                row.chosen_by |= static_cast<u8>(best[half] == action ? 1u << half : 0u);
            }
        }
    }

    static double mean_of_half(const std::vector<double>& values, std::size_t half) {
        double sum = 0.0;
        for (std::size_t i = half; i < values.size(); i += 2) sum += values[i];
        return sum / static_cast<double>((values.size() + 1 - half) / 2);
    }

    // The same action of ours in all of the positions.
    GroupValue all_after(const Nodes& nodes, int action, int depth) {
        tell_row(told, {.seat = observer, .action = action, .determinizations = nodes.size()});
        GroupValue found = after(nodes, std::vector<int>(nodes.size(), action), depth);
        tell_mean(told, found.values);
        return found;
    }

    static void tell_mean(RecursionTrace* to, const std::vector<double>& values) {
        if (to == nullptr) return;
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        tell_value(to, mean, mean);
    }

    // The card that has come to our hand; NO_CARD unless it is one.
    int card_gained(const Node& before, const Node& after) const {
        const Hand &had = before.state.hands[observer], &has = after.state.hands[observer];
        const u64 gained = (has.first & ~had.first) | (has.second & ~had.second);
        return popcount(gained) == 1 ? lowest_bit(gained) : NO_CARD;
    }

    // An action in each of the positions; from then on those stay together that we cannot tell apart.
    GroupValue after(const Nodes& nodes, const std::vector<int>& actions, int depth) {
        const int seat = nodes.front().state.turn.seat;
        Nodes next = nodes;
        std::vector<std::pair<u64, std::size_t>> looks;
        for (std::size_t i = 0; i < next.size(); ++i) {
            tree.transition(next[i], actions[i]);
            looks.emplace_back(look_of(next[i], actions[i]), i);
        }
        std::sort(looks.begin(), looks.end());
        GroupValue found{std::vector<double>(nodes.size()), {}};
        std::size_t largest = 0;
        // Of an action of our own after which all looks alike there is no more to tell.
        RecursionTrace* const each = seat != observer || looks.front().first != looks.back().first ? told : nullptr;
        for (std::size_t first = 0, last = 0; first < looks.size(); first = last) {
            Nodes alike;
            for (last = first; last < looks.size() && looks[last].first == looks[first].first; ++last)
                alike.push_back(next[looks[last].second]);
            const int action = actions[looks[first].second];
            const int card = seat == observer ? card_gained(nodes[looks[first].second], alike.front()) : NO_CARD;
            tell_row(each, {.seat = seat, .action = action, .card = card, .determinizations = alike.size()});
            const GroupValue part = value(alike, depth - 1);
            tell_mean(each, part.values);
            for (std::size_t i = first; i < last; ++i) found.values[looks[i].second] = part.values[i - first];
            if (last - first <= largest) continue;
            largest = last - first;
            found.line = {action};
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
