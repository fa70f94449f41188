// Many environments side by side, stepped on several threads, with the same result on any number of them.
#pragma once

#include <variant>
#include <vector>

#include "rules/environment.hpp"

namespace lastcard {

// Where a step writes, one row for each environment; null for what nobody asked for.
struct StepBuffers {
    u8* observations = nullptr;
    u8* masks = nullptr;
    float* rewards = nullptr;  // one for each seat
    u8* dones = nullptr;
    u8* seats = nullptr;
    u8* hidden = nullptr;              // for a critic alone
    u8* endings = nullptr;             // an Ending, or FORFEITED
    u8* final_observations = nullptr;  // of the learner, written only where a round ended
};

// The ending of a round in which an illegal action was taken, where that loses it.
constexpr u8 FORFEITED = static_cast<u8>(Ending::MAX_PLIES) + 1;

struct EnvironmentTotals {
    u64 plies = 0;
    u64 rounds = 0;
    u64 wins = 0;
    u64 signature = 0;

    // The order of environments matters to the signature.
    void add(u64 more_plies, u64 more_rounds, u64 more_wins, u64 env_signature) {
        plies += more_plies;
        rounds += more_rounds;
        wins += more_wins;
        signature = multiply_mix(signature ^ env_signature, 0x2D358DCCAA6C78A5ull);
    }
};

template <class R, int SEATS>
struct EnvironmentBatch {
    R rules;
    std::vector<Environment<SEATS>> envs;
};

class VectorEnv {
public:
    VectorEnv(const Rules& rules, const EnvironmentSettings& with, u64 num_envs, u64 from_seed, bool keeps_trail,
              int on_threads);

    const int players;
    const bool has_trail;

    u64 num_envs() const;

    // Deals again in every environment, as at the start.
    void reset(const StepBuffers& buffers);

    // The first environment for which the action is not legal, or how many there are.
    u64 find_illegal(const long long* actions) const;

    // Takes an action in every environment; they must all be legal, unless an illegal one is to lose its round.
    void step(const long long* actions, const StepBuffers& buffers, bool forfeits);

    // What a policy would do in every environment.
    void choose(std::size_t policy, long long* actions);

    EnvironmentTotals totals() const;

    // Legal actions of one environment by their index, for error messages.
    std::vector<int> legal_indices(u64 i) const;

private:
    std::variant<EnvironmentBatch<Rules, MAX_SEATS>, EnvironmentBatch<OfficialRules<2>, 2>,
                 EnvironmentBatch<OfficialRules<4>, 4>>
        batch;
    EnvironmentSettings settings;
    u64 seed;
    int threads;
    bool is_dealt = false;

    void require_deal() const;

    template <class Work>
    void for_each(Work work);

    template <class R, class E>
    void write_observation(const Sight& sight, const E& env, const R& rules, u8* rows, u64 i) const;

    template <bool HAS_TRAIL, class R, class E>
    void write_final(const E& env, const R& rules, const ActionSet& legal, const StepBuffers& buffers, u64 i) const;

    template <bool HAS_TRAIL, class R, class E>
    StepResult advance(E& env, const R& rules, int action, bool is_new, const StepBuffers& buffers, u64 i) const;

    template <bool HAS_TRAIL, class R, class E>
    void write_row(const E& env, const R& rules, const StepResult& result, const StepBuffers& buffers, u64 i) const;
};

}  // namespace lastcard
