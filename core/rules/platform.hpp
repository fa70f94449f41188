// What differs between compilers and chips: integer names, bit tricks, function attributes.
//
// The headers of this folder use plain integers and no standard library, so that the same source compiles for the CPU
// and, at run time, for a GPU.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define LASTCARD_FN __host__ __device__ __forceinline__
#define LASTCARD_COLD __host__ __device__ __noinline__
#define LASTCARD_TABLE __constant__ constexpr
#else
#define LASTCARD_FN [[gnu::always_inline]] inline
#define LASTCARD_COLD [[gnu::noinline]] inline
#define LASTCARD_TABLE inline constexpr
#endif

namespace lastcard {

using i8 = signed char;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
static_assert(sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8);

LASTCARD_FN int popcount(u64 bits) {
#if defined(__CUDA_ARCH__)
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

// Index of the lowest set bit; `bits` must not be 0.
LASTCARD_FN int lowest_bit(u64 bits) {
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(bits)) - 1;
#else
    return __builtin_ctzll(bits);
#endif
}

// The n-th set bit of `bits`, counted from 0 upwards, as a mask.
LASTCARD_FN u64 nth_bit(u64 bits, int n) {
#if defined(__BMI2__) && !defined(__CUDA_ARCH__)
    return __builtin_ia32_pdep_di(1ull << n, bits);
#else
    int position = 0;
    for (int width = 32; width > 0; width >>= 1) {
        const u64 low = bits & ((1ull << width) - 1);
        const int count = popcount(low);
        const bool above = n >= count;
        n -= above ? count : 0;
        position += above ? width : 0;
        bits = above ? bits >> width : low;
    }
    return 1ull << position;
#endif
}

// High and low half of a 64 x 64 bit product, xored: the mixing step of the fast generator.
LASTCARD_FN u64 multiply_mix(u64 a, u64 b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b) ^ (a * b);
#else
    __extension__ using u128 = unsigned __int128;
    const u128 product = static_cast<u128>(a) * b;
    return static_cast<u64>(product >> 64) ^ static_cast<u64>(product);
#endif
}

}  // namespace lastcard
