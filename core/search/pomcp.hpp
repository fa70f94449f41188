// `pomcp`: partially observable Monte Carlo planning.
//
// D. Silver, J. Veness, "Monte-Carlo Planning in Large POMDPs" (2010). The observer's decisions are the steps of a
// POMDP: the other seats, played by a policy model, are part of the generative model G, and an observation o is
// everything heard until the next choice. T(h) = {N(h), V(h), B(h)}: after the real action and observation the child
// T(hao) becomes the root, and its particles are the belief.
#pragma once

#include "search/forest.hpp"

namespace lastcard {

enum class FinalChoice : u8 { VISITS, VALUE };
constexpr std::array<const char*, 2> words_of(FinalChoice) { return {"visits", "value"}; }

#define LASTCARD_POMCP_OPTIONS(OPTION)                                                                \
    OPTION(TreeSettings, tree, {})                                                                    \
    OPTION(int, particles, 1000, 1, 100'000) /* K */                                                  \
    OPTION(double, discount, 1.0, 0.0, 1.0)  /* gamma, a decision of ours */                          \
    OPTION(u32, rollout_depth, 0, 0, 10'000) /* our decisions in a rollout; 0: to the end */          \
    OPTION(u32, patience, 20, 1, 0x7FFFFFFF) /* visits of a node before it tells its actions apart */ \
    OPTION(bool, heuristic_first, true)      /* tries what the heuristic would do first */            \
    OPTION(bool, refill_particles, true)                                                              \
    OPTION(bool, keeps_tree, true)                                                                    \
    OPTION(FinalChoice, choice, FinalChoice::VISITS) /* the most visits, or the best mean */
LASTCARD_OPTIONS(PomcpSettings, LASTCARD_POMCP_OPTIONS)

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
