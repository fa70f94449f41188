// Options of beliefs and searches, each stated in one line.
//
// A table lists the options of one struct: type, name, value unless set, and for numbers the least and the most. The
// struct, and the record that Python fills (bindings/bind_options.cpp), are made from the table. The names are those of
// the options in Python. A choice between words is an enum, whose words `words_of` lists.
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

enum class PolicyKind : unsigned char { HEURISTIC, RANDOM };
constexpr std::array<const char*, 2> words_of(PolicyKind) { return {"heuristic", "random"}; }

}  // namespace lastcard

#define LASTCARD_OPTION_MEMBER(type, name, value, ...) type name = value;
#define LASTCARD_OPTION_VISIT(type, name, value, ...) visit(#name, &Self::name, Limits{__VA_ARGS__});

// Defines a struct with the options of the table, and a function that visits each: its name, member and limits.
#define LASTCARD_OPTIONS(Struct, TABLE)                 \
    struct Struct {                                     \
        TABLE(LASTCARD_OPTION_MEMBER)                   \
        template <class Visit>                          \
        static void visit_options(const Visit& visit) { \
            using Self = Struct;                        \
            TABLE(LASTCARD_OPTION_VISIT)                \
        }                                               \
    };
