// The one way in which the core refuses what it is asked.
#pragma once

#include <stdexcept>
#include <string>

namespace lastcard {

#ifdef __cpp_exceptions
[[noreturn]] inline void fail(const std::string& message) { throw std::invalid_argument(message); }
#else
// A host without exceptions defines it; the call ends there.
[[noreturn]] void fail(const std::string& message);
#endif

inline void require(bool holds, const char* message) {
    if (!holds) fail(message);
}

}  // namespace lastcard
