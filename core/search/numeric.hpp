// Exponential and logarithm of our own: the standard library's differ in the last bit from machine to machine, and
// decisions must not.
#pragma once

#include <bit>
#include <cstdint>

namespace lastcard {

// e^x; relative error below 1e-15. Beyond e^700, which no odds come near, that.
inline double stable_exp(double x) {
    if (x < -700.0) return 0.0;
    if (x > 700.0) x = 700.0;
    constexpr double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
    const double whole =
        static_cast<double>(static_cast<std::int64_t>(x / (LN2_HIGH + LN2_LOW) + (x < 0 ? -0.5 : 0.5)));
    const double rest = (x - whole * LN2_HIGH) - whole * LN2_LOW;
    constexpr double INVERSE[] = {1.0,     1.0 / 1, 1.0 / 2, 1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,
                                  1.0 / 7, 1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13};
    double sum = 1.0;
    for (int n = 13; n >= 1; --n) sum = 1.0 + rest * INVERSE[n] * sum;
    return sum * std::bit_cast<double>((static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) + 1023)) << 52);
}

// ln x for x > 0, neither tiny nor huge; absolute error below 1e-14.
inline double stable_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    double mantissa = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    const double t = (mantissa - 1.0) / (mantissa + 1.0);  // ln m = 2 artanh t, |t| < 0.172
    const double square = t * t;
    double sum = 0.0;
    for (int n = 21; n >= 1; n -= 2) sum = 1.0 / n + square * sum;
    return exponent * 0.69314718055994530942 + 2.0 * t * sum;
}

}  // namespace lastcard
