// The core as a WebAssembly module: one call with JSON in and out, memory to write into, and a host to ask.
#include <cstdlib>
#include <cstring>

#include "round/fail.hpp"
#include "round/stop.hpp"
#include "wasm/calls.hpp"

#define LASTCARD_EXPORT(name) extern "C" __attribute__((export_name(name)))
#define LASTCARD_IMPORT(name) extern "C" __attribute__((import_module("lastcard"), import_name(name)))

// Throws an error with the message. The frames of the call are gone then, and what they held in memory stays taken.
LASTCARD_IMPORT("fail") [[noreturn]] void host_fail(const char* message, std::size_t size);

// Whether the host wants the call to end, asked about every 50 ms.
LASTCARD_IMPORT("should_stop") bool host_should_stop();

namespace lastcard {

[[noreturn]] void fail(const std::string& message) {
    const std::string whole = failing_at + message;
    host_fail(whole.data(), whole.size());
}

}  // namespace lastcard

LASTCARD_EXPORT("allocate") void* allocate(std::size_t size) { return std::malloc(size); }

LASTCARD_EXPORT("release") void release(void* memory) { std::free(memory); }

// Answers the request of that many bytes; the answer stays until the next call.
LASTCARD_EXPORT("call") const char* call(const char* request, std::size_t size) {
    static std::string text;
    lastcard::Stop stop;
    stop.asks_host = &host_should_stop;
    lastcard::watch = {};  // what a call that failed has left
    lastcard::failing_at.clear();
    const lastcard::Watching watching(&stop, true);
    text = lastcard::format_json(lastcard::answer(lastcard::parse_json({request, size})));
    if (stop.has_stopped.load()) lastcard::fail("stopped");
    return text.c_str();
}
