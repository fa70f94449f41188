// A search tree for people to look at: actions to a given depth, whatever was heard between them.
#pragma once

#include <algorithm>

#include "search/tree.hpp"

namespace lastcard {

// An action after the actions above it; sums over all that was heard on the way, and over all trees.
struct OutlineRow {
    int depth = 0;  // 1 at the root
    int action = 0;
    int seat = 0;
    u64 visits = 0;
    double own = 0.0;  // of returns to the observer
};

struct Place {
    const Tree* tree;
    u32 node;
};

struct Branch {
    OutlineRow row;
    std::vector<Place> below;
};

// What was tried at these places, the most visited first.
inline std::vector<Branch> list_branches(const std::vector<Place>& places, int depth) {
    std::vector<Branch> branches;
    for (const Place& place : places) {
        for_each_edge(*place.tree, place.node, [&](u32 index) {
            const Edge& edge = place.tree->edges[index];
            if (edge.visits == 0) return;
            const auto same = [&](const Branch& b) { return b.row.action == edge.action && b.row.seat == edge.seat; };
            auto at = std::find_if(branches.begin(), branches.end(), same);
            if (at == branches.end()) at = branches.insert(at, Branch{{depth, edge.action, edge.seat, 0, 0.0}, {}});
            at->row.visits += edge.visits;
            at->row.own += edge.own;
            for (u32 child = edge.first_child; child != NO_LINK; child = place.tree->nodes[child].next) {
                at->below.push_back({place.tree, child});
            }
        });
    }
    const auto order = [](const Branch& a, const Branch& b) {
        if (a.row.visits != b.row.visits) return a.row.visits > b.row.visits;
        return a.row.action != b.row.action ? a.row.action < b.row.action : a.row.seat < b.row.seat;
    };
    std::sort(branches.begin(), branches.end(), order);
    return branches;
}

inline std::vector<Place> list_roots(const std::vector<Tree>& trees) {
    std::vector<Place> places;
    for (const Tree& tree : trees) places.push_back({&tree, ROOT});
    return places;
}

inline void outline(std::vector<OutlineRow>& rows, const std::vector<Place>& places, int depth, int most) {
    if (depth > most) return;
    for (const Branch& branch : list_branches(places, depth)) {
        rows.push_back(branch.row);
        outline(rows, branch.below, depth + 1, most);
    }
}

// The principal line: `best` (if the tree tells it apart from others), then what was visited most, as far as enough
// simulations went.
inline std::vector<OutlineRow> find_line(const std::vector<Tree>& trees, int best) {
    constexpr u64 ENOUGH = 10;
    constexpr int LONGEST = 16;
    std::vector<OutlineRow> line;
    std::vector<Place> places = list_roots(trees);
    for (int depth = 1; depth <= LONGEST; ++depth) {
        std::vector<Branch> branches = list_branches(places, depth);
        auto at = branches.begin();
        const auto is_best = [&](const Branch& branch) { return branch.row.action == best; };
        if (depth == 1 && std::any_of(at, branches.end(), is_best)) at = std::find_if(at, branches.end(), is_best);
        if (at == branches.end() || (depth > 1 && at->row.visits < ENOUGH)) break;
        line.push_back(at->row);
        places = std::move(at->below);
    }
    return line;
}

}  // namespace lastcard
