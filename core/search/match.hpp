// Matches between agents of the core, on mirrored deals: every shuffled deck is played once from every seat.
#pragma once

#include "search/ceiling.hpp"

namespace lastcard {

struct Contestant {
    bool searches = false;
    Policy policy{};
    HalvingSettings halving{};
    Sight sight = Sight::OWN;  // more only for the arena's ceilings
};

// Who won each round, by place in the seating (NO_SEAT for nobody), and what it scored; `players` rounds for each deal, the
// seating moved on by one seat from round to round.
struct MatchResult {
    std::vector<u8> winners;
    std::vector<u16> points;
    u64 plies = 0;
};

inline Key deal_key(u64 seed, u64 deal) {
    Key key{};
    Rng rng = split_rng(seed ^ 0xDEA1, deal);
    for (int i = 0; i < 8; i += 2) {
        const u64 bits = next_random(rng);
        key.words[i] = static_cast<u32>(bits);
        key.words[i + 1] = static_cast<u32>(bits >> 32);
    }
    return key;
}

inline int winner_points(const int* points, int winner, int players) {
    if (winner != NO_SEAT && points[winner] > 0) return points[winner];
    int sum = 0;
    for (int seat = 0; seat < players; ++seat) sum += points[seat];
    return winner == NO_SEAT ? 0 : sum;
}

struct Sitting {
    const Rules& rules;
    const std::vector<Contestant>& contestants;
    const std::vector<int>& seating;  // which contestant sits in each place
    u64 seed;

    const Contestant& at(int seat, int rotation) const {
        const int place = (seat - rotation + rules.players) % rules.players;
        return contestants[static_cast<std::size_t>(seating[static_cast<std::size_t>(place)])];
    }
};

// A round between policies alone, without events.
template <class S, class R>
void play_policy_round(S& state, const R& rules, const Sitting& sitting, const Key& key, const std::vector<u8>& deck,
                       u64 number, int rotation) {
    NoEvents nobody;
    state.pile.key = key;
    state.pile.script = state.pile.script_end = nullptr;
    state.pile.reshuffles = 0;
    state.pile.num_discards = 0;
    state.pile.size = rules.deck_size;
    for (int i = 0; i < rules.deck_size; ++i) state.pile.cards[i] = deck[static_cast<std::size_t>(i)];
    deal(state, rules, nobody, rules.players - 1);
    const Policy* policies[MAX_SEATS] = {};
    for (int seat = 0; seat < rules.players; ++seat) policies[seat] = &sitting.at(seat, rotation).policy;
    Memory memory;
    forget_all(memory);
    Rng rng = split_rng(sitting.seed ^ 0xA6E7, number);
    play_by_policies(state, rules, memory, policies, rng, rules.max_plies + 1);
}

inline int search_decision(const Round& round, const Observation& seen, const Contestant& contestant, u64 seed) {
    if (contestant.sight == Sight::OWN) return search_by_halving(seen, contestant.halving, seed).best;
    return search_truth(round, contestant.sight, contestant.halving, seed).best;
}

// A round in which at least one seat searches: each sees its observation and, ceilings aside, nothing else.
inline void play_searching_round(Round& round, const Sitting& sitting, const Key& key, const std::vector<u8>& deck,
                                 u64 number, int rotation) {
    round = Round{};
    round.rules = sitting.rules;
    round.dealer = sitting.rules.players - 1;
    deal_round(round, key, deck);
    Rng streams[MAX_SEATS];  // one for each seat's agent
    for (u64 seat = 0; seat < MAX_SEATS; ++seat)
        streams[seat] = split_rng(sitting.seed ^ 0xA6E7, number * MAX_SEATS + seat);
    while (!is_over(round)) {
        const int seat = round.state.turn.seat;
        const Contestant& contestant = sitting.at(seat, rotation);
        const Observation seen = observe(round, seat);
        Rng& rng = streams[seat];
        int action = 0;
        if (num_actions(seen.legal) == 1) action = nth_action(seen.legal, 0);
        else if (contestant.searches) action = search_decision(round, seen, contestant, next_random(rng));
        else if (contestant.policy.is_random) action = random_action(seen.legal, rng);
        else action = choose_by_heuristic(seen, contestant.policy.weights);
        apply_in_place(round, action);
    }
}

template <class S, class R>
void play_deals(MatchResult& result, const R& rules, const Sitting& sitting, u64 first, u64 begin, u64 end) {
    bool searches = false;
    for (const int contestant : sitting.seating) {
        searches = searches || sitting.contestants[static_cast<std::size_t>(contestant)].searches;
    }
    S state;
    Round round;
    int points[MAX_SEATS];
    const auto players = static_cast<u64>(rules.players);
    u64 plies = 0;
    for (u64 deal = begin; deal < end; ++deal) {
        const Key key = deal_key(sitting.seed, first + deal);
        const std::vector<u8> deck = shuffled_deck(sitting.rules, key);
        for (u64 rotation = 0; rotation < players; ++rotation) {
            const u64 number = (first + deal) * players + rotation;
            const Turn* turn = nullptr;
            if (searches) {
                play_searching_round(round, sitting, key, deck, number, static_cast<int>(rotation));
                score_round(round.state, rules, points);
                turn = &round.state.turn;
            } else {
                play_policy_round(state, rules, sitting, key, deck, number, static_cast<int>(rotation));
                score_round(state, rules, points);
                turn = &state.turn;
            }
            const std::size_t at = deal * players + rotation;
            const int winner = turn->winner;
            result.winners[at] = winner == NO_SEAT
                                     ? NO_SEAT
                                     : static_cast<u8>((static_cast<u64>(winner) + players - rotation) % players);
            result.points[at] = static_cast<u16>(std::max(0, winner_points(points, winner, rules.players)));
            plies += turn->ply;
        }
    }
    __atomic_fetch_add(&result.plies, plies, __ATOMIC_RELAXED);
}

// Deals `first` up to `first + num_deals` of the match that the seed fixes; the same on any number of threads.
inline MatchResult play_match(const Rules& rules, const std::vector<Contestant>& contestants,
                              const std::vector<int>& seating, u64 first, u64 num_deals, u64 seed, int threads) {
    if (static_cast<int>(seating.size()) != rules.players) throw std::invalid_argument("one contestant for each place");
    for (const int contestant : seating) {
        if (contestant < 0 || contestant >= static_cast<int>(contestants.size()))
            throw std::invalid_argument("no such contestant");
    }
    const Sitting sitting{rules, contestants, seating, seed};
    MatchResult result;
    result.winners.resize(num_deals * static_cast<u64>(rules.players));
    result.points.resize(result.winners.size());
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    run_on_threads(threads, num_deals, [&](u64, u64 begin, u64 end) {
        if (are_same_rules(rules, two)) play_deals<State<OrderedPile, 2>>(result, two, sitting, first, begin, end);
        else if (are_same_rules(rules, four))
            play_deals<State<OrderedPile, 4>>(result, four, sitting, first, begin, end);
        else play_deals<State<OrderedPile, MAX_SEATS>>(result, rules, sitting, first, begin, end);
    });
    return result;
}

}  // namespace lastcard
