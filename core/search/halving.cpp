#include "search/halving.hpp"

#include <utility>

#include "round/compiled_rules.hpp"
#include "search/halving_search.hpp"

namespace lastcard {

namespace {

// Where simulations start: a hypothesis made into a state, its draw pile shuffled again each time.
template <int SEATS>
struct BelievedWorlds {
    using World = Hypothetical<SEATS>;
    Determinizer determinizer;

    void fill(World& world, const Hypothesis& hypothesis) const { determinizer.fill(world, hypothesis); }
    void shuffle_anew(World& world, const Rng& rng) const { world.pile.rng = rng; }
};

// Calls `use` with the search that fits, and what it believes.
template <class Use>
auto with_halving_search(const Observation& seen, const HalvingSettings& settings, u64 seed, const Use& use) {
    return with_compiled_rules(seen.rules, [&]<int SEATS>(const auto& rules, Seats<SEATS>) {
        const auto begun = Clock::now();
        const BelievedWorlds<SEATS> worlds{Determinizer(seen)};
        Belief belief = believe(seen, settings.belief, seed);
        const WorldPlayer player(rules, seen, worlds, settings, seed);
        return use(HalvingSearch(seen, settings, seed, [&] { return player.begin(); }, begun), std::move(belief));
    });
}

}  // namespace

SearchResult search_by_halving(const Observation& seen, const HalvingSettings& settings, u64 seed) {
    return with_halving_search(seen, settings, seed,
                               [](HalvingSearch search, Belief belief) { return search.run(std::move(belief)); });
}

std::vector<TracedSimulation> trace_halving(const Observation& seen, const HalvingSettings& settings, u64 seed,
                                            int count) {
    return with_halving_search(seen, settings, seed, [count](HalvingSearch search, Belief belief) {
        return search.trace(std::move(belief), count);
    });
}

}  // namespace lastcard
