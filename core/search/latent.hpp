// The belief that expectiminimax was published with: subsets of the latent set L, the cards neither held nor seen.
//
// Prior: every subset of L of the hand's size is equally likely. After an opponent's draw: every such subset of L
// without N_L(P_t), the cards that could have been played on the top card P_t. After its next play: the prior again.
// Two things are wrong with that, and `BeliefKind::CONSTRAINED` has them right: the card just drawn may well be one of
// N_L(P_t), and what the hand lacked before the draw it still lacks after a play.
#pragma once

#include <algorithm>

#include "search/belief.hpp"
#include "search/recall.hpp"

namespace lastcard {

// N_L(P_t), as ids: what fits on a top card, Wilds included.
inline u64 playable_on(int top_play) { return (PLAYS.matching[top_play] & COLORED_BITS) | WILD_BITS | FOUR_BITS; }

// Follows the story for each seat's last decision: what a draw in turn excludes, until the next play.
struct LastDecisions {
    BySeat<u64> excluded{};  // by seat, as ids

    void deed(const Scene& scene, const Deed& deed) {
        if (deed.kind == Deed::Kind::DREW) excluded[deed.seat] = playable_on(scene.top_play);
        else if (is_play(deed)) excluded[deed.seat] = 0;
    }
    void swapped(int seat, int other) { std::swap(excluded[seat], excluded[other]); }
    void passed(int) { excluded.fill(0); }
    void taken_up(const Opening&) {}
    void dealt(int, int) {}
    void own_card(int) {}
    void own_hand(const Hand&) {}
    void turned_up(int) {}
    void reshuffled(const Scene&) {}
    void drew(const Scene&, int, int, bool, bool) {}
    void verdict(int, int, bool) {}
    void called(int) {}
    void shown(int, const Hand&) {}
};

// Takes `size` cards out of a shuffled latent set, none of them excluded. Where the published posterior has too few
// cards for that, it is empty: the prior takes over.
inline Hand take_subset(std::vector<u8>& latent, int size, u64 excluded) {
    Hand hand{0, 0};
    for (const u64 barred : {excluded, u64{0}}) {
        for (std::size_t i = 0; i < latent.size() && num_cards(hand) < size;) {
            if ((bits_of_face(latent[i]) & barred) != 0) {
                ++i;
                continue;
            }
            add_face(hand, latent[i]);
            latent.erase(latent.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    return hand;
}

inline Belief believe_as_published(const Observation& seen, int hypotheses, u64 seed) {
    LastDecisions decisions;
    Recall story(seen, decisions);
    story.run_recent();
    Belief belief;
    belief.unseen = count_unseen(seen);
    belief.effective_sample_size = hypotheses;
    belief.is_shuffle = true;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        belief.is_shuffle = belief.is_shuffle && decisions.excluded[seat] == 0;
        for (int face = 0; face < NUM_FACES; ++face) {
            belief.can_hold[seat][face] =
                belief.unseen[face] > 0 && (bits_of_face(face) & decisions.excluded[seat]) == 0;
        }
    }
    std::vector<u8> all;
    for (std::size_t face = 0; face < NUM_FACES; ++face)
        all.insert(all.end(), belief.unseen[face], static_cast<u8>(face));
    Rng rng = split_rng(seed ^ 0x1A7E47ull, 0);
    for (int i = 0; i < hypotheses && !(i > 0 && is_stopped()); ++i) {
        std::vector<u8> latent = all;
        for (std::size_t k = latent.size(); k > 1; --k)
            std::swap(latent[k - 1], item(latent, scale_high(next_random(rng), static_cast<int>(k))));
        Hypothesis hypothesis;
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (seat == seen.observer) continue;
            hypothesis.hands[seat] = take_subset(latent, seen.hand_sizes[seat], decisions.excluded[seat]);
        }
        belief.hypotheses.push_back(hypothesis);
    }
    return belief;
}

}  // namespace lastcard
