// Two generators: a fast one for hypothetical rounds, and a keyed one (ChaCha20) for the shuffles of real ones.
#pragma once

#include "rules/platform.hpp"

namespace lastcard {

// A wyrand-like generator: one addition and one 128-bit multiplication a number.
struct Rng {
    u64 state;
};

LASTCARD_FN u64 next_random(Rng& rng) {
    rng.state += 0xA0761D6478BD642Full;
    return multiply_mix(rng.state, rng.state ^ 0xE7037ED1A0B428DBull);
}

// A number below `bound`, from the low half of `random`; the bias is below bound / 2^32.
LASTCARD_FN int scale_low(u64 random, int bound) {
    return static_cast<int>(((random & 0xFFFFFFFFull) * static_cast<u64>(bound)) >> 32);
}

// The same from the high half.
LASTCARD_FN int scale_high(u64 random, int bound) {
    return static_cast<int>(((random >> 32) * static_cast<u64>(bound)) >> 32);
}

// The generator of round `index` in a batch: neighboring seeds and indices give unrelated streams.
LASTCARD_FN Rng split_rng(u64 seed, u64 index) {
    const u64 a = multiply_mix(seed ^ 0x2D358DCCAA6C78A5ull, index ^ 0x8BB84B93962EACC9ull);
    return Rng{multiply_mix(a ^ 0x4B33A62ED433D4A3ull, seed + index * 0x9E3779B97F4A7C15ull)};
}

// What a keyed stream is for. Streams with different labels or ordinals are independent.
enum class Stream : u32 { DEAL = 1, RESHUFFLE = 2, AGENT = 3, ROUND = 4, POSITION = 5 };

struct Key {
    u32 words[8];
};

// D. J. Bernstein, "ChaCha, a variant of Salsa20" (2008); 20 rounds, layout of RFC 8439 with the nonce (label, ordinal,
// 0).
struct ChaCha {
    Key key;
    u32 label;
    u32 ordinal;
    u32 block;
    u32 position;
    u32 output[16];
};

LASTCARD_FN ChaCha open_stream(const Key& key, Stream label, u32 ordinal) {
    ChaCha stream{};
    stream.key = key;
    stream.label = static_cast<u32>(label);
    stream.ordinal = ordinal;
    stream.position = 16;
    return stream;
}

LASTCARD_FN u32 rotate_left(u32 value, int by) { return value << by | value >> (32 - by); }

LASTCARD_FN void quarter_round(u32* x, int a, int b, int c, int d) {
    x[a] += x[b];
    x[d] = rotate_left(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotate_left(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotate_left(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotate_left(x[b] ^ x[c], 7);
}

LASTCARD_COLD void refill_block(ChaCha& stream) {
    u32 input[16] = {0x61707865u, 0x3320646Eu, 0x79622D32u, 0x6B206574u};
    for (int i = 0; i < 8; ++i) input[4 + i] = stream.key.words[i];
    input[12] = stream.block++;
    input[13] = stream.label;
    input[14] = stream.ordinal;
    input[15] = 0;
    u32 x[16];
    for (int i = 0; i < 16; ++i) x[i] = input[i];
    for (int i = 0; i < 10; ++i) {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; ++i) stream.output[i] = x[i] + input[i];
    stream.position = 0;
}

LASTCARD_FN u32 next_word(ChaCha& stream) {
    if (stream.position == 16) refill_block(stream);
    return stream.output[stream.position++];
}

// An unbiased number below `bound` (D. Lemire, "Fast random integer generation in an interval", 2019).
LASTCARD_FN u32 next_below(ChaCha& stream, u32 bound) {
    u64 product = static_cast<u64>(next_word(stream)) * bound;
    if (static_cast<u32>(product) < bound) {
        const u32 threshold = (0u - bound) % bound;
        while (static_cast<u32>(product) < threshold) product = static_cast<u64>(next_word(stream)) * bound;
    }
    return static_cast<u32>(product >> 32);
}

// Fisher-Yates.
LASTCARD_FN void shuffle(u8* cards, int count, const Key& key, Stream label, u32 ordinal) {
    ChaCha stream = open_stream(key, label, ordinal);
    for (int i = count - 1; i > 0; --i) {
        const u32 j = next_below(stream, static_cast<u32>(i) + 1);
        const u8 card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

}  // namespace lastcard
