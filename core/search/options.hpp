// Options of beliefs and searches, each stated in one line.
//
// A table lists the options of one struct: type, name, value unless set, help, and for numbers the least and the most.
// The struct, the record that Python fills (bindings/bind_options.cpp) and the dataclass that people write
// (bindings/make_configs.py) are made from the table. A choice between words is an enum, whose words `words_of` lists.
#pragma once

#include <array>

namespace lastcard {

struct Limits {
    double least = 0.0;
    double most = 0.0;
};

constexpr double MOST_SIMULATIONS = 1e7;
constexpr double MOST_SECONDS = 60.0;
constexpr double MOST_SEARCH_THREADS = 64;

// Instead of help: a value that is no option for people, or a record whose options are those of the one that has it.
constexpr const char* NO_HELP = nullptr;

enum class PolicyKind : unsigned char { HEURISTIC, RANDOM };
constexpr std::array<const char*, 2> words_of(PolicyKind) { return {"heuristic", "random"}; }

}  // namespace lastcard

#define LASTCARD_OPTION_MEMBER(type, name, value, ...) type name = value;
#define LASTCARD_OPTION_VISIT(type, name, value, help, ...) visit(#name, &Self::name, Limits{__VA_ARGS__}, help);

// Defines a struct with the options of the table, and a function that visits each: its name, member, limits and help.
#define LASTCARD_OPTIONS(Struct, TABLE)                 \
    struct Struct {                                     \
        TABLE(LASTCARD_OPTION_MEMBER)                   \
        template <class Visit>                          \
        static void visit_options(const Visit& visit) { \
            using Self = Struct;                        \
            TABLE(LASTCARD_OPTION_VISIT)                \
        }                                               \
    };
