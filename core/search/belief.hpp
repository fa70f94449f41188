// What a seat can believe of the hidden cards: hypotheses, each a full assignment of hands, drawn from the posterior.
//
// Where all hands can be listed the posterior is exact (exact.hpp). Where nothing but counts is known it is a shuffle.
// Otherwise a Metropolis chain walks over ways in which the cards can have come and gone (hand_chain.hpp).
#pragma once

#include <array>
#include <vector>

#include "round/faces.hpp"
#include "round/observation.hpp"
#include "rules/policy.hpp"
#include "search/options.hpp"

namespace lastcard {

enum Model : u8 {
    HEURISTIC_MODEL,  // chooses by the heuristic's score, most of the time
    RANDOM_MODEL,     // plays anything, draws only when it must
    DRAWING_MODEL,    // as the heuristic, but often draws although it could play
    NUM_MODELS,
    RULES_ALONE = NUM_MODELS,  // no model: what the rules force, and nothing else
    NUM_ROWS,
};

enum class BeliefKind : u8 {
    UNIFORM,      // counts only
    CONSTRAINED,  // and what the rules force
    PARTICLE,     // and what the models make likely
};

constexpr std::array<const char*, 3> words_of(BeliefKind) { return {"uniform", "constrained", "particle"}; }

template <class Value>
using ByModel = Indexed<Value, NUM_MODELS>;

using Prior = ByModel<double>;
constexpr Prior USUAL_PRIOR{{0.6, 0.2, 0.2}};
constexpr int MOST_HYPOTHESES = 65'536;

#define LASTCARD_BELIEF_OPTIONS(OPTION)                                                                               \
    OPTION(BeliefKind, kind, BeliefKind::PARTICLE,                                                                    \
           "Kind of belief about hidden cards: `uniform` uses counts; `constrained` also facts from the rules; "      \
           "`particle` also how likely each action was.")                                                             \
    OPTION(int, hypotheses, 512, "Number of hypotheses to draw if they cannot all be listed.", 1, MOST_HYPOTHESES)    \
    OPTION(                                                                                                           \
        double, temperature, 0.2,                                                                                     \
        "Softmax temperature of opponents between two scores; smaller values prefer the better score more strongly.", \
        0.01, 100.0)                                                                                                  \
    OPTION(double, noise, 0.05, "Probability that an opponent ignores the scores and picks at random.", 0.0001, 1.0)  \
    OPTION(Prior, prior, USUAL_PRIOR, NO_HELP)                                                                        \
    OPTION(Weights, weights, {}, "A file of weights for playouts and opponents; empty: the shipped ones.")
LASTCARD_OPTIONS(BeliefSettings, LASTCARD_BELIEF_OPTIONS)

using FaceSets = BySeat<ByFace<bool>>;  // by seat

struct Hypothesis {
    BySeat<Hand> hands{};  // of the opponents; Wilds are numbered from the lowest id in each
    BySeat<u8> models{};
    double weight = 1.0;
};

struct Belief {
    BeliefKind kind = BeliefKind::UNIFORM;
    bool is_exact = false;    // all hypotheses there are, with their probabilities
    bool is_shuffle = false;  // nothing but counts is known: marginals have a closed form
    FaceCounts unseen{};
    std::vector<Hypothesis> hypotheses;
    BySeat<ByModel<double>> models{};  // how likely each model of an opponent is
    BySeat<FaceCounts> known{};        // what is certain to be in each hand
    FaceSets can_hold{};               // what the rules do not exclude
    double effective_sample_size = 0.0;
};

Belief believe(const Observation& seen, const BeliefSettings& settings, u64 seed);

// How many ways there are to deal these hands from the unseen cards, as a logarithm; -infinity if there is none.
double log_ways(const FaceCounts& unseen, const BySeat<Hand>& hands);

// How likely the hands are, as a logarithm, up to a constant that is the same for all hands; which card came when is
// taken to be as likely as it can be. -infinity where counting or the rules exclude them.
double log_weight(const Observation& seen, const BeliefSettings& settings, const BySeat<Hand>& hands);

}  // namespace lastcard
