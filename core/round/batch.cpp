#include "round/batch.hpp"

#include <vector>

#include "round/compiled_rules.hpp"
#include "round/random_play.hpp"
#include "round/threads.hpp"
#include "rules/playout.hpp"

namespace lastcard {

namespace {

template <class S, class R>
void tally_rounds(Tally& tally, const R& rules, u64 seed, u64 first, u64 last) {
    S state;
    int points[MAX_SEATS];
    for (u64 index = first; index < last && !is_stopped(); ++index) {
        deal_random_round(state, rules, seed, index);
        play_randomly(state, rules, state.pile.rng);
        score_round(state, rules, points);
        if (state.turn.winner == NO_SEAT) tally.drawn += 1;
        else tally.wins[state.turn.winner] += 1;
        for (int seat = 0; seat < rules.players; ++seat) tally.points[seat] += static_cast<u64>(points[seat]);
        tally.plies += state.turn.ply;
        tally.signature += digest_round(state, rules) ^ state.turn.top;
    }
}

}  // namespace

Tally play_random_games(const Rules& rules, u64 first, u64 num_games, u64 seed, int threads) {
    std::vector<Tally> parts(static_cast<std::size_t>(threads));
    run_on_threads(threads, num_games, [&](u64 part, u64 begin, u64 end) {
        Tally tally;
        with_official_rules_of<2, 3, 4>(rules, [&]<int SEATS>(const auto& official, Seats<SEATS>) {
            tally_rounds<State<SetPile, SEATS>>(tally, official, seed, first + begin, first + end);
        });
        parts[part] = tally;
    });
    Tally sum;
    for (const Tally& part : parts) {
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
            sum.wins[seat] += part.wins[seat];
            sum.points[seat] += part.points[seat];
        }
        sum.plies += part.plies;
        sum.drawn += part.drawn;
        sum.signature += part.signature;
    }
    return sum;
}

}  // namespace lastcard
