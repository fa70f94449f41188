// How long work is told to stop.
//
// A loop that can run for long asks `is_stopped()` each time around and leaves when the answer is yes; the caller
// throws away what was made by then. Nothing here throws, and a host without threads needs nothing but the flag.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <initializer_list>

namespace lastcard {

using Clock = std::chrono::steady_clock;

// One call from outside: who may end it, and whether it has ended.
struct Stop {
    const std::atomic<bool>* wish = nullptr;      // set by another thread
    const std::atomic<bool>* host_end = nullptr;  // set when the host ends
    bool (*asks_host)() = nullptr;  // whether the host wants an end, asked by the calling thread now and then
    std::atomic<bool> has_stopped{false};
};

constexpr std::chrono::milliseconds ASK_HOST_EVERY{50};

// What a thread has to do with the call it works for.
struct Watch {
    Stop* stop = nullptr;
    bool is_caller = false;
    int until_clock = 0;  // calls of `is_stopped` before the clock is read again
    int between_clocks = 1;
    Clock::time_point clock{}, asked{};
};

inline thread_local constinit Watch watch{};

// Reads the clock, and asks the host when it is time to.
inline bool ask_host(Watch& from) {
    constexpr int MOST_BETWEEN = 1024;
    const auto now = Clock::now();
    const auto passed = now - from.clock;
    // About a millisecond between two looks at the clock, however long the caller's loop takes.
    if (passed < std::chrono::milliseconds(1)) from.between_clocks = std::min(2 * from.between_clocks, MOST_BETWEEN);
    if (passed > std::chrono::milliseconds(4)) from.between_clocks = std::max(from.between_clocks / 4, 1);
    from.until_clock = from.between_clocks;
    from.clock = now;
    if (now - from.asked < ASK_HOST_EVERY) return false;
    from.asked = now;
    if (!from.stop->asks_host()) return false;
    from.stop->has_stopped.store(true, std::memory_order_relaxed);
    return true;
}

// Whether the work of this thread is no longer wanted.
inline bool is_stopped() {
    Watch& own = watch;
    if (own.stop == nullptr) return false;
    if (own.stop->has_stopped.load(std::memory_order_relaxed)) return true;
    for (const std::atomic<bool>* wish : {own.stop->wish, own.stop->host_end}) {
        if (wish == nullptr || !wish->load(std::memory_order_relaxed)) continue;
        own.stop->has_stopped.store(true, std::memory_order_relaxed);
        return true;
    }
    return own.is_caller && --own.until_clock < 0 && ask_host(own);
}

// For as long as it lives, this thread works for that call.
class Watching {
public:
    Watching(Stop* stop, bool is_caller) : before(watch) {
        const auto now = Clock::now();
        const bool asks = is_caller && stop != nullptr && stop->asks_host != nullptr;
        watch = Watch{stop, asks, 0, 1, now, now};
    }
    ~Watching() { watch = before; }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

private:
    Watch before;
};

}  // namespace lastcard
