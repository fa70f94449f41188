// How long calls run: without Python's lock, ready to be stopped, and aside where the thread that asks for them gives
// way.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/python_lock.hpp"
#include "round/threads.hpp"

#ifdef __linux__
#include <sched.h>
#endif

namespace lastcard {

// Whether what this thread searches gives way to everything else that runs.
inline thread_local bool gives_way = false;

// Set by one thread of Python to end what another one runs. Copies are the same flag.
struct StopFlag {
    std::shared_ptr<std::atomic<bool>> is_set = std::make_shared<std::atomic<bool>>(false);
};

// The flag that ends the calls of this thread, if there is one.
inline thread_local std::optional<StopFlag> stop_flag{};

// A call that ended because its flag was set.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped by its flag"; }
};

// Python runs the handlers of signals in its main thread alone. An error that one raises stays with that thread.
inline bool has_python_signal() {
    const nb::gil_scoped_acquire locked;
    return PyErr_CheckSignals() != 0;
}

// Runs the work where it belongs: here or, where it gives way, in a thread of its own, since one of low priority must
// never hold Python's lock. Where threads have no priorities, nothing changes.
template <class Work>
void run_by_priority(const Work& work) {
#ifdef __linux__
    if (gives_way) {
        Crew crew;
        crew.start([&work] {
            // At once when another thread wakes up: a niceness alone would let this one finish a slice of milliseconds.
            const sched_param lowest{};
            (void)sched_setscheduler(0, SCHED_IDLE, &lowest);
            work();
        });
        return crew.wait();
    }
#endif
    work();
}

// Runs the work without Python's lock. Ctrl-C ends it with what its handler raises, the thread's flag with `Stopped`.
template <class Work>
auto run_unlocked(const Work& work) {
    using Returned = decltype(work());
    constexpr bool IS_VOID = std::is_void_v<Returned>;
    std::conditional_t<IS_VOID, bool, std::optional<Returned>> result{};
    const std::optional<StopFlag> flag = stop_flag;
    Stop stop;
    stop.wish = flag ? flag->is_set.get() : nullptr;
    if (is_python_main_thread()) stop.asks_host = &has_python_signal;
    else stop.host_end = &is_python_ending;
    {
        const WithoutLock unlocked;
        const Watching watching(&stop, true);
        run_by_priority([&] {
            if constexpr (IS_VOID) work();
            else result.emplace(work());
        });
    }
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (stop.has_stopped.load()) throw Stopped{};
    if constexpr (!IS_VOID) return std::move(*result);
}

// The function as one that runs unlocked.
template <class Returned, class... Arguments>
auto unlocked(Returned (*function)(Arguments...)) {
    return [function](Arguments... arguments) -> Returned {
        return run_unlocked([&] { return function(std::forward<Arguments>(arguments)...); });
    };
}

template <class Returned, class Object, class... Arguments>
auto unlocked(Returned (Object::*method)(Arguments...)) {
    return [method](Object& object, Arguments... arguments) -> Returned {
        return run_unlocked([&] { return (object.*method)(std::forward<Arguments>(arguments)...); });
    };
}

}  // namespace lastcard
