// Which code paths this CPU can run. Compiled for every CPU of the architecture, and asked before the core is loaded.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#define LASTCARD_X86_64 1
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#endif

namespace lastcard {

inline constexpr const char* BASELINE = "baseline";
inline constexpr const char* X86_64_V3 = "x86-64-v3";

#if defined(__AVX2__) && defined(__BMI2__)
inline constexpr const char* COMPILED_FOR = X86_64_V3;
#else
inline constexpr const char* COMPILED_FOR = BASELINE;
#endif

#if defined(LASTCARD_X86_64)

struct Registers {
    unsigned a, b, c, d;
};

inline Registers read_cpuid(unsigned leaf) {
    Registers found{};
#if defined(_MSC_VER)
    int words[4];
    __cpuid(words, static_cast<int>(leaf & 0x80000000u));
    if (static_cast<unsigned>(words[0]) < leaf) return found;
    __cpuidex(words, static_cast<int>(leaf), 0);
    found = {static_cast<unsigned>(words[0]), static_cast<unsigned>(words[1]), static_cast<unsigned>(words[2]),
             static_cast<unsigned>(words[3])};
#else
    if (!__get_cpuid_count(leaf, 0, &found.a, &found.b, &found.c, &found.d)) return {};
#endif
    return found;
}

// Which registers the operating system saves when it switches threads. Only where CPUID reports OSXSAVE.
inline unsigned read_saved_registers() {
#if defined(_MSC_VER) && !defined(__clang__)
    return static_cast<unsigned>(_xgetbv(0));
#else
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // the intrinsic wants -mxsave
    return low;
#endif
}

// All that the x86-64 psABI asks of level 3, which is what compilers take -march=x86-64-v3 to mean.
inline bool has_x86_64_v3() {
    constexpr unsigned SSE3 = 1u << 0, SSSE3 = 1u << 9, FMA = 1u << 12, CMPXCHG16B = 1u << 13, SSE4_1 = 1u << 19,
                       SSE4_2 = 1u << 20, MOVBE = 1u << 22, POPCNT = 1u << 23, OSXSAVE = 1u << 27, AVX = 1u << 28,
                       F16C = 1u << 29;                                 // leaf 1, ecx
    constexpr unsigned BMI1 = 1u << 3, AVX2 = 1u << 5, BMI2 = 1u << 8;  // leaf 7, ebx
    constexpr unsigned LAHF = 1u << 0, LZCNT = 1u << 5;                 // leaf 0x80000001, ecx
    constexpr unsigned SAVES_AVX = 6;                                   // XMM and YMM
    constexpr unsigned BASIC =
        SSE3 | SSSE3 | FMA | CMPXCHG16B | SSE4_1 | SSE4_2 | MOVBE | POPCNT | OSXSAVE | AVX | F16C;
    constexpr unsigned MORE = BMI1 | AVX2 | BMI2;
    constexpr unsigned EXTENDED = LAHF | LZCNT;
    return (read_cpuid(1).c & BASIC) == BASIC && (read_cpuid(7).b & MORE) == MORE &&
           (read_cpuid(0x80000001u).c & EXTENDED) == EXTENDED && (read_saved_registers() & SAVES_AVX) == SAVES_AVX;
}

#else

inline bool has_x86_64_v3() { return false; }

#endif

}  // namespace lastcard
