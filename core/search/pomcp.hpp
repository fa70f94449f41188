// `pomcp`: partially observable Monte Carlo planning.
//
// D. Silver, J. Veness, "Monte-Carlo Planning in Large POMDPs" (2010). The observer's decisions are the steps of a POMDP: the other
// seats, played by a policy model, are part of the generative model G, and an observation o is everything heard until the next
// choice. T(h) = {N(h), V(h), B(h)}: after the real action and observation the child T(hao) becomes the root, and its particles
// are the belief.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

struct PomcpSettings {
    TreeSettings tree;
    int particles = 1000;   // K
    double discount = 1.0;  // gamma, a decision of ours
    u32 rollout_depth = 0;  // our decisions in a rollout; 0: to the end
    u32 patience = 1;       // visits of a node before it tells its actions apart
    bool guides = true;     // tries what the heuristic would do first
    bool reinvigorates = true;
    bool keeps_tree = true;
    bool chooses_by_visits = true;  // without: the action with the best mean
};

// What an agent keeps from decision to decision. Copies share what was grown; a search never changes what it shared.
class Pomcp {
public:
    explicit Pomcp(const PomcpSettings& with) : settings(with) {}

    TreeResult search(const Observation& seen, u64 seed, Trace* trace = nullptr);

    // How many particles came down the tree to the last decision, before any were added.
    std::size_t num_carried() const { return carried_down; }

private:
    PomcpSettings settings;
    std::shared_ptr<const std::vector<Tree>> forest;
    Rules rules_before{};
    int observer = -1;
    std::vector<Event> events;
    std::size_t carried_down = 0;

    bool is_next(const Observation& seen) const;
    std::vector<Tree> follow(const Observation& seen) const;

    template <class S, class Asked>
    TreeResult run(const Asked& asked);
};

}  // namespace lastcard
