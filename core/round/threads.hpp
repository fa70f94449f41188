// Work split over threads, which hear of it when the work shall stop.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "round/stop.hpp"
#include "rules/platform.hpp"

namespace lastcard {

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

    template <class Work>
    void start(Work work) {
        at_work += 1;
        try {
            pool.threads.emplace_back([this, stop = watch.stop, work] { run(stop, work); });
        } catch (...) {
            at_work -= 1;
            throw;
        }
    }

    // Waits for all of them, ready to hear the host, and passes on the first error.
    void wait() {
        std::unique_lock lock(mutex);
        while (at_work > 0) {
            if (is_done.wait_for(lock, ASK_HOST_EVERY / 2) != std::cv_status::timeout) continue;
            lock.unlock();
            (void)is_stopped();
            lock.lock();
        }
        if (error) std::rethrow_exception(error);
    }

private:
    std::mutex mutex;
    std::condition_variable is_done;
    std::atomic<int> at_work = 0;
    std::exception_ptr error;
    ThreadPool pool;  // last: joins before the rest goes

    template <class Work>
    void run(Stop* stop, const Work& work) {
        const Watching watching(stop, false);
        std::exception_ptr failure;
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        if (failure && !error) error = failure;
        at_work -= 1;
        is_done.notify_one();
    }
};

// Splits [0, count) over threads; `work(part, first, last)` runs once on each.
template <class Work>
void run_on_threads(int threads, u64 count, const Work& work) {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
    const u64 parts = static_cast<u64>(threads);
    if (parts == 1) return work(u64{0}, u64{0}, count);
    Crew crew;
    for (u64 part = 1; part < parts; ++part)
        crew.start([&work, part, count, parts] { work(part, count * part / parts, count * (part + 1) / parts); });
    work(u64{0}, u64{0}, count / parts);
    crew.wait();
}

}  // namespace lastcard
