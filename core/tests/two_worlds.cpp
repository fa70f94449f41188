// Runs the two-worlds test on `observe`, and on observers that leak, which it has to catch.
//
// Usage: two_worlds PAIRS
#include "tests/two_worlds.hpp"

#include <cstdio>
#include <cstdlib>

namespace lastcard {

// ---- Leaks, each a plausible mistake --------------------------------------------------------------------------------

Observation show_next_card(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    const OrderedPile& pile = as_last_seen(round, seat).state.pile;
    if (pile.size > 0) seen.number = face_of(pile.cards[pile.size - 1]);
    return seen;
}

Observation show_drawn_card(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    seen.turn.drawn = as_last_seen(round, seat).state.turn.drawn;
    return seen;
}

// As if `keep` were asked for only when the drawn card is playable (Rule 3.3 as printed).
Observation skip_forced_keep(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    const Truth& state = as_last_seen(round, seat).state;
    if (state.turn.phase == Phase::DRAWN && legal_actions(state, round.rules).plays == 0) seen.turn.phase = Phase::TURN;
    return seen;
}

Observation show_open_window(const Round& round, int seat) {
    Round unfrozen = round;
    unfrozen.before = nullptr;
    return observe(unfrozen, seat);
}

Observation show_passes(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    seen.events.clear();
    for (const Event& event : as_last_seen(round, seat).events) {
        if (event.kind == EventKind::PASSED || is_visible(event, seat)) seen.events.push_back(event);
    }
    return seen;
}

Observation show_legal_actions(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    const Round& known = as_last_seen(round, seat);
    seen.legal = legal_actions(known.state, known.rules);
    return seen;
}

Observation show_hand_points(const Round& round, int seat) {
    Observation seen = observe(round, seat);
    const Truth& state = as_last_seen(round, seat).state;
    for (int other = 0; other < round.rules.players; ++other) {
        seen.points[other] = points_of(state.hands[other]);
    }
    return seen;
}

struct Leak {
    const char* name;
    Observe observe_with;
};

constexpr Leak LEAKS[] = {
    {"the next card of the draw pile", show_next_card},
    {"another seat's drawn card", show_drawn_card},
    {"whether a drawn card is playable", skip_forced_keep},
    {"an open window", show_open_window},
    {"passes in a window", show_passes},
    {"another seat's legal actions", show_legal_actions},
    {"the points in every hand", show_hand_points},
};

// ---- Counting -------------------------------------------------------------------------------------------------------

PairCount count_pairs(u64 num_pairs, u64 seed, Observe observe_with) {
    std::vector<PairCount> parts(2);
    run_on_threads(2, num_pairs, [&](u64 part, u64 first, u64 last) {
        PairCount count;
        for (u64 index = part; count.pairs < last - first; index += 2) try_pairs(count, seed, index, observe_with);
        parts[part] = count;
    });
    PairCount sum = parts[0];
    sum.pairs += parts[1].pairs;
    sum.rejected += parts[1].rejected;
    sum.one_sided += parts[1].one_sided;
    sum.asked += parts[1].asked;
    sum.ends += parts[1].ends;
    sum.leaks += parts[1].leaks;
    if (sum.first_leak.empty()) sum.first_leak = parts[1].first_leak;
    return sum;
}

bool run_two_worlds(u64 num_pairs) {
    const PairCount count = count_pairs(num_pairs, 1, observe);
    std::printf(
        "%llu pairs of worlds look alike (%llu with a window in one world only, %llu with the observer asked, %llu to "
        "the end)\n",
        count.pairs - count.leaks, count.one_sided, count.asked, count.ends);
    if (count.leaks > 0) std::printf("%llu do not; %s\n", count.leaks, count.first_leak.c_str());
    bool passed = count.leaks == 0 && count.one_sided * 50 > count.pairs && count.asked * 50 > count.pairs;
    for (const Leak& leak : LEAKS) {
        const PairCount caught = count_pairs(4'000, 2, leak.observe_with);
        if (caught.leaks == 0) std::printf("a planted leak was missed: %s\n", leak.name);
        else std::printf("caught in %llu of %llu pairs: %s\n", caught.leaks, caught.pairs, leak.name);
        passed = passed && caught.leaks > 0;
    }
    return passed;
}

}  // namespace lastcard

int main(int argc, char** argv) {
    const long pairs = argc == 2 ? std::atol(argv[1]) : 0;
    if (pairs <= 0) {
        std::fprintf(stderr, "usage: two_worlds PAIRS\n");
        return 2;
    }
    return lastcard::run_two_worlds(static_cast<lastcard::u64>(pairs)) ? 0 : 1;
}
