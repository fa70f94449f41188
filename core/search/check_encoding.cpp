#include "search/check_encoding.hpp"

#include <cstring>

#include "round/random_walk.hpp"
#include "rules/environment.hpp"
#include "search/sight.hpp"

namespace lastcard {

const char* check_encoding(const Rules& rules, u64 seed) {
    Rng rng = split_rng(seed, 3);
    Round round;
    round.rules = rules;
    round.dealer = rules.players - 1;
    Key key{};
    for (u32& word : key.words) word = static_cast<u32>(next_random(rng));
    deal_round(round, key, shuffled_deck(rules, key));
    Environment<MAX_SEATS, OrderedPile> env{};
    env.state = round.state;
    start_trail(env, rules);
    u8 row[ENCODING_SIZE];
    u8 other[ENCODING_SIZE];
    while (!is_over(round)) {
        const Observation seen = observe(round, round.state.turn.seat);
        const Sight sight = sight_of(env.state, rules, legal_actions(env.state, rules));
        encode_observation(seen, row);
        encode(sight, rules, env.trail, other);
        if (std::memcmp(row, other, sizeof row) != 0) return "an environment writes another row than an observation";
        const int action = choose_action(seen.legal, rng, false);
        if (action_of_index(seen, index_of_action(seen, action)) != action) return "an index leads to another action";
        apply_in_environment<true>(env, rules, action);
        apply_in_place(round, action);
    }
    return nullptr;
}

}  // namespace lastcard
