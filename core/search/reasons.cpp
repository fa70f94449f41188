#include "search/reasons.hpp"

#include <algorithm>
#include <cmath>

#include "search/marginals.hpp"

namespace lastcard {

namespace {

constexpr double UNLIKELY = 0.35;      // a seat that holds a color with at most this probability "probably lacks" it
constexpr double CLEARLY_LESS = 0.15;  // the least difference between two colors that is worth a word
constexpr int FEW = 2;

class Reasoner {
public:
    Reasoner(const Observation& observation, const Belief& made) : seen(observation), belief(made) {}

    std::vector<Reason> found;

    void explain_play(int play) {
        Hand rest = seen.hand;
        take_card(rest, face_bits(play));
        if (is_empty(rest)) return add({.kind = ReasonKind::last_card});
        const int color = PLAYS.color[play];
        explain_color(play, color, count_of(rest, color_bits(color)));
        if (num_cards(rest) == 1) add({.kind = ReasonKind::leaves_card, .card = face_of(lowest_bit(rest.first))});
        explain_lack(explain_effect(play), color);
    }

    void explain_other(int action) {
        const int penalty = seen.rules.uno_penalty;
        if (action >= FIRST_COLOR) {
            const int held = count_of(seen.hand, color_bits(action - FIRST_COLOR));
            return add({.kind = ReasonKind::holds_color, .count = held});
        }
        if (action >= FIRST_SWAP) {
            const int theirs = seen.hand_sizes[action - FIRST_SWAP];
            return add({.kind = ReasonKind::swap_gives, .count = num_cards(seen.hand), .cards = theirs});
        }
        if (action == DRAW) {
            const bool only_wild = (seen.legal.plays & COLORED_BITS) == 0;
            add({.kind = only_wild ? ReasonKind::wild_later : ReasonKind::nothing_worth});
        }
        if (action == KEEP) add({.kind = ReasonKind::card_later});
        if (action == CHALLENGE || action == ACCEPT) explain_guilt(action == CHALLENGE);
        if (action == UNO) add({.kind = ReasonKind::uno_penalty, .count = penalty});
        if (action == CATCH) add({.kind = ReasonKind::catch_costs, .seat = seen.turn.last_actor, .count = penalty});
    }

    // Compares with the next best action, as far as the errors allow.
    void compare(const std::vector<ActionValue>& values) {
        if (values.size() < 2) return;
        const ActionValue& best = values.front();
        const ActionValue& next = *std::ranges::max_element(values.begin() + 1, values.end(), {}, &ActionValue::value);
        const double more = best.value - next.value;
        const bool is_level = more <= 0 || more <= best.error + next.error;
        if (is_level) add({.kind = ReasonKind::is_level, .action = next.action});
        else add({.kind = ReasonKind::is_better, .action = next.action, .chance = more});
    }

    void add(Reason reason) { found.push_back(std::move(reason)); }

private:
    const Observation& seen;
    const Belief& belief;

    void explain_color(int play, int color, int held) {
        const bool is_wild = !is_colored(play);
        const bool is_kept = !is_wild && color == seen.turn.active_color;
        if (is_kept && held == 0) return add({.kind = ReasonKind::last_of_color, .color = color});
        const ReasonKind kind = is_wild   ? ReasonKind::names_color
                                : is_kept ? ReasonKind::keeps_color
                                          : ReasonKind::turns_to;
        add({.kind = kind, .color = color, .count = held});
    }

    std::optional<int> few_cards(int seat) const {
        const int size = seen.hand_sizes[seat];
        return size <= FEW ? std::optional<int>(size) : std::nullopt;
    }

    // Says what happens to the next seat; returns who acts afterwards.
    int explain_effect(int play) {
        const int players = seen.rules.players, rank = PLAYS.rank[play];
        const bool reverses = rank == REVERSE;
        const int step = reverses ? -seen.turn.direction : seen.turn.direction;
        const auto from = [&](int seat, int by) { return (seat + by + players) % players; };
        const int target = from(seen.observer, step), after = from(target, step);
        if (const int penalty = PLAYS.penalty[play]; penalty > 0) {
            const bool can_stack = seen.rules.stacking != Stacking::NONE;
            const bool can_challenge = seen.rules.wild_draw_four == WildDrawFour::BLUFF && !is_colored(play);
            add({.kind = ReasonKind::costs_cards,
                 .seat = target,
                 .count = penalty + seen.turn.draw_sum,
                 .cards = few_cards(target),
                 .can_stack = can_stack,
                 .can_challenge = can_challenge});
            return can_stack || can_challenge ? target : after;
        }
        if (rank == SKIP || (reverses && players == 2)) {
            add({.kind = ReasonKind::costs_turn, .seat = target, .cards = few_cards(target)});
            return after;
        }
        if (reverses) {
            const int passed = from(seen.observer, -step);
            add({.kind = ReasonKind::reverses, .seat = target, .other = passed, .cards = few_cards(passed)});
        } else if (const std::optional<int> few = few_cards(target)) {
            add({.kind = ReasonKind::next_has_few, .seat = target, .cards = few});
        }
        return target;
    }

    void explain_lack(int seat, int color) {
        if (seat == seen.observer) return;
        const double chance = chance_of_color(seen, belief, seat, color);
        const int active = seen.turn.active_color;
        if (chance <= UNLIKELY)
            return add({.kind = ReasonKind::lacks_color, .seat = seat, .color = color, .chance = chance});
        if (active == NO_COLOR || active == color) return;
        const double usual = chance_of_color(seen, belief, seat, active);
        if (chance > usual - CLEARLY_LESS) return;
        add({.kind = ReasonKind::less_likely,
             .seat = seat,
             .color = color,
             .than = active,
             .chance = chance,
             .than_chance = usual});
    }

    void explain_guilt(bool challenges) {
        const int player = seen.turn.player, color = seen.turn.last_color, due = seen.turn.draw_sum;
        if (!contains(seen.legal, CHALLENGE) || player == NO_SEAT || color == NO_COLOR) return;
        const double chance = chance_of_color(seen, belief, player, color);
        if (challenges)
            add({.kind = ReasonKind::is_guilty, .seat = player, .color = color, .count = due, .chance = chance});
        else add({.kind = ReasonKind::may_be_guilty, .seat = player, .color = color, .chance = chance});
        add({.kind = ReasonKind::challenge_cost, .count = due + 2});
    }
};

}  // namespace

std::vector<Reason> list_reasons(const Observation& seen, const Belief& belief, int best, int by_policy,
                                 const std::vector<ActionValue>& values) {
    Reasoner reasoner(seen, belief);
    if (num_actions(seen.legal) == 1) {
        reasoner.add({.kind = ReasonKind::only_legal});
        return std::move(reasoner.found);
    }
    if (is_play(best)) reasoner.explain_play(best);
    else reasoner.explain_other(best);
    reasoner.compare(values);
    if (by_policy != best) reasoner.add({.kind = ReasonKind::by_policy, .action = by_policy});
    return std::move(reasoner.found);
}

}  // namespace lastcard
