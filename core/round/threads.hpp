// Work split over threads, which hear of it when the work shall stop.
#pragma once

#include <functional>

#include "round/stop.hpp"
#include "rules/platform.hpp"

// A host without threads does in place what it was to do on several: results do not depend on their number.
#ifndef __wasm__
#define LASTCARD_HAS_THREADS
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace lastcard {

#ifdef LASTCARD_HAS_THREADS

// Threads that are joined at the end, even if one of them cannot be started. libc++ had no std::jthread for years.
struct ThreadPool {
    std::vector<std::thread> threads;

    ~ThreadPool() {
        for (std::thread& thread : threads) thread.join();
    }
};

// Threads that work for the same call as the one that started them.
class Crew {
public:
    Crew() = default;
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    void start(std::function<void()> work);

    // Waits for all of them, ready to hear the host, and passes on the first error.
    void wait();

private:
    std::mutex mutex;
    std::condition_variable is_done;
    std::atomic<int> at_work = 0;
    std::exception_ptr error;
    ThreadPool pool;  // last: joins before the rest goes

    void run(Stop* stop, const std::function<void()>& work);
};

#else

class Crew {
public:
    void start(const std::function<void()>& work) { work(); }
    void wait() {}
};

#endif

// Splits [0, count) over threads; `work(part, first, last)` runs once on each.
void run_on_threads(int threads, u64 count, const std::function<void(u64 part, u64 first, u64 last)>& work);

}  // namespace lastcard
