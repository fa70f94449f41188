// Python's lock, given up by calls that need none of its objects.
//
// When Python ends, it ends every other thread that asks for the lock, in the middle of whatever C++ that thread is in,
// and that aborts the process. So at the end no thread may be on its way back: calls of other threads are stopped, and
// do not return.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace lastcard {

namespace nb = nanobind;

inline constinit std::atomic<bool> is_python_ending{false};
inline constinit std::atomic<int> calls_of_threads{0};  // calls without the lock; Python's main thread does not count
inline constinit std::atomic<unsigned long> main_thread{0};

inline bool is_python_main_thread() { return PyThread_get_thread_ident() == main_thread.load(); }

// For as long as it lives, this thread does not hold Python's lock.
class WithoutLock {
public:
    WithoutLock() : is_main(is_python_main_thread()) {
        if (!is_main) ++calls_of_threads;
        state = PyEval_SaveThread();
        stay_at_the_end();
    }
    ~WithoutLock() {
        stay_at_the_end();
        PyEval_RestoreThread(state);
        if (!is_main) --calls_of_threads;
    }
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

private:
    bool is_main;
    PyThreadState* state = nullptr;

    void stay_at_the_end() const {
        if (is_main || !is_python_ending) return;
        --calls_of_threads;
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
};

// Stops the calls of other threads, and waits for that: milliseconds, or longer for threads of low priority.
inline void end_calls_of_threads() {
    constexpr std::chrono::seconds LONGEST{30};
    is_python_ending = true;
    const nb::gil_scoped_release unlocked;
    const auto end = std::chrono::steady_clock::now() + LONGEST;
    while (calls_of_threads > 0 && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// A fork has one thread, its main one.
inline void note_main_thread() {
    calls_of_threads = 0;
    main_thread = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
}

// Calls are counted from now on, until Python ends.
inline void follow_python() {
    note_main_thread();
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_calls_of_threads));
#ifndef _WIN32
    nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                            nb::cpp_function(&note_main_thread));
#endif
}

}  // namespace lastcard
