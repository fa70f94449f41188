// The one way in which the core refuses what it is asked.
#pragma once

#include <stdexcept>
#include <string>

namespace lastcard {

// Stands before the message of whatever fails: the line of a text that is being read, and the round.
#ifdef __cpp_exceptions
inline thread_local std::string failing_at;
#else
inline std::string failing_at;  // such a host has one thread
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

#ifdef __cpp_exceptions
[[noreturn]] inline void fail(const std::string& message) { throw std::invalid_argument(failing_at + message); }
#else
// A host without exceptions defines it; the call ends there.
[[noreturn]] void fail(const std::string& message);
#endif

inline void require(bool holds, const char* message) {
    if (!holds) fail(message);
}

}  // namespace lastcard
