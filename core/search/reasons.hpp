// Reasons for the best action of a search, as data: what is so, with its numbers. Pages and terminals make the words.
#pragma once

#include <optional>
#include <vector>

#include "search/belief.hpp"

namespace lastcard {

// What a search made of one action.
struct ActionValue {
    int action;
    double simulations;
    double value;  // the estimated probability of winning the round
    double error;  // the half-width of its 95 % interval
};

#define LASTCARD_REASONS(KIND)                                                                                     \
    KIND(only_legal)     /* the rules allow nothing else */                                                        \
    KIND(last_card)      /* it is the last card */                                                                 \
    KIND(names_color)    /* names `color`, of which the hand holds `count` */                                      \
    KIND(keeps_color)    /* keeps `color`, of which the hand holds `count` more */                                 \
    KIND(turns_to)       /* turns to `color`, of which the hand holds `count` more */                              \
    KIND(last_of_color)  /* uses up the last card of `color` */                                                    \
    KIND(leaves_card)    /* leaves one card, `card` */                                                             \
    KIND(costs_cards)    /* costs `seat` `count` cards and its turn, unless it stacks or wins a challenge */       \
    KIND(costs_turn)     /* costs `seat` its turn */                                                               \
    KIND(reverses)       /* turns the direction to `seat`, away from `other`, which holds `cards` if only a few */ \
    KIND(next_has_few)   /* `seat` is next and holds only `cards` */                                               \
    KIND(lacks_color)    /* `seat` probably lacks `color`: it holds any with `chance` */                           \
    KIND(less_likely)    /* `seat` is less likely to hold `color` (`chance`) than `than` (`than_chance`) */        \
    KIND(wild_later)     /* only a Wild fits, which is worth more later */                                         \
    KIND(nothing_worth)  /* nothing that fits is worth playing yet */                                              \
    KIND(card_later)     /* the card that was drawn is worth more later */                                         \
    KIND(is_guilty)      /* `seat` holds `color` with `chance`, and then draws `count` if it is challenged */      \
    KIND(may_be_guilty)  /* `seat` holds `color` with `chance` */                                                  \
    KIND(challenge_cost) /* a challenge that fails costs `count` cards */                                          \
    KIND(uno_penalty)    /* a player caught without calling UNO draws `count` */                                   \
    KIND(catch_costs)    /* costs `seat` `count` cards */                                                          \
    KIND(swap_gives)     /* gives `cards` cards for one's own `count` */                                           \
    KIND(holds_color)    /* the hand holds `count` of that color */                                                \
    KIND(is_level)       /* `action`, the next best, is as good within the error */                                \
    KIND(is_better)      /* wins `chance` more of the rounds than `action`, the next best */                       \
    KIND(by_policy)      /* without looking ahead one would choose `action` */

#define LASTCARD_REASON_NAME(name) #name,
#define LASTCARD_REASON_KIND(name) name,

enum class ReasonKind : u8 { LASTCARD_REASONS(LASTCARD_REASON_KIND) };
inline constexpr const char* REASON_NAMES[] = {LASTCARD_REASONS(LASTCARD_REASON_NAME)};

// A field that does not apply has no value.
struct Reason {
    ReasonKind kind;
    std::optional<int> seat{}, other{};
    std::optional<int> color{}, than{};
    std::optional<int> card{};  // a face
    std::optional<int> action{};
    std::optional<int> count{};
    std::optional<int> cards{};  // in the hand of the seat, or of `other`, where they are few
    std::optional<double> chance{}, than_chance{};
    std::optional<bool> can_stack{}, can_challenge{};

    const char* name() const { return REASON_NAMES[static_cast<int>(kind)]; }
};

// Calls `visit(name, value)` for each field but the kind.
template <class Visit>
void visit_fields(const Reason& reason, const Visit& visit) {
    visit("seat", reason.seat);
    visit("other", reason.other);
    visit("color", reason.color);
    visit("than", reason.than);
    visit("card", reason.card);
    visit("action", reason.action);
    visit("count", reason.count);
    visit("cards", reason.cards);
    visit("chance", reason.chance);
    visit("than_chance", reason.than_chance);
    visit("can_stack", reason.can_stack);
    visit("can_challenge", reason.can_challenge);
}

// The reasons for `best`, the weightiest first. `values` are those of the search, the best first; `by_policy` is what
// the heuristic alone would do.
std::vector<Reason> list_reasons(const Observation& seen, const Belief& belief, int best, int by_policy,
                                 const std::vector<ActionValue>& values);

}  // namespace lastcard
