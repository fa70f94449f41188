// What a seat can believe of the hidden cards: hypotheses, each a full assignment of hands, drawn from the posterior.
//
// Where all hands can be listed the posterior is exact (exact.hpp). Where nothing but counts is known it is a shuffle. Otherwise a
// Metropolis chain walks over ways in which the cards can have come and gone: it exchanges faces between slots and the draw
// pile, and, within a seat, which of two slots a played card came from. The hypotheses are equally likely states of that
// chain, so there are no weights that could degenerate and no filter that could die; each opponent's model is part of the chain.
#pragma once

#include <limits>
#include <stdexcept>

#include "round/stop.hpp"
#include "search/evidence.hpp"
#include "search/exact.hpp"

namespace lastcard {

constexpr int LARGEST_LISTED = 24;  // cards in the deck; more make more hands than the exact filter takes

struct Hypothesis {
    std::array<Hand, MAX_SEATS> hands{};  // of the opponents; Wilds are numbered from the lowest id in each
    std::array<u8, MAX_SEATS> models{};
    double weight = 1.0;
};

struct Belief {
    BeliefKind kind = BeliefKind::UNIFORM;
    bool is_exact = false;    // all hypotheses there are, with their probabilities
    bool is_shuffle = false;  // nothing but counts is known: marginals have a closed form
    FaceCounts unseen{};
    std::vector<Hypothesis> hypotheses;
    std::array<std::array<double, NUM_MODELS>, MAX_SEATS> models{};  // how likely each model of an opponent is
    std::array<FaceCounts, MAX_SEATS> known{};                       // what is certain to be in each hand
    FaceSets can_hold{};                                             // what the rules do not exclude
    double effective_sample_size = 0.0;
};

// -ln of equidistant numbers in (0, 1): exponential variates by look-up.
struct ExponentialTable {
    std::array<float, 4096> values;
    ExponentialTable() {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] =
                static_cast<float>(-stable_log((static_cast<double>(i) + 0.5) / static_cast<double>(values.size())));
        }
    }
};

inline const ExponentialTable EXPONENTIALS;

class HandChain {
public:
    HandChain(const Evidence& from, const BeliefSettings& with, u64 seed)
        : evidence(from), settings(with), slots(from.slots), rng(split_rng(seed ^ 0xBE11EF5107ull, 0)) {
        pile = shuffled_pile();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            Slot& slot = slots[i];
            const bool is_hidden = slot.is_held && slot.face == NO_CARD;
            if (is_hidden) {
                slot.face = pile.back();
                pile.pop_back();
            }
            if (is_hidden) held.push_back(static_cast<u16>(i));
            if (is_hidden || !slot.is_held) loose.push_back(static_cast<u16>(i));
        }
        for (const Slot& slot : slots) rows.push_back(row_of(slot));
    }

    // The same with hands that are given, for `climb`; the slots must have room for just these.
    HandChain(const Evidence& from, const BeliefSettings& with, const std::array<Hand, MAX_SEATS>& hands)
        : HandChain(from, with, u64{0}) {
        std::array<std::vector<u8>, MAX_SEATS> faces;
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
            for_each_face(hands[seat], [&](int face) { faces[seat].push_back(static_cast<u8>(face)); });
        }
        for (const Slot& slot : evidence.slots) {
            auto& left = faces[slot.seat];
            const auto place = std::find(left.begin(), left.end(), slot.face);
            if (slot.is_held && place != left.end()) left.erase(place);
        }
        for (std::size_t i = 0; i < slots.size(); ++i) {
            auto& left = faces[slots[i].seat];
            if (!slots[i].is_held || evidence.slots[i].face != NO_CARD || left.empty()) continue;
            slots[i].face = left.back();
            left.pop_back();
        }
    }

    // Looks for the likeliest way in which each seat's cards can have come: from a few starts, and more while all that was found is
    // excluded by the rules, exchanges within a seat as long as they gain. Returns how likely that is, by seat.
    std::array<double, MAX_SEATS> climb(u8 model) {
        constexpr int STARTS = 3, MOST_STARTS = 16;
        models.fill(model);
        std::array<double, MAX_SEATS> best = sum_up(model);
        const auto is_excluded = [](double value) { return value < static_cast<double>(IMPOSSIBLE) / 2; };
        for (int start = 0; start < MOST_STARTS; ++start) {
            if (start >= STARTS && std::none_of(best.begin(), best.end(), is_excluded)) break;
            if (start > 0) mix_up();
            while (!is_stopped() && improve()) {
            }
            const std::array<double, MAX_SEATS> sums = sum_up(model);
            for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) best[seat] = std::max(best[seat], sums[seat]);
        }
        return best;
    }

    bool has_choice() const { return !held.empty() && held.size() + pile.size() > 1; }

    void sweep() {
        for (int i = 4 + static_cast<int>(loose.size()) / 2; i > 0; --i) step();
    }

    // Sums up how likely the story is as it stands; exchanges keep the sum up.
    void weigh_all() {
        weight = 0.0f;
        for (const u16 i : loose) weight += weigh(i, slots[i]);
    }

    // Draws the opponent's model anew, given its cards; returns how likely each was.
    std::array<double, NUM_MODELS> draw_model(int seat) {
        const auto at = static_cast<std::size_t>(seat);
        std::array<double, NUM_MODELS> odds{};
        double most = -1e300;
        for (std::size_t m = 0; m < NUM_MODELS; ++m) {
            models[at] = static_cast<u8>(m);
            double sum = stable_log(std::max(settings.prior[m], 1e-300)) + evidence.settled[at][m];
            for (std::size_t i = 0; i < slots.size(); ++i) {
                if (slots[i].seat == seat) sum += static_cast<double>(weigh(i, slots[i]));
            }
            odds[m] = sum;
            most = std::max(most, sum);
        }
        double total = 0.0;
        for (double& value : odds) total += value = stable_exp(value - most);
        for (double& value : odds) value /= total;
        const double point = static_cast<double>(next_random(rng) >> 11) * 0x1p-53;
        models[at] = point < odds[0] ? 0 : point < odds[0] + odds[1] ? 1 : 2;
        return odds;
    }

    float log_weight() const { return weight; }

    Hypothesis state() const {
        Hypothesis now;
        now.models = models;
        for (const Slot& slot : slots) {
            if (slot.is_held) add_face(now.hands[slot.seat], slot.face);
        }
        return now;
    }

private:
    const Evidence& evidence;
    const BeliefSettings& settings;
    std::vector<Slot> slots;
    std::vector<Factors> rows;  // what is known of each slot if its card is still held: looked up most of the time
    std::vector<u16> loose;     // slots whose contents are open to doubt
    std::vector<u16> held;      // those of them that still hold a card
    std::vector<u8> pile;
    std::array<u8, MAX_SEATS> models{};
    float weight = 0.0f;
    Rng rng;

    // The unseen cards that are not known to be in a hand, in any order.
    std::vector<u8> shuffled_pile() {
        FaceCounts left = evidence.unseen;
        for (const Slot& slot : slots) {
            if (slot.is_held && slot.face != NO_CARD) left[slot.face] -= 1;
        }
        std::vector<u8> faces;
        for (std::size_t face = 0; face < NUM_FACES; ++face)
            faces.insert(faces.end(), left[face], static_cast<u8>(face));
        for (std::size_t i = faces.size(); i > 1; --i) {
            std::swap(faces[i - 1], faces[static_cast<std::size_t>(scale_high(next_random(rng), static_cast<int>(i)))]);
        }
        return faces;
    }

    Factors row_of(const Slot& slot) const {
        Factors row{};
        const u32 now = static_cast<u32>(evidence.said[slot.seat].size() - 1);
        for (int model = 0; model < NUM_MODELS; ++model) {
            for (int face = 0; face < NUM_FACES; ++face) row.of[model][face] = evidence.weigh(slot, model, face, now);
        }
        return row;
    }

    // What is known of slot `i` if it held `content`'s face and went when that did.
    float weigh(std::size_t i, const Slot& content) const {
        const int model = models[slots[i].seat];
        return content.is_held ? rows[i].of[model][content.face]
                               : evidence.weigh(slots[i], model, content.face, content.until);
    }

    std::array<double, MAX_SEATS> sum_up(u8 model) const {
        std::array<double, MAX_SEATS> sums{};
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sums[seat] = evidence.settled[seat][model];
        for (std::size_t i = 0; i < slots.size(); ++i) sums[slots[i].seat] += static_cast<double>(weigh(i, slots[i]));
        return sums;
    }

    bool is_open(std::size_t a, std::size_t b) const {
        return a != b && slots[a].seat == slots[b].seat && can_exchange(slots[a], slots[b]);
    }

    bool improve() {
        bool improves = false;
        for (const u16 a : loose) {
            for (const u16 b : loose) {
                if (b <= a || !is_open(a, b) || gain_of(a, b) < 1e-3f) continue;
                exchange(slots[a], slots[b]);
                improves = true;
            }
        }
        return improves;
    }

    void mix_up() {
        const auto count = static_cast<int>(loose.size());
        for (int i = 8 * count; i > 0; --i) {
            const u64 random = next_random(rng);
            const std::size_t a = loose[static_cast<std::size_t>(scale_low(random, count))];
            const std::size_t b = loose[static_cast<std::size_t>(scale_high(random, count))];
            if (is_open(a, b)) exchange(slots[a], slots[b]);
        }
    }

    // What the story gains if two slots exchange their contents.
    float gain_of(std::size_t a, std::size_t b) const {
        return weigh(a, slots[b]) + weigh(b, slots[a]) - weigh(a, slots[a]) - weigh(b, slots[b]);
    }

    bool accepts(float gain) {
        if (gain < 0.0f && -gain >= EXPONENTIALS.values[next_random(rng) >> 52]) return false;
        weight += gain;
        return true;
    }

    // One proposal: three times in four a hidden card and another one trade places, else two slots of a seat exchange contents.
    void step() {
        const u64 random = next_random(rng);
        if ((random >> 32 & 3) == 0) return propose_exchange(random);
        const std::size_t a = held[static_cast<std::size_t>(scale_low(random, static_cast<int>(held.size())))];
        const auto other = static_cast<std::size_t>(scale_high(random, static_cast<int>(held.size() + pile.size())));
        Slot& slot = slots[a];
        const float* row = rows[a].of[models[slot.seat]];
        if (other < pile.size()) {
            u8& card = pile[other];
            if (slot.face != card && accepts(row[card] - row[slot.face])) std::swap(slot.face, card);
            return;
        }
        const std::size_t b = held[other - pile.size()];
        if (slot.face != slots[b].face && accepts(gain_of(a, b))) std::swap(slot.face, slots[b].face);
    }

    void propose_exchange(u64 random) {
        const auto count = static_cast<int>(loose.size());
        const std::size_t a = loose[static_cast<std::size_t>(scale_low(random, count))];
        const std::size_t b = loose[static_cast<std::size_t>(scale_high(random, count))];
        if (!is_open(a, b) || !accepts(gain_of(a, b))) return;
        if (slots[a].is_held != slots[b].is_held) {
            std::replace(held.begin(), held.end(), static_cast<u16>(slots[a].is_held ? a : b),
                         static_cast<u16>(slots[a].is_held ? b : a));
        }
        exchange(slots[a], slots[b]);
    }

    // The card that went from one slot can have gone from the other: each was there when it did.
    static bool can_exchange(const Slot& a, const Slot& b) { return a.since <= b.until && b.since <= a.until; }

    static void exchange(Slot& a, Slot& b) {
        std::swap(a.face, b.face);
        std::swap(a.until, b.until);
        std::swap(a.is_held, b.is_held);
    }
};

// The number of independent draws that are worth as much as the chain's, from how slowly its log weight changes.
inline double effective_size(const std::vector<float>& values) {
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

inline void believe_exactly(Belief& belief, const ExactFilter& filter, const Observation& seen) {
    belief.is_exact = true;
    double squares = 0.0;
    std::array<double, NUM_MODELS> models{};
    for (const Joint& joint : filter.joints) {
        Hypothesis hypothesis;
        hypothesis.hands = joint.hands;
        hypothesis.hands[static_cast<std::size_t>(seen.observer)] = Hand{0, 0};
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

inline void believe_by_chain(Belief& belief, const Evidence& evidence, const BeliefSettings& settings,
                             const Observation& seen, u64 seed) {
    const int players = seen.rules.players;
    HandChain chain(evidence, settings, seed);
    const bool learns = settings.kind == BeliefKind::PARTICLE;
    const auto draw_models = [&](bool counts) {
        for (int seat = 0; seat < players; ++seat) {
            if (seat == seen.observer) continue;
            const auto odds = chain.draw_model(seat);
            for (std::size_t m = 0; counts && m < NUM_MODELS; ++m)
                belief.models[static_cast<std::size_t>(seat)][m] += odds[m];
        }
        chain.weigh_all();
    };
    const auto count = static_cast<std::size_t>(settings.hypotheses);
    constexpr int BURN_IN = 64, MODEL_EVERY = 8;
    for (int i = 0; chain.has_choice() && i < BURN_IN; ++i) {
        chain.sweep();
        if (learns && i % MODEL_EVERY == MODEL_EVERY - 1) draw_models(false);
    }
    // A story that the rules exclude is no start: the chain goes on until it has left them all. In a long round, whose beginning
    // is not told, there may be no other.
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
    belief.effective_sample_size = effective_size(log_weights);
}

// Shuffles the unseen cards out to the hands.
inline void believe_by_shuffle(Belief& belief, const BeliefSettings& settings, const Observation& seen, u64 seed) {
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
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(seen.rules.players); ++seat) {
            if (static_cast<int>(seat) == seen.observer) continue;
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

// How many ways there are to deal these hands from the unseen cards, as a logarithm; -infinity if there is none.
inline double log_ways(const FaceCounts& unseen, const std::array<Hand, MAX_SEATS>& hands) {
    double sum = 0.0;
    for (int face = 0; face < NUM_FACES; ++face) {
        int left = unseen[static_cast<std::size_t>(face)];
        for (const Hand& hand : hands) {
            for (int k = count_face(hand, face); k > 0; --k, --left) {
                if (left <= 0) return -std::numeric_limits<double>::infinity();
                sum += stable_log(static_cast<double>(left)) - stable_log(static_cast<double>(k));
            }
        }
    }
    return sum;
}

// How likely the hands are, as a logarithm, up to a constant that is the same for all hands; which card came when is taken to be
// as likely as it can be. -infinity where counting or the rules exclude them.
inline double log_weight(const Observation& seen, const BeliefSettings& settings,
                         const std::array<Hand, MAX_SEATS>& hands) {
    constexpr double NEVER = -std::numeric_limits<double>::infinity();
    const Evidence evidence(seen, settings);
    const double ways = log_ways(evidence.unseen, hands);
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        const auto index = static_cast<std::size_t>(seat);
        if (seat == seen.observer) continue;
        if (num_cards(hands[index]) != seen.hand_sizes[index]) return NEVER;
        bool can = true;
        for_each_face(hands[index],
                      [&](int face) { can = can && evidence.can_hold[index][static_cast<std::size_t>(face)]; });
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
    std::array<std::array<double, MAX_SEATS>, NUM_MODELS> by_model;
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

inline Belief believe(const Observation& seen, const BeliefSettings& settings, u64 seed) {
    Belief belief;
    belief.kind = settings.kind;
    const Evidence evidence(seen, settings);
    belief.unseen = evidence.unseen;
    int hidden = 0, held = 0;
    for (const u8 count : belief.unseen) hidden += count;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat != seen.observer) held += seen.hand_sizes[static_cast<std::size_t>(seat)];
    }
    if (hidden > seen.rules.deck_size || held > hidden) throw std::invalid_argument("more cards than the deck has");
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
