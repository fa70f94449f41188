// A Metropolis chain over ways in which the hidden cards can have come and gone.
//
// It exchanges faces between slots and the draw pile, and, within a seat, which of two slots a played card came from.
// The hypotheses are equally likely states of that chain, so there are no weights that could degenerate and no filter
// that could die; each opponent's model is part of the chain.
#pragma once

#include <algorithm>
#include <vector>

#include "round/stop.hpp"
#include "search/evidence.hpp"

namespace lastcard {

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
    HandChain(const Evidence& from, const BeliefSettings& with, const BySeat<Hand>& hands)
        : HandChain(from, with, u64{0}) {
        BySeat<std::vector<u8>> faces;
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

    // Looks for the likeliest way in which each seat's cards can have come: from a few starts, and more while all that
    // was found is excluded by the rules, exchanges within a seat as long as they gain. Returns how likely that is, by
    // seat.
    BySeat<double> climb(u8 model) {
        constexpr int STARTS = 3, MOST_STARTS = 16;
        models.fill(model);
        BySeat<double> best = sum_up(model);
        const auto is_excluded = [](double value) { return value < static_cast<double>(IMPOSSIBLE) / 2; };
        for (int start = 0; start < MOST_STARTS; ++start) {
            if (start >= STARTS && std::none_of(best.begin(), best.end(), is_excluded)) break;
            if (start > 0) mix_up();
            while (!is_stopped() && improve()) {
            }
            const BySeat<double> sums = sum_up(model);
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

    // Samples the opponent's model again, given its cards; returns the likelihood of each.
    ByModel<double> draw_model(int seat) {
        ByModel<double> odds{};
        double most = -1e300;
        for (std::size_t m = 0; m < NUM_MODELS; ++m) {
            models[seat] = static_cast<u8>(m);
            double sum = stable_log(std::max(settings.prior[m], 1e-300)) + evidence.settled[seat][m];
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
        models[seat] = point < odds[0] ? 0 : point < odds[0] + odds[1] ? 1 : 2;
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
    BySeat<u8> models{};
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
            std::swap(faces[i - 1], item(faces, scale_high(next_random(rng), static_cast<int>(i))));
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

    BySeat<double> sum_up(u8 model) const {
        BySeat<double> sums{};
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
            const std::size_t a = item(loose, scale_low(random, count));
            const std::size_t b = item(loose, scale_high(random, count));
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

    // One proposal: three times in four a hidden card and another one trade places, else two slots of a seat exchange
    // contents.
    void step() {
        const u64 random = next_random(rng);
        if ((random >> 32 & 3) == 0) return propose_exchange(random);
        const std::size_t a = item(held, scale_low(random, static_cast<int>(held.size())));
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
        const std::size_t a = item(loose, scale_low(random, count));
        const std::size_t b = item(loose, scale_high(random, count));
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

}  // namespace lastcard
