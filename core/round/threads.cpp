#include "round/threads.hpp"

#include <utility>

#include "round/fail.hpp"

namespace lastcard {

#ifdef LASTCARD_HAS_THREADS

void Crew::start(std::function<void()> work) {
    at_work += 1;
    try {
        pool.threads.emplace_back([this, stop = watch.stop, work = std::move(work)] { run(stop, work); });
    } catch (...) {
        at_work -= 1;
        throw;
    }
}

void Crew::wait() {
    std::unique_lock lock(mutex);
    while (at_work > 0) {
        if (is_done.wait_for(lock, ASK_HOST_EVERY / 2) != std::cv_status::timeout) continue;
        lock.unlock();
        (void)is_stopped();
        lock.lock();
    }
    if (error) std::rethrow_exception(error);
}

void Crew::run(Stop* stop, const std::function<void()>& work) {
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

#endif

void run_on_threads(int threads, u64 count, const std::function<void(u64 part, u64 first, u64 last)>& work) {
    require(threads >= 1, "threads must be at least 1");
    const u64 parts = static_cast<u64>(threads);
    if (parts == 1) return work(0, 0, count);
    Crew crew;
    for (u64 part = 1; part < parts; ++part)
        crew.start([&work, part, count, parts] { work(part, count * part / parts, count * (part + 1) / parts); });
    work(0, 0, count / parts);
    crew.wait();
}

}  // namespace lastcard
