// A search tree as arrays: nodes are histories, edges are the actions tried there, and a child is what was seen to
// follow.
//
// The same tree serves every tree search. `Node` is T(h), `Edge` is T(ha), and a child of an edge is T(hao), found by a
// hash of what the observer heard between the two decisions. Growing only appends; a full tree stops growing and is
// searched on.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "rules/actions.hpp"
#include "rules/rng.hpp"
#include "search/numeric.hpp"
#include "search/trace.hpp"

namespace lastcard {

constexpr u32 NO_LINK = 0xFFFFFFFFu;
constexpr u32 ROOT = 0;

struct Edge {
    u32 next = NO_LINK;         // of the same node
    u32 first_child = NO_LINK;  // what followed
    u32 visits = 0;             // N(ha)
    u32 available = 0;          // how often the action was legal where its node was searched
    double sum = 0.0;           // of returns to the seat that acts
    double own = 0.0;           // of returns to the observer
    double squares = 0.0;       // of those
    u8 action = 0;
    u8 seat = 0;
};

struct Node {
    u64 heard = 0;         // hash of what the observer heard on the way here from the parent edge
    u32 parent = NO_LINK;  // an edge
    u32 next = NO_LINK;    // another child of that edge
    u32 first_edge = NO_LINK;
    u32 visits = 0;  // N(h)
    u32 first_particle = NO_LINK;
    u32 num_particles = 0;  // |B(h)|
};

// Particles of all nodes: hidden hands, `stride` of them a particle, and each opponent's model. Chained by node.
struct ParticlePool {
    std::size_t stride = 0;
    std::vector<Hand> hands;
    std::vector<u8> models;
    std::vector<u32> next;
};

struct Tree {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<u32> slots;  // open addressing: (parent edge, heard) to node; a power of two of them
    ParticlePool particles;
    std::size_t max_nodes = 0;
};

inline u64 hash_child(u32 edge, u64 heard) {
    return multiply_mix(heard ^ 0x9E3779B97F4A7C15ull, edge + 0xD1B54A32D192ED03ull);
}

inline void enter_slot(Tree& tree, u32 node) {
    const std::size_t mask = tree.slots.size() - 1;
    std::size_t at = hash_child(tree.nodes[node].parent, tree.nodes[node].heard) & mask;
    while (tree.slots[at] != NO_LINK) at = (at + 1) & mask;
    tree.slots[at] = node;
}

inline void widen_slots(Tree& tree) {
    tree.slots.assign(tree.slots.empty() ? 1024 : 2 * tree.slots.size(), NO_LINK);
    for (u32 node = 1; node < tree.nodes.size(); ++node) enter_slot(tree, node);
}

inline Tree make_tree(std::size_t max_nodes) {
    Tree tree;
    tree.max_nodes = max_nodes;
    tree.nodes.emplace_back();
    widen_slots(tree);
    return tree;
}

inline u32 find_child(const Tree& tree, u32 edge, u64 heard) {
    const std::size_t mask = tree.slots.size() - 1;
    for (std::size_t at = hash_child(edge, heard) & mask;; at = (at + 1) & mask) {
        const u32 node = tree.slots[at];
        if (node == NO_LINK || (tree.nodes[node].parent == edge && tree.nodes[node].heard == heard)) return node;
    }
}

// NO_LINK when the tree is full.
inline u32 add_child(Tree& tree, u32 edge, u64 heard) {
    if (tree.nodes.size() >= tree.max_nodes) return NO_LINK;
    if (2 * tree.nodes.size() >= tree.slots.size()) widen_slots(tree);
    const auto index = static_cast<u32>(tree.nodes.size());
    Node node;
    node.heard = heard;
    node.parent = edge;
    node.next = tree.edges[edge].first_child;
    tree.nodes.push_back(node);
    tree.edges[edge].first_child = index;
    enter_slot(tree, index);
    return index;
}

inline u32 add_edge(Tree& tree, u32 node, int action, int seat) {
    const auto index = static_cast<u32>(tree.edges.size());
    Edge edge;
    edge.action = static_cast<u8>(action);
    edge.seat = static_cast<u8>(seat);
    edge.next = tree.nodes[node].first_edge;
    tree.edges.push_back(edge);
    tree.nodes[node].first_edge = index;
    return index;
}

template <class Visit>
void for_each_edge(const Tree& tree, u32 node, Visit visit) {
    for (u32 edge = tree.nodes[node].first_edge; edge != NO_LINK; edge = tree.edges[edge].next) visit(edge);
}

inline double mean_value(const Edge& edge) { return edge.visits == 0 ? 0.0 : edge.sum / edge.visits; }

inline void back_up(Edge& edge, double value, double own, TracedChoice* told) {
    edge.visits += 1;
    edge.sum += value;
    edge.own += own;
    edge.squares += own * own;
    if (told == nullptr) return;
    told->seat = edge.seat;
    told->action = edge.action;
    told->value = value;
    told->visits_after = edge.visits;
    told->mean_after = mean_value(edge);
}

// Natural logarithms of counts, looked up: a selection needs one for every action.
struct LogTable {
    std::vector<double> values;
    LogTable() : values(16'384) {
        for (std::size_t n = 1; n < values.size(); ++n) values[n] = stable_log(static_cast<double>(n));
    }
};

inline const LogTable LOGS;

inline double log_of(u32 count) {
    return count < LOGS.values.size() ? LOGS.values[count] : stable_log(static_cast<double>(count));
}

// P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002), with the
// constant c in place of their square root of two: mean + c sqrt(ln N / n).
inline double exploration_of(u32 n, double log_total, double c) { return c * std::sqrt(log_total / n); }
inline double ucb1(double mean, u32 n, double log_total, double c) { return mean + exploration_of(n, log_total, c); }

// The seat's edge with the largest UCB1 among the legal actions, the lowest of equals; NO_LINK without any.
// `log_total(edge)` is ln N. What has an edge is taken out of `legal`: the rest is untried.
template <class LogTotal>
u32 best_by_ucb1(Tree& tree, u32 node, int seat, double c, LogTotal log_total, ActionSet& legal, TracedChoice* told) {
    u32 best = NO_LINK;
    double most = 0.0;
    for_each_edge(tree, node, [&](u32 at) {
        Edge& edge = tree.edges[at];
        if (edge.seat != seat || !contains(legal, edge.action)) return;
        remove_action(legal, edge.action);
        const double mean = mean_value(edge), exploration = exploration_of(edge.visits, log_total(edge), c);
        const double score = mean + exploration;
        if (best == NO_LINK || score > most || (score == most && edge.action < tree.edges[best].action)) {
            best = at;
            most = score;
        }
        if (told != nullptr) told->options.push_back({edge.action, edge.visits, edge.available, mean, exploration});
    });
    return best;
}

// ---- Particles ------------------------------------------------------------------------------------------------------

// Copies of a Wild differ by id; as hidden cards they are a number of cards of one face.
inline Hand with_lowest_wilds(const Hand& hand) {
    const u64 wilds = (1ull << popcount(hand.first & WILD_BITS)) - 1;
    const u64 fours = (1ull << popcount(hand.first & FOUR_BITS)) - 1;
    return Hand{(hand.first & COLORED_BITS) | wilds << FIRST_WILD | fours << FIRST_FOUR, hand.second};
}

inline void add_particle(Tree& tree, u32 node, const Hand* hands, const u8* models) {
    ParticlePool& pool = tree.particles;
    pool.next.push_back(tree.nodes[node].first_particle);
    for (std::size_t seat = 0; seat < pool.stride; ++seat) {
        pool.hands.push_back(hands[seat]);
        pool.models.push_back(models[seat]);
    }
    tree.nodes[node].first_particle = static_cast<u32>(pool.next.size() - 1);
    tree.nodes[node].num_particles += 1;
}

// ---- Pruning --------------------------------------------------------------------------------------------------------

// The child of the root that was reached by hearing this, whatever action led there; NO_LINK if no simulation did.
inline u32 find_heard(const Tree& tree, u64 heard) {
    u32 found = NO_LINK;
    for_each_edge(tree, ROOT, [&](u32 edge) {
        const u32 child = find_child(tree, edge, heard);
        if (child != NO_LINK) found = child;
    });
    return found;
}

// The subtree below `root` as a tree of its own; all other histories have become impossible.
inline Tree prune_to(const Tree& tree, u32 root) {
    Tree pruned = make_tree(tree.max_nodes);
    pruned.particles.stride = tree.particles.stride;
    const std::size_t stride = tree.particles.stride;
    std::vector<u32> old_of{root};  // by new index; grows as children are found
    for (u32 node = 0; node < old_of.size(); ++node) {
        const Node& old = tree.nodes[old_of[node]];
        pruned.nodes[node].visits = old.visits;
        for (u32 p = old.first_particle; p != NO_LINK; p = tree.particles.next[p]) {
            add_particle(pruned, node, &tree.particles.hands[p * stride], &tree.particles.models[p * stride]);
        }
        for_each_edge(tree, old_of[node], [&](u32 from) {
            const Edge& edge = tree.edges[from];
            const u32 copy = add_edge(pruned, node, edge.action, edge.seat);
            const u32 next = pruned.edges[copy].next;
            pruned.edges[copy] = edge;
            pruned.edges[copy].next = next;
            pruned.edges[copy].first_child = NO_LINK;
            for (u32 child = edge.first_child; child != NO_LINK; child = tree.nodes[child].next) {
                add_child(pruned, copy, tree.nodes[child].heard);
                old_of.push_back(child);
            }
        });
    }
    return pruned;
}

}  // namespace lastcard
