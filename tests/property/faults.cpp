// Kills the process, or fails the call, at the Nth call that changes a watched file; loaded with LD_PRELOAD.
// Nothing is watched until `fault_arm` is called.

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace {

enum Kind { COUNT, KILL, TEAR, FAIL, FULL };
enum class Verdict { PASS, TEAR, FAIL };

char watched[PATH_MAX] = "";
std::atomic<long> seen{0};
long target = 0;
int kind = COUNT;
int log_file = -1;

template <typename Function>
Function real(Function, const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

[[noreturn]] void die() {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

void note(const char* call, const char* path) {
    char line[PATH_MAX + 32];
    int size = snprintf(line, sizeof line, "%s %s\n", call, path);
    static auto write_real = real(&write, "write");
    if (log_file >= 0 && write_real(log_file, line, size) != size) die();
}

/// Decides what happens to a call; `is_growth` marks calls that a full disk refuses.
Verdict judge(const char* call, const char* path, bool is_growth) {
    long number = ++seen;
    if (kind == COUNT) note(call, path);
    if (kind == FULL && number >= target && is_growth) {
        errno = ENOSPC;
        return Verdict::FAIL;
    }
    if (number != target) return Verdict::PASS;
    switch (kind) {
        case KILL:
            die();
        case TEAR:
            return Verdict::TEAR;
        case FAIL:
            errno = EIO;
            return Verdict::FAIL;
        default:
            return Verdict::PASS;
    }
}

Verdict judge_path(const char* call, const char* path, bool is_growth = false) {
    if (!watched[0] || strncmp(path, watched, strlen(watched)) != 0) return Verdict::PASS;
    return judge(call, path, is_growth);
}

Verdict judge_file(const char* call, int file, bool is_growth = false) {
    if (!watched[0]) return Verdict::PASS;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return Verdict::PASS;
    path[size] = 0;
    return judge_path(call, path, is_growth);
}

template <typename Write>
ssize_t write_or_not(const char* call, int file, size_t size, Write write) {
    Verdict verdict = judge_file(call, file, true);
    if (verdict == Verdict::FAIL) return -1;
    if (verdict == Verdict::PASS) return write(size);
    write(size / 2);
    die();
}

template <typename Call>
int run_or_not(Verdict verdict, Call call) {
    if (verdict == Verdict::TEAR) {
        call();
        die();
    }
    return verdict == Verdict::FAIL ? -1 : call();
}

}  // namespace

extern "C" {

/// Watches files whose path begins with `prefix` and strikes at call number `at`; writes every call into `log` to count.
void fault_arm(const char* prefix, long at, int what, const char* log) {
    target = at;
    kind = what;
    seen = 0;
    log_file = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    snprintf(watched, sizeof watched, "%s", prefix);
}

ssize_t write(int file, const void* data, size_t size) {
    static auto call = real(&write, "write");
    return write_or_not("write", file, size, [&](size_t count) { return call(file, data, count); });
}

ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
    static auto call = real(&pwrite, "pwrite");
    return write_or_not("pwrite", file, size, [&](size_t count) { return call(file, data, count, at); });
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
    static auto call = real(&pwrite64, "pwrite64");
    return write_or_not("pwrite", file, size, [&](size_t count) { return call(file, data, count, at); });
}

int ftruncate(int file, off_t size) noexcept {
    static auto call = real(&ftruncate, "ftruncate");
    return run_or_not(judge_file("ftruncate", file), [&] { return call(file, size); });
}

int ftruncate64(int file, off64_t size) noexcept {
    static auto call = real(&ftruncate64, "ftruncate64");
    return run_or_not(judge_file("ftruncate", file), [&] { return call(file, size); });
}

int fsync(int file) {
    static auto call = real(&fsync, "fsync");
    return run_or_not(judge_file("fsync", file), [&] { return call(file); });
}

int fdatasync(int file) {
    static auto call = real(&fdatasync, "fdatasync");
    return run_or_not(judge_file("fdatasync", file), [&] { return call(file); });
}

int unlink(const char* path) noexcept {
    static auto call = real(&unlink, "unlink");
    return run_or_not(judge_path("unlink", path), [&] { return call(path); });
}

int rename(const char* from, const char* to) noexcept {
    static auto call = real(&rename, "rename");
    return run_or_not(judge_path("rename", to), [&] { return call(from, to); });
}

int link(const char* from, const char* to) noexcept {
    static auto call = real(&link, "link");
    return run_or_not(judge_path("link", to), [&] { return call(from, to); });
}
}
