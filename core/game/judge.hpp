// The judge's arithmetic: which decisions there were, what each cost, and sums of them. Values come from a search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/record.hpp"

namespace lastcard {

struct Choice {
    int ply;  // from 1
    int seat;
};

// The plies of a round at which a seat had more than one action.
std::vector<Choice> list_choices(const Rules& rules, const PlayedRound& played);

// An action and the judge's probability of winning with it; `error` is the half-width of its 95 % interval.
struct Valued {
    int action;
    double value;
    double error;
};

struct Cost {
    std::optional<std::size_t> played;  // the place of the played action among the values; nothing if it has none
    double cost = 0.0;                  // win probability given away
    double error = 0.0;                 // half-width of its 95 % interval, as if the two had been judged apart
};

// What an action cost; the best value comes first.
Cost find_cost(const std::vector<Valued>& values, int played);

// A decision that has been judged.
struct Decision {
    int round = 1;
    int ply = 1;
    int seat = 0;
    int played = 0;
    int best = 0;
    double best_value = 0.0;
    double cost = 0.0;
    std::vector<int> open;  // the actions that were judged
};

struct SeatSum {
    int decisions = 0;
    int agreed = 0;
    double mean_cost = 0.0;
};

SeatSum sum_up(const std::vector<Decision>& decisions, int seat);

// Places of the decisions that cost something, the costliest first.
std::vector<std::size_t> rank_by_cost(const std::vector<Decision>& decisions);

struct CurvePoint {
    int ply;
    double value;
};

// A seat's probability of winning a round as it could know it: where it had a choice, and at the end.
std::vector<CurvePoint> make_curve(const std::vector<Decision>& decisions, int seat, int plies, int winner,
                                   int players);

struct KindCost {
    std::string kind;
    std::size_t decisions;
    double mean;
    double error;
    double total;
};

// Win probability given away per decision, for each kind of decision, the costliest kind first.
std::vector<KindCost> list_costs(const std::vector<Decision>& decisions);

}  // namespace lastcard
