// Plays checked random rounds on two threads, rounds of the truth with everything observed, and playouts: what the
// sanitizers watch in every test run.
//
// Usage: sanitize_rounds ROUNDS
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "round/check_rounds.hpp"
#include "round/invariants.hpp"
#include "round/observation.hpp"
#include "round/playouts.hpp"
#include "round/random_walk.hpp"
#include "round/threads.hpp"
#include "tests/random_rules.hpp"

namespace lastcard {

// `nth_bit` has two bodies; one build in two has no BMI2.
std::string check_nth_bit() {
    Rng rng{1};
    for (int i = 0; i < 10'000; ++i) {
        const u64 bits = next_random(rng) & next_random(rng);
        u64 left = bits;
        for (int n = 0; n < popcount(bits); ++n, left &= left - 1) {
            if (nth_bit(bits, n) != (left & (~left + 1))) return "nth_bit is wrong";
        }
    }
    return "";
}

// The presets with every number of players, then switches at random: `share` rounds of each.
std::string check_batches(u64 num_rounds, u64& num_played) {
    std::vector<Rules> all;
    for (int preset = 0; preset < NUM_PRESETS; ++preset) {
        for (int players = 2; players <= MAX_SEATS; ++players) {
            const Rules rules = make_preset(static_cast<Preset>(preset), players);
            if (can_deal(rules)) all.push_back(rules);
        }
    }
    Rng rng{7};
    while (all.size() < 400) all.push_back(random_switches(rng, random_players(rng)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const u64 share = num_rounds * (i + 1) / all.size() - num_rounds * i / all.size();
        const Check check = check_random_rounds(all[i], share, i, 2);
        num_played += check.rounds;
        if (check.failures == 0) continue;
        return "round " + std::to_string(check.first_round) + " of seed " + std::to_string(i) + ": " +
               check.first_failure + " (" + describe(all[i]) + ")";
    }
    return "";
}

// What every observation of a round must agree on with the truth (Rule 10.7 aside).
const char* check_observation(const Round& round, int seat) {
    const Observation seen = observe(round, seat);
    const Round& known = as_last_seen(round, seat);
    const bool is_asked = known.state.turn.seat == seat;
    if (!is_same(seen.hand, known.state.hands[seat])) return "an observer sees another hand";
    if ((num_actions(seen.legal) > 0) != is_asked) return "legal actions for a seat that is not asked";
    if (!is_asked && seen.turn.drawn != NO_CARD) return "another seat's drawn card is seen";
    if (is_window(known.state) && !is_asked) return "an open window is seen";
    for (const Event& event : seen.events) {
        if (is_private(event.kind) && event.seat != seat) return "another seat's cards are seen";
    }
    return nullptr;
}

// The truth, as the Python package drives it: events, windows and every seat's view after every ply.
const char* check_truth(const Rules& rules, u64 seed) {
    Rng rng = split_rng(seed, 0);
    Round round;
    round.rules = rules;
    round.dealer = random_below(rng, rules.players);
    Key key{};
    for (u32& word : key.words) word = static_cast<u32>(next_random(rng));
    deal_round(round, key, shuffled_deck(rules, key));
    while (true) {
        for (int seat = 0; seat < rules.players; ++seat) {
            if (const char* fault = check_observation(round, seat)) return fault;
        }
        if (is_over(round)) break;
        const Round kept = round;  // a copy must not change with the original
        const u32 ply = kept.state.turn.ply;
        const std::size_t num_events = kept.events.size();
        apply_in_place(round, choose_action(legal_actions(round.state, round.rules), rng, false));
        if (kept.state.turn.ply != ply || kept.events.size() != num_events) return "a copy has changed";
        if ((round.before != nullptr) != is_window(round.state)) return "a window without the round before it";
    }
    const BySeat<int> points = points_scored(round);
    for (int seat = 0; seat < rules.players; ++seat) {
        if (observe(round, seat).points != points) return "the points are not what was scored";
    }
    return nullptr;
}

std::string check_truths(u64 num_rounds) {
    std::vector<std::string> faults(2);
    run_on_threads(2, num_rounds, [&](u64 part, u64 first, u64 last) {
        for (u64 index = first; index < last && faults[part].empty(); ++index) {
            Rng rng = split_rng(11, index);
            const int players = random_players(rng);
            Rules rules = random_switches(rng, players);
            if (index % 4 == 0) rules = make_preset(Preset::HOUSE, players);
            if (index % 4 == 1) rules = make_preset(Preset::TOURNAMENT, players);
            if (const char* fault = check_truth(rules, index))
                faults[part] = "truth " + std::to_string(index) + ": " + fault + " (" + describe(rules) + ")";
        }
    });
    return faults[0].empty() ? faults[1] : faults[0];
}

// Two threads share most positions, and must come to what one does.
std::string check_playouts(u64 num_rounds) {
    for (u64 index = 0; index < num_rounds; ++index) {
        Rng rng = split_rng(13, index);
        Positions positions{random_switches(rng, random_players(rng)), {}};
        for (int i = 0; i < 3; ++i) {
            Round round;
            round.rules = positions.rules;
            const Key key{{static_cast<u32>(next_random(rng))}};
            deal_round(round, key, shuffled_deck(round.rules, key));
            for (int ply = random_below(rng, 20); ply > 0 && !is_over(round); --ply)
                apply_in_place(round, choose_action(legal_actions(round.state, round.rules), rng, false));
            positions.starts.push_back(position_of(round));
        }
        const u64 num_each = 5;
        std::vector<u64> rows[2];
        for (int threads : {1, 2}) {
            std::vector<u64>& row = rows[threads - 1];
            row.resize(3 * playout_row_size(positions.rules.players));
            play_out_positions(positions, num_each, index, 0, 3 * num_each, threads, row.data());
        }
        if (rows[0] != rows[1]) return "playouts depend on threads (" + describe(positions.rules) + ")";
    }
    return "";
}

}  // namespace lastcard

int main(int argc, char** argv) {
    const long rounds = argc == 2 ? std::atol(argv[1]) : 0;
    if (rounds <= 0) {
        std::fprintf(stderr, "usage: sanitize_rounds ROUNDS\n");
        return 2;
    }
    const lastcard::u64 num_rounds = static_cast<lastcard::u64>(rounds);
    lastcard::u64 num_played = 0;
    std::string fault = lastcard::check_nth_bit();
    if (fault.empty()) fault = lastcard::check_batches(num_rounds, num_played);
    if (fault.empty()) fault = lastcard::check_truths(num_rounds / 100 + 1);
    if (fault.empty()) fault = lastcard::check_playouts(num_rounds / 500 + 1);
    if (fault.empty() && num_played != num_rounds) fault = "rounds were left out";
    if (fault.empty()) return 0;
    std::fprintf(stderr, "sanitize_rounds: %s\n", fault.c_str());
    return 1;
}
