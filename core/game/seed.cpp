#include "game/seed.hpp"

#include <algorithm>

namespace lastcard {

std::string format_seed(const Key& key) {
    Key left = key;
    std::string digits;
    do {
        u64 rest = 0;
        for (int i = 7; i >= 0; --i) {
            const u64 part = rest << 32 | left.words[i];
            left.words[i] = static_cast<u32>(part / 10);
            rest = part % 10;
        }
        digits += static_cast<char>('0' + rest);
    } while (std::ranges::any_of(left.words, [](u32 word) { return word != 0; }));
    std::ranges::reverse(digits);
    return digits;
}

std::optional<Key> parse_seed(const std::string& digits) {
    Key key{};
    for (const char digit : digits) {
        u64 carry = static_cast<u64>(digit - '0');
        for (u32& word : key.words) {
            const u64 part = static_cast<u64>(word) * 10 + carry;
            word = static_cast<u32>(part);
            carry = part >> 32;
        }
        if (carry != 0) return {};
    }
    return key;
}

}  // namespace lastcard
