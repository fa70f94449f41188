// Options of agents, read by name: the tables of core/search say which there are, and within which limits.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>

#include "game/json.hpp"
#include "round/fail.hpp"
#include "search/expectiminimax.hpp"
#include "search/halving.hpp"

namespace lastcard {

// What options alone do not say.
struct Surroundings {
    Weights weights{};
    Advisor advisor{};
};

inline std::string limits_of(const Limits& limits) {
    return "from " + format_json(limits.least) + " to " + format_json(limits.most);
}

// Reads one option; fails naming it, what was read and what was expected.
template <class Value>
void read_option(Value& value, const char* name, const Json& given, const Limits& limits) {
    const auto refuse = [&](const std::string& wanted) {
        fail(std::string(name) + " must be " + wanted + ", not " + shorten(given));
    };
    if constexpr (std::is_same_v<Value, bool>) {
        if (given.kind != Json::Kind::FLAG) refuse("true or false");
        value = given.flag;
    } else if constexpr (std::is_enum_v<Value>) {
        std::string known;
        int index = 0;
        for (const char* word : words_of(Value{})) {
            if (given.kind == Json::Kind::TEXT && given.text == word) return void(value = static_cast<Value>(index));
            known += (known.empty() ? "" : ", ") + std::string(word);
            index += 1;
        }
        refuse("one of " + known);
    } else {
        const bool is_within = given.number >= limits.least && given.number <= limits.most;
        const bool is_whole = std::is_floating_point_v<Value> || given.number == std::floor(given.number);
        if (given.kind != Json::Kind::NUMBER || !is_within || !is_whole)
            refuse((std::is_floating_point_v<Value> ? "a number " : "a whole number ") + limits_of(limits));
        value = static_cast<Value>(given.number);
    }
}

// Fills a record of the core from an agent's options. What is no option of that name keeps its value.
template <class Record>
void read_options(Record& record, const Json& options, const Surroundings& around) {
    Record::visit_options([&](const char* name, auto member, const Limits& limits, const char*) {
        auto& value = record.*member;
        using Value = std::remove_reference_t<decltype(value)>;
        if constexpr (requires { Value::visit_options([](auto...) {}); }) {
            read_options(value, options, around);
        } else if constexpr (std::is_same_v<Value, Weights>) {
            value = around.weights;
        } else if constexpr (std::is_same_v<Value, Advisor>) {
            value = around.advisor;
        } else if constexpr (!std::is_same_v<Value, Prior>) {
            const bool is_belief = std::is_same_v<Value, BeliefKind>;
            const Json* given = options.find(is_belief ? "belief" : name);
            if (given != nullptr) read_option(value, is_belief ? "belief" : name, *given, limits);
        }
    });
}

}  // namespace lastcard
