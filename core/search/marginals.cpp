#include "search/marginals.hpp"

namespace lastcard {

namespace {

// A chain's marginals are mixed with counting. Few hypotheses are no certainty, and what is possible never gets
// probability 0: counting is worth so many hypotheses more. Opponents may decide as no model does; and where a draw may
// be on purpose, those who like to draw keep more cards than their model says. With these shares what is believed comes
// true, card by card, on `study` and `official` (benchmarks/strength/calibration.py).
constexpr double COUNTING_IS_WORTH = 2.0, COUNTING_IS_WORTH_WITHOUT_MODELS = 16.0;
constexpr double DOUBT_OF_MODELS = 0.04, DOUBT_OF_DRAWS = 0.35;

double ways_to_choose(int total, int count) {
    if (count < 0 || count > total) return 0.0;
    double ways = 1.0;
    for (int i = 1; i <= count; ++i) ways = ways * (total - count + i) / i;
    return ways;
}

// How likely `held` of `fit` cards among `total` are in a hand of that size.
double chance_of_held(int total, int fit, int size, int held) {
    return ways_to_choose(fit, held) * ways_to_choose(total - fit, size - held) / ways_to_choose(total, size);
}

// Share of counting in the probabilities.
double doubt_of(const Observation& seen, const Belief& belief, int seat) {
    const double size = belief.effective_sample_size;
    if (belief.kind != BeliefKind::PARTICLE) return 1 - size / (size + COUNTING_IS_WORTH_WITHOUT_MODELS);
    const double of_draws = seen.rules.must_play ? 0.0 : DOUBT_OF_DRAWS * belief.models[seat][DRAWING_MODEL];
    return 1 - size / (size + COUNTING_IS_WORTH) * (1 - DOUBT_OF_MODELS - of_draws);
}

std::vector<double> count_in_hypotheses(const Belief& belief, int seat, u64 ids, int most) {
    std::vector<double> odds(static_cast<std::size_t>(most) + 1);
    double total = 0.0;
    for (const Hypothesis& each : belief.hypotheses) {
        const int held = count_of(each.hands[seat], ids);
        if (held <= most) item(odds, held) += each.weight;
        total += each.weight;
    }
    for (double& value : odds) value /= total;
    return odds;
}

// If the open cards are shuffled among their possible holders.
std::vector<double> count_by_facts(const Observation& seen, const Belief& belief, int seat, u64 ids, int most) {
    int total = 0, size = seen.hand_sizes[seat], fit = 0, sure = 0;
    for (int face = 0; face < NUM_FACES; ++face) {
        const bool is_meant = (bits_of_face(face) & ids) != 0;
        size -= belief.known[seat][face];
        if (is_meant) sure += belief.known[seat][face];
        if (!belief.can_hold[seat][face]) continue;
        int free = belief.unseen[face];
        for (int other = 0; other < seen.rules.players; ++other) free -= belief.known[other][face];
        total += free;
        if (is_meant) fit += free;
    }
    std::vector<double> odds(static_cast<std::size_t>(most) + 1);
    for (int held = 0; held <= fit && held <= size; ++held)
        item(odds, sure + held) = chance_of_held(total, fit, size, held);
    return odds;
}

}  // namespace

std::vector<double> count_chances(const Observation& seen, const Belief& belief, int seat,
                                  const std::vector<int>& faces) {
    u64 ids = 0;
    int most = 0, total = 0;
    for (const int face : faces) {
        ids |= bits_of_face(face);
        most += belief.unseen[face];
    }
    if (belief.is_shuffle) {
        for (const u8 copies : belief.unseen) total += copies;
        std::vector<double> odds;
        for (int held = 0; held <= most; ++held)
            odds.push_back(chance_of_held(total, most, seen.hand_sizes[seat], held));
        return odds;
    }
    std::vector<double> odds = count_in_hypotheses(belief, seat, ids, most);
    if (belief.is_exact) return odds;
    const double doubt = doubt_of(seen, belief, seat);
    const std::vector<double> by_facts = count_by_facts(seen, belief, seat, ids, most);
    for (std::size_t held = 0; held < odds.size(); ++held)
        odds[held] = (1 - doubt) * odds[held] + doubt * by_facts[held];
    return odds;
}

double chance_of_any(const Observation& seen, const Belief& belief, int seat, const std::vector<int>& faces) {
    return 1.0 - count_chances(seen, belief, seat, faces).front();
}

ByFace<double> list_marginals(const Observation& seen, const Belief& belief, int seat) {
    ByFace<double> chances{};
    for (int face = 0; face < NUM_FACES; ++face) chances[face] = chance_of_any(seen, belief, seat, {face});
    return chances;
}

double chance_of_color(const Observation& seen, const Belief& belief, int seat, int color) {
    std::vector<int> faces;
    for (int rank = 0; rank < NUM_RANKS; ++rank) faces.push_back(color * NUM_RANKS + rank);
    return chance_of_any(seen, belief, seat, faces);
}

}  // namespace lastcard
