// The ceilings: searches that look at cards a seat cannot know, to show how much could be won by knowing them.
//
// Matches include this, and the arena's bindings; no agent does.
#pragma once

#include "search/halving.hpp"

namespace lastcard {

enum class Ceiling : u8 {
    SEES_HANDS,  // the draw pile is a set in no order
    OMNISCIENT,  // every card in its place, now and after every reshuffle
};

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

// The decision of the seat to act, by `halving` on the truth; opponents play as `heuristic` in playouts.
inline SearchResult search_truth(const Round& truth, Ceiling ceiling, const HalvingSettings& settings, u64 seed) {
    const Observation seen = observe(truth, truth.state.turn.seat);
    Belief certain;
    Hypothesis& only = certain.hypotheses.emplace_back();
    only.models.fill(HEURISTIC_MODEL);
    certain.effective_sample_size = 1.0;
    return with_seats(truth.rules, [&]<int SEATS>(const auto& rules, std::integral_constant<int, SEATS>) {
        const auto run = [&](const auto& worlds) {
            return HalvingSearch(rules, seen, worlds, settings, seed).run(certain);
        };
        return ceiling == Ceiling::OMNISCIENT ? run(SeenEverything<SEATS>(truth)) : run(SeenHands<SEATS>(truth));
    });
}

}  // namespace lastcard
