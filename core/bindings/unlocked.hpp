// How searches run: without Python's lock, and aside where the thread that asks for them gives way.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sched.h>
#endif

namespace lastcard {

namespace nb = nanobind;

// Whether what this thread searches gives way to everything else that runs.
inline thread_local bool gives_way = false;

// Runs the work without Python's lock. Where it gives way, it has a thread of its own: one of low priority must never
// hold the lock, or everybody would wait for it. Where threads have no priorities, nothing changes.
template <class Work>
auto run_unlocked(const Work& work) {
    const nb::gil_scoped_release unlocked;
#ifdef __linux__
    if (gives_way) {
        std::optional<decltype(work())> result;
        std::exception_ptr error;
        std::thread([&] {
            // At once when another thread wakes up: a niceness alone would let this one finish a slice of milliseconds.
            const sched_param lowest{};
            (void)sched_setscheduler(0, SCHED_IDLE, &lowest);
            try {
                result.emplace(work());
            } catch (...) {
                error = std::current_exception();
            }
        }).join();
        if (error) std::rethrow_exception(error);
        return std::move(*result);
    }
#endif
    return work();
}

// The function as one that runs unlocked.
template <class Result, class... Arguments>
auto unlocked(Result (*function)(Arguments...)) {
    return [function](Arguments... arguments) -> Result {
        return run_unlocked([&] { return function(std::forward<Arguments>(arguments)...); });
    };
}

template <class Result, class Object, class... Arguments>
auto unlocked(Result (Object::*method)(Arguments...)) {
    return [method](Object& object, Arguments... arguments) -> Result {
        return run_unlocked([&] { return (object.*method)(std::forward<Arguments>(arguments)...); });
    };
}

}  // namespace lastcard
