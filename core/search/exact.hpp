// The exact posterior over hidden hands, where there are few enough of them to list.
//
// A filter over joint hands: the draw pile is whatever lies nowhere else, so a hypothesis is the opponents' hands and
// nothing more. Draws spread its weight by what the pile would hold, the observer's own draws weigh it by how likely
// they were, plays and what the rules force cut it down.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "round/stop.hpp"
#include "search/opponents.hpp"

namespace lastcard {

struct Joint {
    BySeat<Hand> hands{};
    ByModel<double> weights{};  // under each model of the one opponent; the first alone where there are several
};

class ExactFilter {
public:
    static constexpr std::size_t MOST = 4096;

    std::vector<Joint> joints;

    ExactFilter(const Observation& observation, const BeliefSettings& with)
        : seen(observation), settings(with), models(with), num_models(1) {
        if (with.kind == BeliefKind::PARTICLE) num_models = NUM_MODELS;
        is_possible = (seen.rules.players == 2 || num_models == 1) && is_whole(seen);
        unseen = count_deck(seen.rules);
        Recall story(seen, *this);
        if (is_possible) story.run();
        if (is_possible) begin();
        is_possible = is_possible && !joints.empty() && accounts_for_all();
    }

    explicit operator bool() const { return is_possible; }

    // The logarithm of the hands' probability; -infinity where they cannot be.
    double log_weight(const BySeat<Hand>& hands) const {
        for (const Joint& joint : joints) {
            bool same = true;
            for (int seat = 0; seat < seen.rules.players; ++seat) {
                same = same && (seat == seen.observer || is_same(joint.hands[seat], hands[seat]));
            }
            if (same) return stable_log(total(joint));
        }
        return -std::numeric_limits<double>::infinity();
    }

    // --- what `Recall` tells

    void dealt(int seat, int count) { dealt_sizes[seat] = count; }

    void own_card(int card) {
        const int face = face_of(card);
        if (has_begun) {
            for (Joint& joint : joints) scale(joint, pile_count(joint, face));
            for (Joint& joint : joints) add_face(joint.hands[seen.observer], face);
        } else {
            add_face(own, face);
        }
        see(face);
        prune();
    }

    void own_hand(const Hand& hand) {
        keep_if([&](const Joint& joint) { return is_same(joint.hands[seen.observer], hand); });
        recount();
    }

    void turned_up(int card) {
        if (has_top) unseen[top] += 1;  // Rule 2.2: the Wild Draw Four before it went back
        top = face_of(card);
        has_top = true;
        see(top);
    }

    void reshuffled(const Scene& scene) {
        if (scene.player == NO_SEAT && top == FOUR_FACE) {
            has_put_back = true;
            return;
        }
        begin();
        for (std::size_t face = 0; face < NUM_FACES; ++face)
            unseen[face] = static_cast<u8>(unseen[face] + discarded[face]);
        discarded = {};
    }

    void deed(const Scene& scene, const Deed& deed) {
        begin();
        const bool plays = is_play(deed);
        const int face = face_of(deed.play);
        if (deed.kind == Deed::Kind::PLAYED_DRAWN && deed.seat != seen.observer) {
            joints = before_draw;  // Rule 3.3: it was the card just drawn, and the hand is as it was
            for (Joint& joint : joints) scale(joint, pile_count(joint, face));
            prune();
        } else if (plays) {
            keep_if([&](const Joint& joint) { return count_face(joint.hands[deed.seat], face) > 0; });
            for (Joint& joint : joints) remove_face(joint.hands[deed.seat], face);
        }
        if (plays) {
            discarded[top] += 1;
            top = face;
            size_after_play = scene.sizes[deed.seat] - 1;
        }
        if (deed.seat != seen.observer) {
            Factors factors;
            if (deed.kind == Deed::Kind::KEPT) {
                if (models.weigh_kept(scene, deed.seat, factors)) spread_again(deed.seat, factors);
            } else if (models.weigh(scene, deed, factors)) {
                weigh(deed.seat, factors);
            }
            if (plays) see(face);
        }
        merge();
    }

    void drew(const Scene& scene, int seat, int count, bool in_turn, bool) {
        begin();
        if (in_turn && scene.rules.draw_until_playable) is_possible = false;
        if (seat == seen.observer) return;
        if (in_turn) before_draw = joints;
        for (int i = 0; is_possible && i < count; ++i) spread(seat);
    }

    void verdict(int seat, int color, bool guilty) {
        if (settings.kind == BeliefKind::UNIFORM || has_drawn_since_play(seat)) return;
        keep_if([&](const Joint& joint) { return has_color(joint.hands[seat], color) == guilty; });
    }

    // A call says that something can be played (Rule 7.1), which no factor says of single cards.
    void called(int seat) { is_possible = is_possible && seat == seen.observer; }

    void shown(int seat, const Hand& hand) {
        if (settings.kind == BeliefKind::UNIFORM || has_drawn_since_play(seat)) return;
        keep_if([&](const Joint& joint) { return is_same(joint.hands[seat], hand); });
    }

    void swapped(int seat, int other) {
        for (Joint& joint : joints) std::swap(joint.hands[seat], joint.hands[other]);
        if (seat != seen.observer && other != seen.observer) merge();
    }

    void passed(int direction) {
        const int players = seen.rules.players;
        for (Joint& joint : joints) {
            const auto hands = joint.hands;
            for (int seat = 0; seat < players; ++seat) {
                joint.hands[(seat + direction + players) % players] = hands[seat];
            }
        }
    }

private:
    const Observation& seen;
    const BeliefSettings& settings;
    OpponentModels models;
    int num_models;
    BySeat<int> dealt_sizes{};
    FaceCounts unseen{};  // in no place that the observer can see
    FaceCounts discarded{};
    std::vector<Joint> before_draw;  // before the last draw in turn
    Hand own{0, 0};
    int top = 0;
    int size_after_play = 0;
    bool has_top = false;
    bool has_put_back = false;  // a Wild Draw Four that was turned up first (Rule 2.2)
    bool has_begun = false;
    bool is_possible = true;

    void see(int face) { unseen[face] -= 1; }

    // Rule 6.4 judges the hand as it was when the card was played. Cards drawn since (Rule 7.3) are mixed up with it
    // here.
    bool has_drawn_since_play(int seat) {
        const bool has = !joints.empty() && num_cards(joints.front().hands[seat]) != size_after_play;
        is_possible = is_possible && !has;
        return has;
    }

    static bool is_same(const Hand& a, const Hand& b) { return a.first == b.first && a.second == b.second; }

    // What the observer sees of hands has changed as a whole: count again from the first hypothesis.
    void recount() {
        unseen = count_deck(seen.rules);
        see(top);
        for (std::size_t face = 0; face < NUM_FACES; ++face)
            unseen[face] = static_cast<u8>(unseen[face] - discarded[face]);
        if (!joints.empty()) for_each_face(joints.front().hands[seen.observer], [&](int face) { see(face); });
        merge();
    }

    int pile_count(const Joint& joint, int face) const {
        int count = unseen[face];
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (seat != seen.observer) count -= count_face(joint.hands[seat], face);
        }
        return count;
    }

    static void scale(Joint& joint, double by) {
        for (double& weight : joint.weights) weight *= by;
    }

    static double total(const Joint& joint) { return joint.weights[0] + joint.weights[1] + joint.weights[2]; }

    template <class Condition>
    void keep_if(Condition condition) {
        std::erase_if(joints, [&](const Joint& joint) { return !condition(joint); });
    }

    void prune() {
        keep_if([](const Joint& joint) { return total(joint) > 0.0; });
        if (has_begun && joints.empty()) is_possible = false;
    }

    void weigh(int seat, const Factors& factors) {
        for (Joint& joint : joints) {
            for (int model = 0; model < num_models; ++model) {
                float sum = 0.0f;
                for_each_face(joint.hands[seat], [&](int face) { sum += factors.of[model][face]; });
                double& weight = joint.weights[model];
                weight = sum < IMPOSSIBLE / 2 ? 0.0 : weight * stable_exp(static_cast<double>(sum));
            }
        }
        prune();
    }

    // All hands that can have been dealt, one seat after the other, with the number of ways.
    void begin() {
        if (has_begun || !is_possible) return;
        has_begun = true;
        Joint first;
        first.hands[seen.observer] = own;
        for (int model = 0; model < num_models; ++model) {
            first.weights[model] = num_models == 1 ? 1.0 : settings.prior[model];
        }
        joints.assign(1, first);
        const u8 put_back = has_put_back ? 1 : 0;  // was turned up, so it was not dealt
        unseen[FOUR_FACE] = static_cast<u8>(unseen[FOUR_FACE] - put_back);
        for (int seat = 0; seat < seen.rules.players && is_possible; ++seat) {
            for (int i = 0; seat != seen.observer && i < dealt_sizes[seat] && is_possible; ++i) spread(seat);
        }
        unseen[FOUR_FACE] = static_cast<u8>(unseen[FOUR_FACE] + put_back);
    }

    // The seat gets a card of the pile, any of them alike, or weighted by what keeping it says.
    void spread(int seat, const Factors* kept = nullptr) {
        std::vector<Joint> next;
        for (const Joint& joint : joints) {
            for (int face = 0; face < NUM_FACES; ++face) {
                const int count = pile_count(joint, face);
                if (count <= 0) continue;
                next.push_back(joint);
                add_face(next.back().hands[seat], face);
                scale(next.back(), count);
                for (std::size_t m = 0; kept != nullptr && m < NUM_MODELS; ++m) {
                    const float factor = kept->of[m][face];
                    next.back().weights[m] *= factor < IMPOSSIBLE / 2 ? 0.0 : stable_exp(static_cast<double>(factor));
                }
            }
            if (next.size() > MOST * 8) break;
        }
        joints = std::move(next);
        prune();
        merge();
    }

    // The last draw in turn, now that the card was kept.
    void spread_again(int seat, const Factors& kept) {
        joints = before_draw;
        spread(seat, &kept);
    }

    static bool comes_before(const Joint& a, const Joint& b) {
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
            if (a.hands[seat].first != b.hands[seat].first) return a.hands[seat].first < b.hands[seat].first;
            if (a.hands[seat].second != b.hands[seat].second) return a.hands[seat].second < b.hands[seat].second;
        }
        return false;
    }

    // Equal hands become one hypothesis; weights are kept near 1.
    void merge() {
        std::sort(joints.begin(), joints.end(), comes_before);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < joints.size(); ++i) {
            if (kept > 0 && !comes_before(joints[kept - 1], joints[i])) {
                for (std::size_t m = 0; m < NUM_MODELS; ++m) joints[kept - 1].weights[m] += joints[i].weights[m];
            } else {
                joints[kept++] = joints[i];
            }
        }
        joints.resize(kept);
        double sum = 0.0;
        for (const Joint& joint : joints) sum += total(joint);
        for (Joint& joint : joints) scale(joint, sum > 0.0 ? 1.0 / sum : 0.0);
        if (joints.size() > MOST || joints.empty() || is_stopped()) is_possible = false;
    }

    bool accounts_for_all() const {
        const Joint& joint = joints.front();
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (num_cards(joint.hands[seat]) != seen.hand_sizes[seat]) return false;
        }
        std::size_t lying = 1;  // the top card, and what the events tell of the cards below it
        for (const u8 copies : discarded) lying += copies;
        return lying == seen.discards.size() && num_cards(joint.hands[seen.observer]) == num_cards(seen.hand);
    }
};

}  // namespace lastcard
