#include "arena/ceiling.hpp"

#include "round/compiled_rules.hpp"
#include "search/halving_search.hpp"

namespace lastcard {

namespace {

template <class World>
void fill_hands(World& world, const Round& truth) {
    for (int seat = 0; seat < truth.rules.players; ++seat) world.hands[seat] = truth.state.hands[seat];
    world.shown = truth.state.shown;
    world.turn = truth.state.turn;
}

template <int SEATS>
struct SeenHands {
    using World = Hypothetical<SEATS>;
    World start{};

    explicit SeenHands(const Round& truth) {
        fill_hands(start, truth);
        start.pile = forget_order(truth.state.pile);
    }
    void fill(World& world, const Hypothesis&) const { world = start; }
    void shuffle_anew(World& world, const Rng& rng) const { world.pile.rng = rng; }
};

template <int SEATS>
struct SeenEverything {
    using World = State<OrderedPile, SEATS>;
    World start{};

    explicit SeenEverything(const Round& truth) {
        fill_hands(start, truth);
        start.pile = truth.state.pile;
    }
    void fill(World& world, const Hypothesis&) const { world = start; }
    void shuffle_anew(World&, const Rng&) const {}
};

}  // namespace

SearchResult search_truth(const Round& truth, Ceiling ceiling, const HalvingSettings& settings, u64 seed) {
    const Observation seen = observe(truth, truth.state.turn.seat);
    Belief certain;
    Hypothesis& only = certain.hypotheses.emplace_back();
    only.models.fill(HEURISTIC_MODEL);
    certain.effective_sample_size = 1.0;
    return with_compiled_rules(truth.rules, [&]<int SEATS>(const auto& rules, Seats<SEATS>) {
        const auto run = [&](const auto& worlds) {
            const WorldPlayer player(rules, seen, worlds, settings, seed);
            return HalvingSearch(seen, settings, seed, [&] { return player.begin(); }, Clock::now()).run(certain);
        };
        return ceiling == Ceiling::OMNISCIENT ? run(SeenEverything<SEATS>(truth)) : run(SeenHands<SEATS>(truth));
    });
}

}  // namespace lastcard
