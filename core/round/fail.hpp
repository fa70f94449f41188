// The one way in which the core refuses what it is asked.
#pragma once

#include <stdexcept>
#include <string>

namespace lastcard {

// What is refused, for hosts that tell errors apart.
enum class Refused { VALUE, NOTATION, RULES, STATE };

// Stands before the message of whatever fails: the line of a text that is being read, and the round.
#ifdef __cpp_exceptions
inline thread_local std::string failing_at;
inline thread_local Refused failing_as = Refused::VALUE;
#else
inline std::string failing_at;  // such a host has one thread
inline Refused failing_as = Refused::VALUE;
#endif

// Adds a place to it, for as long as it lives.
class FailingAt {
public:
    explicit FailingAt(const std::string& place) : size(failing_at.size()) { failing_at += place; }
    ~FailingAt() { failing_at.resize(size); }
    FailingAt(const FailingAt&) = delete;
    FailingAt& operator=(const FailingAt&) = delete;

private:
    std::size_t size;
};

// What fails is of that kind, for as long as it lives.
class FailingAs {
public:
    explicit FailingAs(Refused kind) : before(failing_as) { failing_as = kind; }
    ~FailingAs() { failing_as = before; }
    FailingAs(const FailingAs&) = delete;
    FailingAs& operator=(const FailingAs&) = delete;

private:
    Refused before;
};

#ifdef __cpp_exceptions
struct Failure : std::invalid_argument {
    explicit Failure(const std::string& message) : std::invalid_argument(failing_at + message) {}
    Refused kind = failing_as;
};

[[noreturn]] inline void fail(const std::string& message) { throw Failure(message); }
#else
// A host without exceptions defines it; the call ends there.
[[noreturn]] void fail(const std::string& message);
#endif

inline void require(bool holds, const char* message) {
    if (!holds) fail(message);
}

}  // namespace lastcard
