// Agents by name and options, as the Python package names them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "game/json.hpp"
#include "search/halving.hpp"
#include "search/network.hpp"
#include "search/pomcp.hpp"
#include "search/trace.hpp"
#include "wasm/requests.hpp"

namespace lastcard {

// Networks that the host has loaded, by the names of their files.
using Networks = std::map<std::string, std::shared_ptr<const Network>>;

// Reads the contents of a safetensors file. Fails saying what is wrong with it.
std::shared_ptr<const Network> read_network(const char* bytes, std::size_t size);

class Agent {
public:
    // `described` is a text such as "halving:simulations=5000", or an object with the name under `agent` and options.
    Agent(const Json& described, const Key& seed);

    // The choice with everything that led to it: `best`, and of searches `actions`, `by_policy`, `simulations`, `line`.
    Json decide(const Observation& seen, const Networks& networks);

    // The same with what it rests on: `belief`, of searches `reasons`, and of tree searches `tree`.
    // `random` stands in for the random numbers that the agent would have for this decision.
    Json analyse(const Observation& seen, const Networks& networks, std::optional<u64> random = {});

    // The same with what the search wrote down on the way: `stages` of halving, and `tree` of expectiminimax as well.
    Json explain(const Observation& seen, const Networks& networks);

    // The agent as it answers in a window, where it has to be quick.
    Agent in_window() const;

    // The network that it needs by these rules; empty if none.
    std::string network_for(const Rules& rules) const;

private:
    std::string kind;
    Json options;
    Key seed{};
    std::optional<Pomcp> pomcp;  // keeps its tree from decision to decision
    int pomcp_players = 0;

    // What a search leaves behind besides its report.
    struct Basis {
        std::optional<Belief> belief;
        std::shared_ptr<const std::vector<Tree>> trees;
        std::vector<std::vector<StageResult>> stages;
        std::optional<DeterminizationTrace> trace;  // made by those who want it
    };

    Agent() = default;
    bool is_network() const;
    Json decide(const Observation& seen, const Networks& networks, u64 random, Basis& basis);
    Json analyse(const Observation& seen, const Networks& networks, u64 random, Basis& basis);
    Json search(const Observation& seen, const Advisor& advisor, u64 random, Basis& basis);
};

}  // namespace lastcard
