// Models of how opponents decide, and what a decision tells of the cards that were not played.
//
// Each held card speaks for itself: a deed gives every face a logarithmic factor, and a hand's likelihood is their sum.
// That is a product of pairwise comparisons in place of a softmax over the whole hand; it makes a card's evidence a
// difference of two running sums.
#pragma once

#include <array>
#include <bit>
#include <limits>

#include "search/belief.hpp"
#include "search/numeric.hpp"
#include "search/recall.hpp"

namespace lastcard {

constexpr float IMPOSSIBLE = -200.0f;  // what the rules exclude; no sum of likelihoods comes near it
constexpr float NEVER_QUITE = -6.0f;   // what a model excludes: it may still be the wrong model

// What a deed says of each face that the seat may have held besides.
struct Factors {
    float of[NUM_ROWS][NUM_FACES];
};

// What every model says alike.
inline void set_soft(Factors& factors, int face, float value) {
    for (int model = 0; model < NUM_MODELS; ++model) factors.of[model][face] = value;
}

inline void exclude(Factors& factors, int face) {
    for (int row = 0; row < NUM_ROWS; ++row) factors.of[row][face] = IMPOSSIBLE;
}

class OpponentModels {
public:
    explicit OpponentModels(const BeliefSettings& with) : settings(with) {}

    // Fills in what the deed says of other cards in the hand. False when it says nothing.
    bool weigh(const Scene& scene, const Deed& deed, Factors& factors) const {
        factors = Factors{};
        if (settings.kind == BeliefKind::UNIFORM) return false;
        switch (deed.kind) {
            case Deed::Kind::PLAYED:
                weigh_alternatives(scene, deed, factors);
                return weigh_four(scene, deed, factors, matching(scene), true) || settings.kind == BeliefKind::PARTICLE;
            case Deed::Kind::PLAYED_DRAWN:
                return weigh_four(scene, deed, factors, matching(scene), true);
            case Deed::Kind::STACKED:
                return weigh_four(scene, deed, factors, is_colored(scene.top) ? rank_bits(DRAW_TWO) : 0, false);
            case Deed::Kind::DREW:
                return weigh_draw(scene, deed, factors);
            case Deed::Kind::ACCEPTED:
                return weigh_accept(scene, factors);
            case Deed::Kind::JUMPED_IN:
            case Deed::Kind::KEPT:
                return false;
        }
        return false;
    }

    // What keeping it says of the drawn card. False when that is nothing.
    bool weigh_kept(const Scene& scene, int seat, Factors& factors) const {
        factors = Factors{};
        if (settings.kind == BeliefKind::UNIFORM) return false;
        const bool forced = scene.rules.drawn_card == DrawnCard::MUST_PLAY;
        if (!forced && settings.kind != BeliefKind::PARTICLE) return false;
        const View view = view_in(scene, seat);
        const float keeping = settings.weights.values[KEEPING];
        for_each_playable(scene, [&](int face) {
            if (face == FOUR_FACE && (forced || scene.rules.wild_draw_four == WildDrawFour::LAST_RESORT)) return;
            if (forced) return exclude(factors, face);
            const float soft = preferred(keeping, score_face(view, face));
            factors.of[HEURISTIC_MODEL][face] = factors.of[DRAWING_MODEL][face] = soft;
            factors.of[RANDOM_MODEL][face] = face < FIRST_WILD ? LOG_HALF : LOG_FIFTH;
        });
        return true;
    }

    // Under `draw_until_playable`: a card after which the seat went on drawing.
    void weigh_passed_over(const Scene& scene, Factors& factors) const {
        factors = Factors{};
        if (settings.kind == BeliefKind::UNIFORM) return;
        for_each_playable(scene, [&](int face) {
            const bool four = face == FOUR_FACE;
            if (!four || scene.rules.wild_draw_four == WildDrawFour::FREE ||
                scene.rules.wild_draw_four == WildDrawFour::BLUFF)
                exclude(factors, face);
        });
    }

private:
    static constexpr float LOG_HALF = -0.693147f, LOG_FIFTH = -1.609438f;
    static constexpr float ONE_MORE = -0.4f;   // about log n / (n + 1): one more card that `random` might have chosen
    static constexpr float FOUR_MORE = -0.9f;  // a Wild is four of them
    static constexpr float DREW_ANYWAY = -1.05f;   // log 0.35
    static constexpr float DID_NOT_DRAW = -0.05f;  // what a play costs the model that likes to draw, a card
    static constexpr float DID_NOT_STACK = -2.3f;  // log 0.1

    struct Known {
        float difference = std::numeric_limits<float>::quiet_NaN();  // equals none
        float value = 0.0f;
    };

    const BeliefSettings& settings;
    mutable std::array<Known, 256> lately{};

    static u64 matching(const Scene& scene) { return PLAYS.matching[scene.top_play] & COLORED_BITS; }

    template <class Visit>
    static void for_each_playable(const Scene& scene, Visit visit) {
        for (u64 left = matching(scene); left != 0; left &= left - 1) visit(lowest_bit(left));
        visit(WILD_FACE);
        visit(FOUR_FACE);
    }

    // The better of two scores is chosen with this logarithmic probability. A story asks for few of them, again and
    // again.
    float preferred(float chosen, float other) const {
        const float difference = other - chosen;
        Known& known = lately[std::bit_cast<u32>(difference) * 0x9E3779B1u >> 24];
        if (known.difference != difference) known = {difference, log_preference(difference)};
        return known.value;
    }

    float log_preference(float difference) const {
        const double odds = stable_exp(static_cast<double>(difference) / settings.temperature);
        return static_cast<float>(stable_log(settings.noise + (1.0 - settings.noise) / (1.0 + odds)));
    }

    // A play's score as far as others can tell: the share of its color in the rest of the hand is taken as usual, and a
    // Wild names a color that is held more than others.
    float score_for_others(const View& view, int play) const {
        constexpr float USUAL_SHARE = 0.25f, SHARE_OF_NAMED = 0.45f;
        const float share = is_colored(play) ? USUAL_SHARE : SHARE_OF_NAMED;
        return score_in_public(view, settings.weights, play) + settings.weights.values[COLOR_HELD] +
               settings.weights.values[COLOR_SHARE] * share;
    }

    float score_face(const View& view, int face) const {
        if (face < FIRST_WILD) return score_for_others(view, face);
        const int first = face == WILD_FACE ? FIRST_WILD : FIRST_FOUR;
        float best = score_for_others(view, first);
        for (int play = first + 1; play < first + NUM_COLORS; ++play)
            best = std::max(best, score_for_others(view, play));
        return best;
    }

    // A free choice: what else could be played was not chosen.
    void weigh_alternatives(const Scene& scene, const Deed& deed, Factors& factors) const {
        if (settings.kind != BeliefKind::PARTICLE) return;
        const View view = view_in(scene, deed.seat);
        const int chosen = face_of(deed.play);
        const float score = score_for_others(view, deed.play);
        const bool holds_color = is_colored(deed.play) && PLAYS.color[deed.play] == scene.active_color;
        for_each_playable(scene, [&](int face) {
            if (face == chosen) return;
            const WildDrawFour rule = scene.rules.wild_draw_four;
            if (face == FOUR_FACE &&
                (rule == WildDrawFour::LAST_RESORT || (rule == WildDrawFour::STRICT && holds_color)))
                return;
            const float soft = preferred(score, score_face(view, face));
            factors.of[HEURISTIC_MODEL][face] = soft;
            factors.of[DRAWING_MODEL][face] = soft + DID_NOT_DRAW;
            factors.of[RANDOM_MODEL][face] = face < FIRST_WILD ? ONE_MORE : FOUR_MORE;
        });
    }

    // Rules 6.1 and 6.2: which cards the player of a Wild Draw Four cannot have held.
    bool weigh_four(const Scene& scene, const Deed& deed, Factors& factors, u64 others, bool wilds) const {
        const WildDrawFour rule = scene.rules.wild_draw_four;
        if (deed.play < FIRST_FOUR || rule == WildDrawFour::FREE || rule == WildDrawFour::BLUFF) return false;
        u64 excluded = 0;
        if (rule == WildDrawFour::STRICT) excluded = PLAYS.same_color[scene.top_play];
        if (rule == WildDrawFour::LAST_RESORT) {
            excluded = others;
            if (wilds) exclude(factors, WILD_FACE);
        }
        for (u64 left = excluded; left != 0; left &= left - 1) exclude(factors, lowest_bit(left));
        return true;
    }

    // Rules 3.2, 5.2 and 10.3: the hand before the draw.
    bool weigh_draw(const Scene& scene, const Deed& deed, Factors& factors) const {
        const bool forced = scene.rules.must_play || deed.count == 0;
        if (!forced && settings.kind != BeliefKind::PARTICLE) return false;
        const View view = view_in(scene, deed.seat);
        const float drawing = settings.weights.values[DRAWING];
        for_each_playable(scene, [&](int face) {
            if (forced) return exclude(factors, face);
            factors.of[HEURISTIC_MODEL][face] = preferred(drawing, score_face(view, face));
            factors.of[RANDOM_MODEL][face] = NEVER_QUITE;
            factors.of[DRAWING_MODEL][face] = DREW_ANYWAY;
        });
        return true;
    }

    // Rule 10.1: the seat could have stacked.
    bool weigh_accept(const Scene& scene, Factors& factors) const {
        if (scene.rules.stacking == Stacking::NONE || settings.kind != BeliefKind::PARTICLE) return false;
        const auto weigh_one = [&](int face) {
            set_soft(factors, face, DID_NOT_STACK);
            factors.of[RANDOM_MODEL][face] = LOG_HALF;
        };
        if (is_colored(scene.top)) {
            for (int color = 0; color < NUM_COLORS; ++color) weigh_one(NUM_RANKS * color + DRAW_TWO);
        }
        const bool free =
            scene.rules.wild_draw_four == WildDrawFour::FREE || scene.rules.wild_draw_four == WildDrawFour::BLUFF;
        if (free && (!is_colored(scene.top) || scene.rules.stacking == Stacking::ANY_UP)) weigh_one(FOUR_FACE);
        return true;
    }
};

}  // namespace lastcard
