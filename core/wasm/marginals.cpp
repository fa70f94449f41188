#include "wasm/marginals.hpp"

#include <algorithm>

#include "search/faces.hpp"
#include "tables.hpp"
#include "wasm/reports.hpp"

namespace lastcard {

namespace {

// As src/lastcard/belief.py states and explains them.
constexpr double COUNTING_IS_WORTH = 2.0, COUNTING_IS_WORTH_WITHOUT_MODELS = 16.0;
constexpr double DOUBT_OF_MODELS = 0.04, DOUBT_OF_DRAWS = 0.35;

// How likely it is that none of `fit` cards among `total` is in a hand of that size.
double chance_of_none(int total, int fit, int size) {
    double chance = 1.0;
    for (int i = 0; i < size && chance > 0; ++i)
        chance *= std::max(total - fit - i, 0) / static_cast<double>(total - i);
    return chance;
}

double share_of_hypotheses(const Belief& belief, int seat, u64 ids) {
    double sum = 0.0, total = 0.0;
    for (const Hypothesis& each : belief.hypotheses) {
        sum += (each.hands[seat].first & ids) != 0 ? each.weight : 0.0;
        total += each.weight;
    }
    return total > 0 ? sum / total : 0.0;
}

// Share of counting in the probabilities.
double doubt(const Observation& seen, const Belief& belief, int seat) {
    const double size = belief.effective_sample_size;
    if (belief.kind != BeliefKind::PARTICLE) return 1 - size / (size + COUNTING_IS_WORTH_WITHOUT_MODELS);
    const double of_draws = seen.rules.must_play ? 0.0 : DOUBT_OF_DRAWS * belief.models[seat][DRAWING_MODEL];
    return 1 - size / (size + COUNTING_IS_WORTH) * (1 - DOUBT_OF_MODELS - of_draws);
}

// How likely the seat is to hold one of the faces, if the open cards are shuffled among possible holders.
double chance_by_facts(const Observation& seen, const Belief& belief, int seat, int first, int last) {
    int total = 0, size = seen.hand_sizes[seat], fit = 0;
    for (int face = 0; face < NUM_FACES; ++face) {
        const int known = belief.known[seat][face];
        const bool is_meant = face >= first && face < last;
        if (is_meant && known > 0) return 1.0;
        size -= known;
        if (!belief.can_hold[seat][face]) continue;
        int free = belief.unseen[face];
        for (int other = 0; other < seen.rules.players; ++other) free -= belief.known[other][face];
        total += free;
        if (is_meant) fit += free;
    }
    return 1.0 - chance_of_none(total, fit, size);
}

// How likely the seat is to hold at least one card of these faces.
double chance_of_any(const Observation& seen, const Belief& belief, int seat, int first, int last) {
    if (belief.is_shuffle) {
        int total = 0, fit = 0;
        for (int face = 0; face < NUM_FACES; ++face) {
            total += belief.unseen[face];
            if (face >= first && face < last) fit += belief.unseen[face];
        }
        return 1.0 - chance_of_none(total, fit, seen.hand_sizes[seat]);
    }
    u64 ids = 0;
    for (int face = first; face < last; ++face) ids |= bits_of_face(face);
    const double held = share_of_hypotheses(belief, seat, ids);
    if (belief.is_exact) return held;
    const double share = doubt(seen, belief, seat);
    return (1 - share) * held + share * chance_by_facts(seen, belief, seat, first, last);
}

}  // namespace

Json describe_marginals(const Observation& seen, const Belief& belief) {
    Json::Object seats;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        Json::Object cards;
        for (int face = 0; face < NUM_FACES; ++face) {
            const double chance = chance_of_any(seen, belief, seat, face, face + 1);
            if (chance > 0) cards.emplace_back(tables::CARDS[face], round_to(chance, 4));
        }
        seats.emplace_back(std::to_string(seat), std::move(cards));
    }
    return seats;
}

double chance_of_color(const Observation& seen, const Belief& belief, int seat, int color) {
    return chance_of_any(seen, belief, seat, color * NUM_RANKS, (color + 1) * NUM_RANKS);
}

}  // namespace lastcard
