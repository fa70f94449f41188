#include "search/belief.hpp"

#include <algorithm>
#include <limits>

#include "round/fail.hpp"
#include "round/stop.hpp"
#include "search/exact.hpp"
#include "search/hand_chain.hpp"

namespace lastcard {

namespace {

constexpr int LARGEST_LISTED = 24;  // cards in the deck; more make more hands than the exact filter takes

// The number of independent draws that are worth as much as the chain's, from how slowly its log weight changes.
double independent_draws(const std::vector<float>& values) {
    const std::size_t count = values.size();
    if (count < 8) return static_cast<double>(count);
    double mean = 0.0;
    for (const float value : values) mean += static_cast<double>(value);
    mean /= static_cast<double>(count);
    const auto covariance = [&](std::size_t lag) {
        double sum = 0.0;
        for (std::size_t i = 0; i + lag < count; ++i) {
            sum += (static_cast<double>(values[i]) - mean) * (static_cast<double>(values[i + lag]) - mean);
        }
        return sum / static_cast<double>(count);
    };
    const double variance = covariance(0);
    if (variance <= 1e-12) return static_cast<double>(count);
    double time = 1.0;
    for (std::size_t lag = 1; lag < count / 4 && !is_stopped(); ++lag) {
        const double correlation = covariance(lag) / variance;
        if (correlation < 0.05) break;
        time += 2.0 * correlation;
    }
    return static_cast<double>(count) / time;
}

void believe_exactly(Belief& belief, const ExactFilter& filter, const Observation& seen) {
    belief.is_exact = true;
    double squares = 0.0;
    ByModel<double> models{};
    for (const Joint& joint : filter.joints) {
        Hypothesis hypothesis;
        hypothesis.hands = joint.hands;
        hypothesis.hands[seen.observer] = Hand{0, 0};
        hypothesis.weight = joint.weights[0] + joint.weights[1] + joint.weights[2];
        u8 likeliest = 0;
        for (u8 m = 0; m < NUM_MODELS; ++m) {
            models[m] += joint.weights[m];
            if (joint.weights[m] > joint.weights[likeliest]) likeliest = m;
        }
        hypothesis.models.fill(likeliest);
        squares += hypothesis.weight * hypothesis.weight;
        belief.hypotheses.push_back(hypothesis);
    }
    if (belief.kind == BeliefKind::PARTICLE) belief.models.fill(models);
    belief.effective_sample_size = 1.0 / squares;
}

void believe_by_chain(Belief& belief, const Evidence& evidence, const BeliefSettings& settings, const Observation& seen,
                      u64 seed) {
    const int players = seen.rules.players;
    HandChain chain(evidence, settings, seed);
    const bool learns = settings.kind == BeliefKind::PARTICLE;
    const auto draw_models = [&](bool counts) {
        for (int seat = 0; seat < players; ++seat) {
            if (seat == seen.observer) continue;
            const auto odds = chain.draw_model(seat);
            for (std::size_t m = 0; counts && m < NUM_MODELS; ++m) belief.models[seat][m] += odds[m];
        }
        chain.weigh_all();
    };
    const auto count = static_cast<std::size_t>(settings.hypotheses);
    constexpr int BURN_IN = 64, MODEL_EVERY = 8;
    for (int i = 0; chain.has_choice() && i < BURN_IN; ++i) {
        chain.sweep();
        if (learns && i % MODEL_EVERY == MODEL_EVERY - 1) draw_models(false);
    }
    // A story that the rules exclude is no start: the chain goes on until it has left them all. In a long round, whose
    // beginning is not told, there may be no other.
    const int most_extra = is_whole(seen) ? 2000 : 200;
    chain.weigh_all();
    for (int i = 0; chain.has_choice() && i < most_extra && chain.log_weight() < IMPOSSIBLE / 2 && !is_stopped(); ++i) {
        chain.sweep();
        if (i % BURN_IN == BURN_IN - 1) chain.weigh_all();
    }
    std::vector<float> log_weights;
    log_weights.reserve(count);
    belief.hypotheses.reserve(count);
    double drawn = 0.0;
    for (std::size_t i = 0; i < count && !(i > 0 && is_stopped()); ++i) {
        if (chain.has_choice()) chain.sweep();
        if (learns && i % MODEL_EVERY == 0) {
            draw_models(true);
            drawn += 1.0;
        }
        belief.hypotheses.push_back(chain.state());
        log_weights.push_back(chain.log_weight());
    }
    for (auto& odds : belief.models) {
        for (double& value : odds) value /= drawn > 0.0 ? drawn : 1.0;
    }
    belief.effective_sample_size = independent_draws(log_weights);
}

// Shuffles the unseen cards out to the hands.
void believe_by_shuffle(Belief& belief, const BeliefSettings& settings, const Observation& seen, u64 seed) {
    belief.is_shuffle = true;
    const bool learns = settings.kind == BeliefKind::PARTICLE;
    const auto& prior = settings.prior;
    std::vector<u8> faces;
    for (std::size_t face = 0; face < NUM_FACES; ++face)
        faces.insert(faces.end(), belief.unseen[face], static_cast<u8>(face));
    Rng rng = split_rng(seed ^ 0xBE11EF5107ull, 0);
    for (int i = 0; i < settings.hypotheses && !(i > 0 && is_stopped()); ++i) {
        Hypothesis hypothesis;
        std::size_t used = 0;
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (seat == seen.observer) continue;
            for (int k = 0; k < seen.hand_sizes[seat]; ++k, ++used) {
                const int left = static_cast<int>(faces.size() - used);
                std::swap(faces[used], faces[used + static_cast<std::size_t>(scale_high(next_random(rng), left))]);
                add_face(hypothesis.hands[seat], faces[used]);
            }
        }
        const double point = static_cast<double>(next_random(rng) >> 11) * 0x1p-53;
        if (learns) hypothesis.models.fill(point < prior[0] ? 0 : point < prior[0] + prior[1] ? 1 : 2);
        belief.hypotheses.push_back(hypothesis);
    }
    if (learns) belief.models.fill(prior);
    belief.effective_sample_size = settings.hypotheses;
}

}  // namespace

double log_ways(const FaceCounts& unseen, const BySeat<Hand>& hands) {
    double sum = 0.0;
    for (int face = 0; face < NUM_FACES; ++face) {
        int left = unseen[face];
        for (const Hand& hand : hands) {
            for (int k = count_face(hand, face); k > 0; --k, --left) {
                if (left <= 0) return -std::numeric_limits<double>::infinity();
                sum += stable_log(static_cast<double>(left)) - stable_log(static_cast<double>(k));
            }
        }
    }
    return sum;
}

double log_weight(const Observation& seen, const BeliefSettings& settings, const BySeat<Hand>& hands) {
    constexpr double NEVER = -std::numeric_limits<double>::infinity();
    const Evidence evidence(seen, settings);
    const double ways = log_ways(evidence.unseen, hands);
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        if (num_cards(hands[seat]) != seen.hand_sizes[seat]) return NEVER;
        bool can = true;
        for_each_face(hands[seat], [&](int face) { can = can && evidence.can_hold[seat][face]; });
        if (!can) return NEVER;
    }
    if (ways == NEVER) return NEVER;
    if (seen.rules.deck_size <= LARGEST_LISTED) {
        const ExactFilter filter(seen, settings);
        if (filter) return filter.log_weight(hands);
    }
    if (settings.kind != BeliefKind::PARTICLE) {
        double sum = ways;
        for (const double value : HandChain(evidence, settings, hands).climb(0)) sum += value;
        return sum;
    }
    ByModel<BySeat<double>> by_model;
    for (u8 m = 0; m < NUM_MODELS; ++m) by_model[m] = HandChain(evidence, settings, hands).climb(m);
    double sum = ways;
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
        double most = by_model[0][seat];
        for (std::size_t m = 1; m < NUM_MODELS; ++m) most = std::max(most, by_model[m][seat]);
        double mixed = 0.0;
        for (std::size_t m = 0; m < NUM_MODELS; ++m) mixed += settings.prior[m] * stable_exp(by_model[m][seat] - most);
        sum += most + stable_log(mixed);
    }
    return sum;
}

Belief believe(const Observation& seen, const BeliefSettings& settings, u64 seed) {
    Belief belief;
    belief.kind = settings.kind;
    const Evidence evidence(seen, settings);
    belief.unseen = evidence.unseen;
    int hidden = 0, held = 0;
    for (const u8 count : belief.unseen) hidden += count;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat != seen.observer) held += seen.hand_sizes[seat];
    }
    require(hidden <= seen.rules.deck_size && held <= hidden, "more cards than the deck has");
    belief.can_hold = evidence.can_hold;
    for (const Slot& slot : evidence.slots) {
        if (slot.is_held && slot.face != NO_CARD) belief.known[slot.seat][slot.face] += 1;
    }
    if (settings.kind != BeliefKind::UNIFORM && seen.rules.deck_size <= LARGEST_LISTED) {
        const ExactFilter filter(seen, settings);
        if (filter) {
            believe_exactly(belief, filter, seen);
            return belief;
        }
    }
    if (!evidence.has_any) {
        believe_by_shuffle(belief, settings, seen, seed);
        return belief;
    }
    believe_by_chain(belief, evidence, settings, seen, seed);
    return belief;
}

}  // namespace lastcard
