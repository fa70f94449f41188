#include "search/decision.hpp"

#include <algorithm>

#include "rules/playout.hpp"

namespace lastcard {

u32 count_events(const Observation& seen) {
    return static_cast<u32>(std::ranges::count_if(seen.events, [](const Event& event) {
        return event.kind != EventKind::GOT && event.kind != EventKind::SHOWN;
    }));
}

u64 decision_seed(const Observation& seen, const Key& agent) {
    const Key seed = split_key(agent, Stream::AGENT, count_events(seen));
    return seed.words[0] | static_cast<u64>(seed.words[1]) << 32;
}

Rng decision_rng(const Observation& seen, u64 seed) { return split_rng(seed, static_cast<u64>(seen.number)); }

int choose_at_random(const Observation& seen, u64 seed) {
    Rng rng = decision_rng(seen, seed);
    return random_action(seen.legal, rng);
}

}  // namespace lastcard
