// Arrays with a value for each seat, face or model, and other lists, indexed by any integer.
#pragma once

#include <compare>

#include "rules/cards.hpp"

namespace lastcard {

template <class Value, int SIZE>
struct Indexed {
    Value values[SIZE];

    constexpr Value& operator[](auto index) { return values[index]; }
    constexpr const Value& operator[](auto index) const { return values[index]; }
    constexpr Value* begin() { return values; }
    constexpr Value* end() { return values + SIZE; }
    constexpr const Value* begin() const { return values; }
    constexpr const Value* end() const { return values + SIZE; }

    static constexpr int size() { return SIZE; }

    constexpr void fill(const Value& value) {
        for (Value& each : values) each = value;
    }

    auto operator<=>(const Indexed&) const = default;
};

template <class Value>
using BySeat = Indexed<Value, MAX_SEATS>;

// An element of a list.
template <class List>
constexpr auto& item(List& list, auto index) {
    return list.data()[index];
}

}  // namespace lastcard
