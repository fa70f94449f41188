#include "round/vector_env.hpp"

#include <type_traits>

#include "round/compiled_rules.hpp"
#include "round/fail.hpp"
#include "round/threads.hpp"

namespace lastcard {

void VectorEnv::require_deal() const { require(is_dealt, "reset the environments first"); }

template <class Work>
void VectorEnv::for_each(Work work) {
    std::visit(
        [&](auto& all) {
            run_on_threads(threads, all.envs.size(), [&](u64, u64 begin, u64 end) {
                if (has_trail) {
                    for (u64 i = begin; i < end; ++i) work(all.envs[i], all.rules, std::true_type{}, i);
                } else {
                    for (u64 i = begin; i < end; ++i) work(all.envs[i], all.rules, std::false_type{}, i);
                }
            });
        },
        batch);
}

// Large as well.
template <class R, class E>
[[gnu::noinline]] void VectorEnv::write_observation(const Sight& sight, const E& env, const R& rules, u8* rows,
                                                    u64 i) const {
    encode(sight, rules, env.trail, rows + i * ENCODING_SIZE);
}

// What the learner sees of a round or game that is over, before the next is dealt.
template <bool HAS_TRAIL, class R, class E>
void VectorEnv::write_final(const E& env, const R& rules, const ActionSet& legal, const StepBuffers& buffers,
                            u64 i) const {
    if constexpr (HAS_TRAIL) {
        if (buffers.final_observations == nullptr) return;
        Sight sight = sight_in(env, rules);
        sight.legal = legal;
        if (sight.observer != env.learner) sight.turn.drawn = NO_CARD;
        sight.observer = env.learner;
        sight.hand = env.state.hands[env.learner];
        write_observation(sight, env, rules, buffers.final_observations, i);
    }
}

// Plays until the caller has to decide. It is large, so it is compiled once per kind of environment.
template <bool HAS_TRAIL, class R, class E>
[[gnu::noinline]] StepResult VectorEnv::advance(E& env, const R& rules, int action, bool is_new,
                                                const StepBuffers& buffers, u64 i) const {
    return play_on<HAS_TRAIL>(env, rules, settings, action, is_new,
                              [&] { write_final<HAS_TRAIL>(env, rules, ActionSet{}, buffers, i); });
}

template <bool HAS_TRAIL, class R, class E>
void VectorEnv::write_row(const E& env, const R& rules, const StepResult& result, const StepBuffers& buffers,
                          u64 i) const {
    if (buffers.rewards != nullptr) {
        const auto width = static_cast<u64>(rules.players);
        for (u64 seat = 0; seat < width; ++seat)
            buffers.rewards[i * width + seat] = reward_of(result, static_cast<int>(seat), rules.players);
    }
    if (buffers.dones != nullptr) buffers.dones[i] = result.is_done;
    if (buffers.endings != nullptr) buffers.endings[i] = static_cast<u8>(result.ending);
    if (buffers.seats != nullptr) buffers.seats[i] = env.state.turn.seat;
    if (buffers.hidden != nullptr)
        write_hidden(env.state, rules, buffers.hidden + i * static_cast<u64>(hidden_size(rules)));
    if (buffers.masks == nullptr && buffers.observations == nullptr) return;
    const Sight sight = sight_in(env, rules);
    if (buffers.masks != nullptr) write_mask(sight, rules, buffers.masks + i * NUM_ACTIONS);
    if constexpr (HAS_TRAIL) {
        if (buffers.observations == nullptr) return;
        write_observation(sight, env, rules, buffers.observations, i);
    }
}

VectorEnv::VectorEnv(const Rules& rules, const EnvironmentSettings& with, u64 num_envs, u64 from_seed, bool keeps_trail,
                     int on_threads)
    : players(rules.players), has_trail(keeps_trail), settings(with), seed(from_seed), threads(on_threads) {
    with_compiled_rules(rules, [&]<class R, int SEATS>(const R& compiled, Seats<SEATS>) {
        batch = EnvironmentBatch<R, SEATS>{compiled, std::vector<Environment<SEATS>>(num_envs)};
    });
}

void VectorEnv::reset(const StepBuffers& buffers) {
    is_dealt = true;
    for_each([&](auto& env, const auto& rules, auto trail, u64 i) {
        seed_environment(env, rules, seed, i);
        advance<trail()>(env, rules, 0, true, buffers, i);
        write_row<trail()>(env, rules, StepResult{0, NO_SEAT, Ending::NONE}, buffers, i);
    });
}

u64 VectorEnv::find_illegal(const long long* actions) const {
    require_deal();
    return std::visit(
        [&](const auto& all) {
            u64 i = 0;
            while (i < all.envs.size() && is_legal_index(all.envs[i], all.rules, actions[i])) ++i;
            return i;
        },
        batch);
}

void VectorEnv::step(const long long* actions, const StepBuffers& buffers, bool forfeits) {
    for_each([&](auto& env, const auto& rules, auto trail, u64 i) {
        if (forfeits && !is_legal_index(env, rules, actions[i])) {
            write_final<trail()>(env, rules, env.legal, buffers, i);
            count_round(env, rules);
            advance<trail()>(env, rules, 0, true, buffers, i);
            write_row<trail()>(env, rules, StepResult{1, NO_SEAT, Ending::NONE}, buffers, i);
            if (buffers.endings != nullptr) buffers.endings[i] = FORFEITED;
            return;
        }
        const Turn& turn = env.state.turn;
        const int action = action_of_index(rules, turn, turn.seat, static_cast<int>(actions[i]));
        const StepResult result = advance<trail()>(env, rules, action, false, buffers, i);
        write_row<trail()>(env, rules, result, buffers, i);
    });
}

void VectorEnv::choose(std::size_t policy, long long* actions) {
    require(policy < NUM_ENVIRONMENT_POLICIES, "no such policy");
    require_deal();
    std::visit(
        [&](auto& all) {
            run_on_threads(threads, all.envs.size(), [&](u64, u64 begin, u64 end) {
                for (u64 i = begin; i < end; ++i) {
                    auto& env = all.envs[i];
                    const Turn& turn = env.state.turn;
                    const int action = choose_in_environment(env, all.rules, settings.policies[policy], env.rng);
                    actions[i] = index_of_action(all.rules, turn, turn.seat, action);
                }
            });
        },
        batch);
}

EnvironmentTotals VectorEnv::totals() const {
    EnvironmentTotals sum;
    std::visit(
        [&](const auto& all) {
            for (const auto& env : all.envs) sum.add(env.plies, env.rounds, env.wins, env.signature);
        },
        batch);
    return sum;
}

u64 VectorEnv::num_envs() const {
    return std::visit([](const auto& all) { return u64{all.envs.size()}; }, batch);
}

std::vector<int> VectorEnv::legal_indices(u64 i) const {
    require_deal();
    return std::visit(
        [&](const auto& all) {
            std::vector<int> found;
            for (int index = 0; index < NUM_ACTIONS; ++index) {
                if (is_legal_index(all.envs.at(i), all.rules, index)) found.push_back(index);
            }
            return found;
        },
        batch);
}

}  // namespace lastcard
