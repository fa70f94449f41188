#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "bindings/python_lock.hpp"
#include "search/network.hpp"

namespace lastcard {

namespace {

// A tensor as a file holds it.
struct StoredTensor {
    std::string name;
    bool is_half;
    nb::bytes data;
};

std::shared_ptr<Network> build_network(int players, int hidden, const std::vector<StoredTensor>& tensors,
                                       bool knows_scores, bool knows_lowest) {
    if ((players != 0 && players < 2) || players > MAX_SEATS || hidden < 1 || tensors.size() < 6 ||
        tensors.size() % 2 != 0)
        throw std::invalid_argument("not a network");
    std::vector<Tensor> read;
    for (const StoredTensor& tensor : tensors)
        read.push_back({tensor.name, read_floats(tensor.data.c_str(), tensor.data.size(), tensor.is_half)});
    return std::make_shared<Network>(make_network(players, hidden, read, knows_scores, knows_lowest));
}

using Encoded = nb::ndarray<const u8, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

void evaluate_rows(const Network& network, const Encoded& rows, const Floats& policies, const Floats& values) {
    const std::size_t count = rows.shape(0);
    if (rows.shape(1) != ENCODING_SIZE || policies.size() != count * NUM_ACTIONS || values.size() != count) {
        throw std::invalid_argument("buffers of another size");
    }
    const WithoutLock unlocked;
    std::vector<Evaluation> results(count);
    Evaluator(network).evaluate(rows.data(), count, results.data());
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(policies.data() + i * NUM_ACTIONS, results[i].policy, sizeof results[i].policy);
        values.data()[i] = results[i].value;
    }
}

// The value of a position, and the score of every legal action.
struct NetworkScores {
    double value;
    nb::typed<nb::dict, int, double> actions;
};

NetworkScores score_actions(const Network& network, const Observation& seen) {
    if (!can_play(network, seen.rules)) throw std::invalid_argument("another number of players");
    require_seated(seen);
    const Evaluation evaluation = evaluate_observation(seen, network);
    NetworkScores scores{static_cast<double>(evaluation.value), {}};
    for (const int action : list_actions(seen.legal))
        scores.actions[nb::int_(action)] = static_cast<double>(evaluation.policy[index_of_action(seen, action)]);
    return scores;
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::class_<Network>(module, "Network").def_ro("players", &Network::players);
    nb::class_<StoredTensor>(module, "StoredTensor")
        .def(
            "__init__",
            [](StoredTensor* made, const std::string& name, bool is_half, const nb::bytes& data) {
                new (made) StoredTensor{name, is_half, data};
            },
            nb::kw_only(), nb::arg("name"), nb::arg("is_half"), nb::arg("data"));
    module.def("build_network", &build_network, nb::arg("players"), nb::arg("hidden"), nb::arg("tensors"),
               nb::arg("knows_scores"), nb::arg("knows_lowest"));
    module.def("evaluate_rows", &evaluate_rows, nb::arg("network"), nb::arg("rows"), nb::arg("policies"),
               nb::arg("values"));
    nb::class_<NetworkScores>(module, "NetworkScores")
        .def_ro("value", &NetworkScores::value)
        .def_ro("actions", &NetworkScores::actions);
    module.def("evaluate_observation", &score_actions, nb::arg("network"), nb::arg("observation"));
    module.def("choose_by_network", [](const Observation& seen, const Network& network) {
        if (!can_play(network, seen.rules)) throw std::invalid_argument("another number of players");
        require_decision(seen);
        return choose_by_network(seen, network);
    });
}

}  // namespace lastcard
