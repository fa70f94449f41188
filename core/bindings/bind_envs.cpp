#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/unlocked.hpp"
#include "round/vector_env.hpp"
#include "search/check_encoding.hpp"
#include "search/sight.hpp"

namespace lastcard {

namespace {

using Bytes = nb::ndarray<u8, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<float, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<long long, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstIndices = nb::ndarray<const long long, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto* data_of(const std::optional<Array>& array, u64 size) {
    if (array && array->size() != size) throw std::invalid_argument("a buffer of another size");
    return array ? array->data() : nullptr;
}

StepBuffers buffers_for(const VectorEnv& env, const std::optional<Bytes>& observations,
                        const std::optional<Bytes>& masks, const std::optional<Floats>& rewards,
                        const std::optional<Bytes>& dones, const std::optional<Bytes>& seats,
                        const std::optional<Bytes>& hidden = {}, const std::optional<Bytes>& endings = {},
                        const std::optional<Bytes>& finals = {}) {
    if ((observations || finals) && !env.has_trail) throw std::invalid_argument("made without observations");
    const u64 num = env.num_envs();
    StepBuffers buffers;
    buffers.observations = data_of(observations, num * ENCODING_SIZE);
    buffers.masks = data_of(masks, num * NUM_ACTIONS);
    buffers.rewards = data_of(rewards, num * static_cast<u64>(env.players));
    buffers.dones = data_of(dones, num);
    buffers.seats = data_of(seats, num);
    buffers.hidden = data_of(hidden, num * static_cast<u64>(NUM_CARD_FACES * (env.players - 1)));
    buffers.endings = data_of(endings, num);
    buffers.final_observations = data_of(finals, num * ENCODING_SIZE);
    return buffers;
}

EnvironmentSettings settings_for(const std::vector<u8>& who, const std::vector<float>& weights, bool splits_unfinished,
                                 bool plays_games) {
    EnvironmentSettings settings{};
    require_finite(weights, "weights must be finite");
    if (who.size() > MAX_SEATS || weights.size() != NUM_WEIGHTS) throw std::invalid_argument("settings out of range");
    for (u8& policy : settings.who) policy = NO_POLICY;
    for (std::size_t seat = 0; seat < who.size(); ++seat) {
        if (who[seat] != NO_POLICY && who[seat] >= NUM_ENVIRONMENT_POLICIES)
            throw std::invalid_argument("no such policy");
        settings.who[seat] = who[seat];
    }
    settings.policies[0].is_random = true;
    settings.splits_unfinished = splits_unfinished;
    settings.plays_games = plays_games;
    for (std::size_t i = 0; i < NUM_WEIGHTS; ++i) settings.policies[1].weights.values[i] = weights[i];
    return settings;
}

struct EncodingBlock {
    int start;
    int stop;
    int unit;
};

std::vector<EncodingBlock> list_blocks() {
    std::vector<EncodingBlock> blocks;
    for (int block = 0; block < NUM_BLOCKS; ++block)
        blocks.push_back({LAYOUT.start[block], LAYOUT.start[block + 1], BLOCKS.shapes[block].unit});
    return blocks;
}

std::vector<std::string> list_more_switches() {
    std::vector<std::string> names;
    int index = 0;
    Rules::visit_fields([&](const char* name, auto, int, int) {
        if (index++ >= FIRST_OF_MORE_SWITCHES) names.emplace_back(name);
    });
    return names;
}

template <class T>
nb::bytes bytes_of(const T& value) {
    return nb::bytes(reinterpret_cast<const char*>(&value), sizeof value);
}

// Environments elsewhere count for themselves: four numbers each.
EnvironmentTotals sum_totals(const nb::ndarray<const u64, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows) {
    if (rows.shape(1) != 4) throw std::invalid_argument("four numbers for each environment");
    EnvironmentTotals sum;
    for (const u64* row = rows.data(); row != rows.data() + rows.size(); row += 4)
        sum.add(row[0], row[1], row[2], row[3]);
    return sum;
}

// Empty, or what is wrong and in which round.
std::string check_encodings(const Rules& rules, u64 num_rounds, u64 seed) {
    for (u64 i = 0; i < num_rounds && !is_stopped(); ++i) {
        const char* fault = check_encoding(rules, seed + i);
        if (fault != nullptr) return "seed " + std::to_string(seed + i) + ": " + fault;
    }
    return "";
}

}  // namespace

void bind_envs(nb::module_& module) {
    module.attr("ENCODING_VERSION") = ENCODING_VERSION;
    module.attr("SCORING_SWITCH") = SCORING_SWITCH;
    module.def("more_switches", &list_more_switches);
    module.attr("LEAST_INPUTS") = LEAST_INPUTS;
    module.attr("NUM_CARD_FACES") = NUM_CARD_FACES;
    module.attr("NUM_ACTIONS") = NUM_ACTIONS;
    nb::class_<EncodingBlock>(module, "EncodingBlock")
        .def_ro("start", &EncodingBlock::start)
        .def_ro("stop", &EncodingBlock::stop)
        .def_ro("unit", &EncodingBlock::unit);
    module.def("encoding_blocks", &list_blocks);
    module.def("encode_observation", [](const Observation& seen, const Bytes& row) {
        require_seated(seen);
        if (row.size() != ENCODING_SIZE) throw std::invalid_argument("a row of another size");
        encode_observation(seen, row.data());
    });
    module.def("check_encodings", unlocked(&check_encodings), nb::arg("rules"), nb::arg("num_rounds"), nb::arg("seed"));
    module.def("write_mask", [](const Observation& seen, const Bytes& mask) {
        require_seated(seen);
        if (mask.size() != NUM_ACTIONS) throw std::invalid_argument("a mask of another size");
        write_mask(sight_of(seen), seen.rules, mask.data());
    });
    module.def("index_of_action", [](const Observation& seen, int action) {
        require_seated(seen);
        require_range(action, 0, NUM_ACTIONS - 1, "no such action");
        require(action < FIRST_SWAP + seen.rules.players || action >= FIRST_COLOR, "no such seat");
        return index_of_action(seen, action);
    });
    module.def("action_of_index", [](const Observation& seen, int index) {
        require_seated(seen);
        require_range(index, 0, NUM_ACTIONS - 1, "no such action");
        return action_of_index(seen, index);
    });
    // For a GPU, where the same sources read them.
    module.def("rules_bytes", [](const Rules& rules) { return bytes_of(rules); });
    module.def("environment_settings_bytes",
               [](const std::vector<u8>& who, const std::vector<float>& weights, bool splits_unfinished, bool games) {
                   return bytes_of(settings_for(who, weights, splits_unfinished, games));
               });
    nb::class_<EnvironmentTotals>(module, "EnvironmentTotals")
        .def_ro("plies", &EnvironmentTotals::plies)
        .def_ro("rounds", &EnvironmentTotals::rounds)
        .def_ro("wins", &EnvironmentTotals::wins)
        .def_ro("signature", &EnvironmentTotals::signature);
    module.def("sum_totals", &sum_totals);
    nb::class_<VectorEnv>(module, "VectorEnv")
        .def(
            "__init__",
            [](VectorEnv* env, const Rules& rules, const std::vector<u8>& who, const std::vector<float>& weights,
               u64 num_envs, u64 seed, bool observes, int threads, bool splits_unfinished, bool games) {
                require(num_envs >= 1 && num_envs <= MOST_AT_ONCE, "num_envs out of range");
                require_threads(threads);
                const EnvironmentSettings settings = settings_for(who, weights, splits_unfinished, games);
                new (env) VectorEnv(rules, settings, num_envs, seed, observes, threads);
            },
            nb::kw_only(), nb::arg("rules"), nb::arg("who"), nb::arg("weights"), nb::arg("num_envs"), nb::arg("seed"),
            nb::arg("observes"), nb::arg("threads"), nb::arg("splits_unfinished"), nb::arg("games"))
        .def(
            "reset",
            [](VectorEnv& env, const std::optional<Bytes>& observations, const std::optional<Bytes>& masks,
               const std::optional<Floats>& rewards, const std::optional<Bytes>& dones,
               const std::optional<Bytes>& seats, const std::optional<Bytes>& hidden) {
                const StepBuffers buffers = buffers_for(env, observations, masks, rewards, dones, seats, hidden);
                const WithoutLock unlocked;
                env.reset(buffers);
            },
            nb::arg("observations").none(), nb::arg("masks").none(), nb::arg("rewards").none(), nb::arg("dones").none(),
            nb::arg("seats").none(), nb::arg("hidden").none())
        .def(
            "step",
            [](VectorEnv& env, const ConstIndices& actions, const std::optional<Bytes>& observations,
               const std::optional<Bytes>& masks, const std::optional<Floats>& rewards,
               const std::optional<Bytes>& dones, const std::optional<Bytes>& seats, const std::optional<Bytes>& hidden,
               const std::optional<Bytes>& endings, const std::optional<Bytes>& final_observations, bool forfeits) {
                if (actions.size() != env.num_envs()) throw std::invalid_argument("one action for each environment");
                const StepBuffers buffers =
                    buffers_for(env, observations, masks, rewards, dones, seats, hidden, endings, final_observations);
                const WithoutLock unlocked;
                const u64 illegal = forfeits ? env.num_envs() : env.find_illegal(actions.data());
                if (illegal == env.num_envs()) env.step(actions.data(), buffers, forfeits);
                return illegal;
            },
            nb::arg("actions"), nb::arg("observations").none(), nb::arg("masks").none(), nb::arg("rewards").none(),
            nb::arg("dones").none(), nb::arg("seats").none(), nb::arg("hidden") = nb::none(),
            nb::arg("endings") = nb::none(), nb::arg("final_observations") = nb::none(), nb::arg("forfeits") = false)
        .def("choose",
             [](VectorEnv& env, std::size_t policy, const Indices& actions) {
                 if (actions.size() != env.num_envs()) throw std::invalid_argument("one action for each environment");
                 const WithoutLock unlocked;
                 env.choose(policy, actions.data());
             })
        .def("legal_indices", &VectorEnv::legal_indices)
        .def("totals", &VectorEnv::totals);
}

}  // namespace lastcard
