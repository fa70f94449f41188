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

#define LASTCARD_POMCP_OPTIONS(OPTION)                                                                              \
    OPTION(TreeSettings, tree, (TreeSettings{.simulations = 5'000, .exploration = 1.2}), NO_HELP)                   \
    OPTION(int, particles, 1000,                                                                                    \
           "K: the number of particles in the belief at the root, and the most that any node keeps.", 1, 100'000)   \
    OPTION(double, discount, 1.0, "The factor gamma by which the return shrinks with each of our decisions.", 0.0,  \
           1.0)                                                                                                     \
    OPTION(u32, rollout_depth, 0,                                                                                   \
           "Number of our decisions after which a rollout is cut off and counts as 0; 0: never.", 0, 10'000)        \
    OPTION(PolicyKind, opponents, PolicyKind::HEURISTIC,                                                            \
           "The policy model of the other seats: `heuristic` or `random`.")                                         \
    OPTION(u32, patience, 20, "Visits before a node is expanded; 1 is the published tree.", 1, 0x7FFFFFFF)          \
    OPTION(bool, heuristic_first, true,                                                                             \
           "Tries the choice of `heuristic` first among untried actions; if false, any of them.")                   \
    OPTION(bool, refill_particles, true,                                                                            \
           "Below an effective size of K / 2, adds hypotheses of the belief; if false, only when none is left.")    \
    OPTION(bool, keeps_tree, true,                                                                                  \
           "Keeps the subtree and the particles of the real history; if false, each decision starts from scratch.") \
    OPTION(FinalChoice, choice, FinalChoice::VISITS,                                                                \
           "Rule of the final choice: the most `visits`, or the best `value`.")
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
