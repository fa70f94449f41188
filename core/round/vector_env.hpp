// Many environments side by side, stepped on several threads, with the same result on any number of them.
#pragma once

#include <stdexcept>
#include <variant>
#include <vector>

#include "round/batch.hpp"
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
    VectorEnv(const Rules& rules, const EnvironmentSettings& settings, u64 num_envs, u64 seed, bool has_trail,
              int version, int threads)
        : settings_(settings),
          seed_(seed),
          players_(rules.players),
          version_(version),
          has_trail_(has_trail),
          threads_(threads) {
        constexpr OfficialRules<2> two;
        constexpr OfficialRules<4> four;
        if (are_same_rules(rules, two)) batch_ = EnvironmentBatch<OfficialRules<2>, 2>{two, {}};
        else if (are_same_rules(rules, four)) batch_ = EnvironmentBatch<OfficialRules<4>, 4>{four, {}};
        else batch_ = EnvironmentBatch<Rules, MAX_SEATS>{rules, {}};
        std::visit([&](auto& batch) { batch.envs.resize(num_envs); }, batch_);
    }

    // Deals anew in every environment, as at the beginning.
    void reset(const StepBuffers& buffers) {
        is_dealt_ = true;
        for_each([&](auto& env, const auto& rules, auto trail, u64 i) {
            open_environment<trail()>(env, rules, settings_, seed_, i);
            write_row<trail()>(env, rules, StepResult{0, NO_SEAT, Ending::NONE}, buffers, i);
        });
    }

    // The first environment for which the action is not legal, or how many there are.
    u64 find_illegal(const long long* actions) const {
        require_deal();
        return std::visit(
            [&](const auto& batch) {
                u64 i = 0;
                while (i < batch.envs.size() && is_legal_index(batch.envs[i], batch.rules, actions[i])) ++i;
                return i;
            },
            batch_);
    }

    // Takes an action in every environment; they must all be legal, unless an illegal one is to lose its round.
    void step(const long long* actions, const StepBuffers& buffers, bool forfeits) {
        for_each([&](auto& env, const auto& rules, auto trail, u64 i) {
            if (forfeits && !is_legal_index(env, rules, actions[i])) {
                write_final<trail()>(env, rules, env.legal, buffers, i);
                count_round(env, rules);
                play_on<trail()>(env, rules, settings_, 0, true);
                write_row<trail()>(env, rules, StepResult{1, NO_SEAT, Ending::NONE}, buffers, i);
                if (buffers.endings != nullptr) buffers.endings[i] = FORFEITED;
                return;
            }
            const auto last_look = [&] { write_final<trail()>(env, rules, ActionSet{}, buffers, i); };
            const int action = static_cast<int>(actions[i]);
            const StepResult result = step_environment<trail()>(env, rules, settings_, action, last_look);
            write_row<trail()>(env, rules, result, buffers, i);
        });
    }

    // What a policy would do in every environment.
    void choose(std::size_t policy, long long* actions) {
        if (policy >= NUM_ENVIRONMENT_POLICIES) throw std::invalid_argument("no such policy");
        require_deal();
        for_each([&](auto& env, const auto& rules, auto, u64 i) {
            const Turn& turn = env.state.turn;
            const int action = choose_in_environment(env, rules, settings_.policies[policy], env.rng);
            actions[i] = index_of_action(rules, turn, turn.seat, action);
        });
    }

    EnvironmentTotals totals() const {
        EnvironmentTotals sum;
        std::visit(
            [&](const auto& batch) {
                for (const auto& env : batch.envs) sum.add(env.plies, env.rounds, env.wins, env.signature);
            },
            batch_);
        return sum;
    }

    u64 num_envs() const {
        return std::visit([](const auto& batch) { return u64{batch.envs.size()}; }, batch_);
    }
    int players() const { return players_; }
    int version() const { return version_; }
    bool has_trail() const { return has_trail_; }

    // Legal actions of one environment by their index, for error messages.
    std::vector<int> legal_indices(u64 i) const {
        require_deal();
        return std::visit(
            [&](const auto& batch) {
                std::vector<int> found;
                for (int index = 0; index < NUM_ACTIONS; ++index) {
                    if (is_legal_index(batch.envs.at(i), batch.rules, index)) found.push_back(index);
                }
                return found;
            },
            batch_);
    }

private:
    std::variant<EnvironmentBatch<Rules, MAX_SEATS>, EnvironmentBatch<OfficialRules<2>, 2>,
                 EnvironmentBatch<OfficialRules<4>, 4>>
        batch_;
    EnvironmentSettings settings_;
    u64 seed_;
    int players_;
    int version_;  // of the encoding
    bool has_trail_;
    int threads_;
    bool is_dealt_ = false;

    void require_deal() const {
        if (!is_dealt_) throw std::invalid_argument("reset the environments first");
    }

    template <class Work>
    void for_each(Work work) {
        std::visit(
            [&](auto& batch) {
                run_on_threads(threads_, batch.envs.size(), [&](u64, u64 begin, u64 end) {
                    if (has_trail_) {
                        for (u64 i = begin; i < end; ++i) work(batch.envs[i], batch.rules, std::true_type{}, i);
                    } else {
                        for (u64 i = begin; i < end; ++i) work(batch.envs[i], batch.rules, std::false_type{}, i);
                    }
                });
            },
            batch_);
    }

    // What the learner sees of a round that is over, before the next is dealt.
    template <bool HAS_TRAIL, class R, class E>
    void write_final(const E& env, const R& rules, const ActionSet& legal, const StepBuffers& buffers, u64 i) const {
        if constexpr (HAS_TRAIL) {
            if (buffers.final_observations == nullptr) return;
            Sight sight = sight_of(env.state, rules, legal);
            if (sight.observer != env.learner) sight.turn.drawn = NO_CARD;
            sight.observer = env.learner;
            sight.hand = env.state.hands[env.learner];
            const auto size = static_cast<u64>(encoding_size(version_, rules.players));
            encode(version_, sight, rules, env.trail, buffers.final_observations + i * size);
        }
    }

    template <bool HAS_TRAIL, class R, class E>
    void write_row(const E& env, const R& rules, const StepResult& result, const StepBuffers& buffers, u64 i) const {
        const auto players = static_cast<u64>(rules.players);
        if (buffers.rewards != nullptr) {
            for (u64 seat = 0; seat < players; ++seat)
                buffers.rewards[i * players + seat] = reward_of(result, static_cast<int>(seat), rules.players);
        }
        if (buffers.dones != nullptr) buffers.dones[i] = result.is_done;
        if (buffers.endings != nullptr) buffers.endings[i] = static_cast<u8>(result.ending);
        if (buffers.seats != nullptr) buffers.seats[i] = env.state.turn.seat;
        if (buffers.hidden != nullptr)
            write_hidden(env.state, rules, buffers.hidden + i * static_cast<u64>(hidden_size(rules)));
        if (buffers.masks == nullptr && buffers.observations == nullptr) return;
        const Sight sight = sight_of(env.state, rules, env.legal);
        if (buffers.masks != nullptr) write_mask(sight, rules, buffers.masks + i * NUM_ACTIONS);
        if constexpr (HAS_TRAIL) {
            if (buffers.observations == nullptr) return;
            const auto size = static_cast<u64>(encoding_size(version_, rules.players));
            encode(version_, sight, rules, env.trail, buffers.observations + i * size);
        }
    }
};

}  // namespace lastcard
