// One GPU thread for each round, run of playouts or environment; the rules are the headers of the CPU's core.
//
// Compiled at run time for one set of rules: LASTCARD_SEATS hands, and OfficialRules<LASTCARD_SEATS> if LASTCARD_OFFICIAL
// is defined, otherwise rules that are read from memory. Cards are looked up at random all the time, so each thread's
// state lies in shared memory, which serves that faster than the local one.
#include "rules/environment.hpp"
#include "rules/playout.hpp"

namespace lastcard {

#ifdef LASTCARD_OFFICIAL
using GpuRules = OfficialRules<LASTCARD_SEATS>;
#define LASTCARD_READ_RULES(given) \
    static_cast<void>(given);      \
    constexpr GpuRules rules
#else
using GpuRules = Rules;
#define LASTCARD_READ_RULES(given) const GpuRules& rules = *(given)
#endif

using GpuState = State<SetPile, LASTCARD_SEATS>;
using GpuEnvironment = Environment<LASTCARD_SEATS>;

__device__ u64 thread_index() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }

__device__ void add_up(u64* place, u64 value) {
    for (int apart = 16; apart > 0; apart >>= 1) value += __shfl_down_sync(~0u, value, apart);
    if ((threadIdx.x & 31) == 0 && value != 0) atomicAdd(place, value);
}

struct GpuTally {
    u64 wins[LASTCARD_SEATS], points[LASTCARD_SEATS], plies, drawn, signature;
};

__device__ void tally_round(GpuTally& tally, const GpuState& state, const GpuRules& rules) {
    int points[MAX_SEATS];
    score_round(state, rules, points);
    for (int seat = 0; seat < LASTCARD_SEATS; ++seat) {
        tally.points[seat] += seat < rules.players ? static_cast<u64>(points[seat]) : 0;
        tally.wins[seat] += state.turn.winner == seat ? 1 : 0;
    }
    tally.drawn += state.turn.winner == NO_SEAT ? 1 : 0;
    tally.plies += state.turn.ply;
    tally.signature += digest_round(state, rules) ^ state.turn.top;
}

// Wins and points by seat, plies, rounds without a winner, signature: as `Tally` on the CPU.
__device__ void report_tally(const GpuTally& tally, u64* out) {
    for (int seat = 0; seat < LASTCARD_SEATS; ++seat) {
        add_up(out + seat, tally.wins[seat]);
        add_up(out + MAX_SEATS + seat, tally.points[seat]);
    }
    add_up(out + 2 * MAX_SEATS, tally.plies);
    add_up(out + 2 * MAX_SEATS + 1, tally.drawn);
    add_up(out + 2 * MAX_SEATS + 2, tally.signature);
}

extern __shared__ unsigned char shared_memory[];

// Rounds `first` up to `first + num_rounds` of the batch that the seed fixes.
extern "C" __global__ void play_random_rounds(const Rules* given, u64 seed, u64 first, u64 num_rounds, u64* out) {
    LASTCARD_READ_RULES(given);
    GpuState& state = reinterpret_cast<GpuState*>(shared_memory)[threadIdx.x];
    GpuTally tally{};
    for (u64 i = thread_index(); i < num_rounds; i += static_cast<u64>(gridDim.x) * blockDim.x) {
        play_random_round(state, rules, seed, first + i);
        tally_round(tally, state, rules);
    }
    report_tally(tally, out);
}

struct AddAtomically {
    __device__ void operator()(u64& place, u64 value) const { atomicAdd(&place, value); }
};

// Playouts `first` up to `first + num_playouts` of the batch that the seed fixes, to each thread a run of them: few positions
// fall to one thread, and few threads to one position.
extern "C" __global__ void play_out_positions(const Rules* given, const Position* positions, u64 num_each, u64 seed,
                                              u64 first, u64 num_playouts, u64* rows) {
    LASTCARD_READ_RULES(given);
    GpuState& state = reinterpret_cast<GpuState*>(shared_memory)[threadIdx.x];
    const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
    const u64 begin = first + num_playouts * thread_index() / threads;
    const u64 end = first + num_playouts * (thread_index() + 1) / threads;
    play_out_range(state, rules, positions, num_each, seed, begin, end, rows, AddAtomically{});
}

// Where a step writes, one row for each environment; null for what nobody asked for.
struct GpuBuffers {
    u8* observations;
    u8* masks;
    float* rewards;
    u8* dones;
    u8* seats;
    u8* hidden;
};

// Rows are written to shared memory first, and from there by the whole warp, neighbor by neighbor.
__device__ void copy_rows(u8* to, u8* rows, int size, u64 first, u64 num_envs) {
    __syncwarp();
    const int lane = static_cast<int>(threadIdx.x & 31);
    const u64 count = num_envs - first < 32 ? num_envs - first : 32;
    const u64 bytes = count * static_cast<u64>(size);
    u8* place = to + first * static_cast<u64>(size);
    const bool is_aligned = (reinterpret_cast<u64>(place) & 3) == 0;
    const u64 words = is_aligned ? bytes / 4 : 0;
    for (u64 i = static_cast<u64>(lane); i < words; i += 32)
        reinterpret_cast<u32*>(place)[i] = reinterpret_cast<const u32*>(rows)[i];
    for (u64 i = 4 * words + static_cast<u64>(lane); i < bytes; i += 32) place[i] = rows[i];
    __syncwarp();
}

template <bool HAS_TRAIL>
__device__ void write_row(const GpuEnvironment& env, const GpuRules& rules, const StepResult& result,
                          const GpuBuffers& buffers, u64 i, u64 num_envs, u8* warp_rows) {
    const bool is_real = i < num_envs;
    const u64 first = i - (threadIdx.x & 31);
    if (first >= num_envs) return;
    if (is_real && buffers.rewards != nullptr) {
        for (int seat = 0; seat < rules.players; ++seat)
            buffers.rewards[i * static_cast<u64>(rules.players) + static_cast<u64>(seat)] =
                reward_of(result, seat, rules.players);
    }
    if (is_real && buffers.dones != nullptr) buffers.dones[i] = result.is_done;
    if (is_real && buffers.seats != nullptr) buffers.seats[i] = env.state.turn.seat;
    if (is_real && buffers.hidden != nullptr)
        write_hidden(env.state, rules, buffers.hidden + i * static_cast<u64>(hidden_size(rules)));
    const Sight sight = sight_in(env, rules);
    if (buffers.masks != nullptr) {
        if (is_real) write_mask(sight, rules, warp_rows + (threadIdx.x & 31) * NUM_ACTIONS);
        copy_rows(buffers.masks, warp_rows, NUM_ACTIONS, first, num_envs);
    }
    if constexpr (HAS_TRAIL) {
        if (buffers.observations == nullptr) return;
        u8* row = warp_rows + (threadIdx.x & 31) * static_cast<u32>(ENCODING_SIZE);
        if (is_real) encode(sight, rules, env.trail, row);
        copy_rows(buffers.observations, warp_rows, ENCODING_SIZE, first, num_envs);
    }
}

// The part of shared memory in which a warp makes its rows.
__device__ u8* rows_of_warp() { return shared_memory + (threadIdx.x / 32) * 32u * static_cast<u32>(ENCODING_SIZE); }

template <bool HAS_TRAIL>
__device__ void open_all(const Rules* given, const EnvironmentSettings* settings, GpuEnvironment* envs, u64 num_envs,
                         u64 seed, const GpuBuffers& buffers) {
    LASTCARD_READ_RULES(given);
    const u64 i = thread_index();
    GpuEnvironment env;
    open_environment<HAS_TRAIL>(env, rules, *settings, seed, i);
    write_row<HAS_TRAIL>(env, rules, StepResult{0, NO_SEAT, Ending::NONE}, buffers, i, num_envs, rows_of_warp());
    if (i < num_envs) envs[i] = env;
}

template <bool HAS_TRAIL>
__device__ void step_all(const Rules* given, const EnvironmentSettings* settings, GpuEnvironment* envs, u64 num_envs,
                         const long long* actions, const GpuBuffers& buffers) {
    LASTCARD_READ_RULES(given);
    const u64 i = thread_index();
    const u64 mine = i < num_envs ? i : num_envs - 1;
    GpuEnvironment env = envs[mine];
    const StepResult result = step_environment<HAS_TRAIL>(env, rules, *settings, static_cast<int>(actions[mine]));
    write_row<HAS_TRAIL>(env, rules, result, buffers, i, num_envs, rows_of_warp());
    if (i < num_envs) envs[i] = env;
}

extern "C" __global__ void open_environments(const Rules* given, const EnvironmentSettings* settings,
                                             GpuEnvironment* envs, u64 num_envs, u64 seed, u8* observations, u8* masks,
                                             float* rewards, u8* dones, u8* seats, u8* hidden) {
    const GpuBuffers buffers{observations, masks, rewards, dones, seats, hidden};
    open_all<true>(given, settings, envs, num_envs, seed, buffers);
}

extern "C" __global__ void open_blind_environments(const Rules* given, const EnvironmentSettings* settings,
                                                   GpuEnvironment* envs, u64 num_envs, u64 seed, u8* observations,
                                                   u8* masks, float* rewards, u8* dones, u8* seats, u8* hidden) {
    const GpuBuffers buffers{observations, masks, rewards, dones, seats, hidden};
    open_all<false>(given, settings, envs, num_envs, seed, buffers);
}

extern "C" __global__ void step_environments(const Rules* given, const EnvironmentSettings* settings,
                                             GpuEnvironment* envs, u64 num_envs, const long long* actions,
                                             u8* observations, u8* masks, float* rewards, u8* dones, u8* seats,
                                             u8* hidden) {
    const GpuBuffers buffers{observations, masks, rewards, dones, seats, hidden};
    step_all<true>(given, settings, envs, num_envs, actions, buffers);
}

extern "C" __global__ void step_blind_environments(const Rules* given, const EnvironmentSettings* settings,
                                                   GpuEnvironment* envs, u64 num_envs, const long long* actions,
                                                   u8* observations, u8* masks, float* rewards, u8* dones, u8* seats,
                                                   u8* hidden) {
    const GpuBuffers buffers{observations, masks, rewards, dones, seats, hidden};
    step_all<false>(given, settings, envs, num_envs, actions, buffers);
}

// The lowest environment for which the action is not legal is left in `illegal`.
extern "C" __global__ void find_illegal(const Rules* given, const GpuEnvironment* envs, u64 num_envs,
                                        const long long* actions, u64* illegal) {
    LASTCARD_READ_RULES(given);
    const u64 i = thread_index();
    if (i < num_envs && !is_legal_index(envs[i], rules, actions[i])) atomicMin(illegal, i);
}

extern "C" __global__ void choose_by_policy_all(const Rules* given, const EnvironmentSettings* settings,
                                                GpuEnvironment* envs, u64 num_envs, int policy, long long* actions) {
    LASTCARD_READ_RULES(given);
    const u64 i = thread_index();
    if (i >= num_envs) return;
    GpuEnvironment& env = envs[i];
    const int action = choose_in_environment(env, rules, settings->policies[policy], env.rng);
    actions[i] = index_of_action(rules, env.state.turn, env.state.turn.seat, action);
}

extern "C" __global__ void read_totals(const GpuEnvironment* envs, u64 num_envs, u64* rows) {
    const u64 i = thread_index();
    if (i >= num_envs) return;
    rows[4 * i] = envs[i].plies;
    rows[4 * i + 1] = envs[i].rounds;
    rows[4 * i + 2] = envs[i].wins;
    rows[4 * i + 3] = envs[i].signature;
}

extern "C" __global__ void read_sizes(u64* sizes) {
    sizes[0] = sizeof(GpuState);
    sizes[1] = sizeof(GpuEnvironment);
    sizes[2] = sizeof(Position);
}

}  // namespace lastcard
