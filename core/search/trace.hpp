// What a search did, for people to follow: written down by the search itself, so that nothing here can differ from it.
//
// A search that nobody asked to tell has null where its trace would be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rules/actions.hpp"

namespace lastcard {

// An action that UCB1 weighed.
struct TracedOption {
    int action = 0;
    u64 visits = 0;
    u64 available = 0;  // how often it was legal where its node was searched, if the search counts that
    double mean = 0.0;
    double exploration = 0.0;  // c sqrt(ln N / n); the sum of both decides
};

// One choice down the tree, and what was backed up to it.
struct TracedChoice {
    std::size_t ply = 0;  // its place among the plies
    u64 visits = 0;       // of its node
    std::vector<TracedOption> options{};
    int seat = 0;
    int action = 0;
    double value = 0.0;    // what was backed up
    u64 visits_after = 0;  // of the action
    double mean_after = 0.0;
};

struct TracedPly {
    int seat = 0;
    int action = 0;
};

// One simulation: down the tree, played out, and back up.
struct TracedDescent {
    u64 number = 0;
    std::vector<Hand> hands{};  // of every seat, as it starts
    std::vector<TracedPly> plies{};
    std::vector<TracedChoice> choices{};
    std::size_t plies_in_tree = 0;
    u32 leaf_ply = 0;
    u32 last_ply = 0;
    int winner = 0;
};

// The simulations to trace, by number.
struct Trace {
    explicit Trace(const std::vector<u64>& numbers) : wanted(numbers) {}

    std::vector<u64> wanted;
    std::vector<TracedDescent> found;

    // Null if nobody asked for this one.
    TracedDescent* begin(u64 number) {
        if (std::find(wanted.begin(), wanted.end(), number) == wanted.end()) return nullptr;
        found.push_back(TracedDescent{number});
        return &found.back();
    }
};

// ---- Recursions -----------------------------------------------------------------------------------------------------

// An action inside a game tree. Each row stands below the last one that is a level higher.
struct TracedRow {
    int level = 0;  // 0: the root action
    int seat = 0;
    int action = 0;
    int card = NO_CARD;        // the one that is drawn, where each of several is tried
    u64 determinizations = 1;  // that go down the tree together
    double value = 0.0;        // to the observer
    double own = 0.0;          // to the seat that acts, where each looks for its own best
    double ranks[2] = {};      // in a group: by one half of it and by the other
    u8 chosen_by = 0;          // in a group: which half chooses it, as bits
    bool is_leaf = false;
    bool is_cut = false;  // nothing else that follows can matter: the value is a bound
};

// The recursion under one root action in one determinization, or in one group of them.
class RecursionTrace {
public:
    // Rows deeper than `most` below the root action are not written down.
    explicit RecursionTrace(int most) : levels(most) {}

    std::vector<TracedRow> rows;

    // Out of line, since hardly any search is traced.
    [[gnu::noinline, gnu::cold]] void enter(TracedRow row) {
        row.level = depth();
        const bool is_shown = row.level <= levels;
        open.push_back(is_shown ? rows.size() : NO_ROW);
        if (is_shown) rows.push_back(row);
    }

    // How deep the next row stands.
    int depth() const { return static_cast<int>(open.size()); }

    // The row that is being worked out; null if it is not written down.
    TracedRow* here() { return open.empty() || open.back() == NO_ROW ? nullptr : &rows[open.back()]; }

    void leave(double value, double own) {
        if (TracedRow* row = here()) {
            row->value = value;
            row->own = own;
        }
        open.pop_back();
    }

private:
    static constexpr std::size_t NO_ROW = ~std::size_t{0};
    int levels;
    std::vector<std::size_t> open;  // rows from the root action down
};

inline void tell_row(RecursionTrace* told, const TracedRow& row) {
    if (told != nullptr) told->enter(row);
}

inline void tell_value(RecursionTrace* told, double value, double own) {
    if (told != nullptr) told->leave(value, own);
}

inline void tell_leaf(RecursionTrace* told) {
    if (told != nullptr && told->here() != nullptr) told->here()->is_leaf = true;
}

inline void tell_cut(RecursionTrace* told) {
    if (told != nullptr && told->here() != nullptr) told->here()->is_cut = true;
}

// The first determinizations, what each root action was worth in them, and by which recursion.
struct DeterminizationTrace {
    struct Found {
        std::vector<std::vector<Hand>> hands;  // by root action, then by seat; once if all share it
        std::vector<double> values;            // by root action, as win probabilities
    };

    DeterminizationTrace(std::size_t count, int depth) : wanted(count), levels(depth) {}

    std::size_t wanted;
    int levels;  // of the recursion that are written down
    std::vector<Found> found;
    // By determinization, or the first of a group, then by root action.
    std::vector<std::vector<RecursionTrace>> recursions;
};

}  // namespace lastcard
