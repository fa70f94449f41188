#include "game/fields.hpp"

#include "game/names.hpp"
#include "game/seed.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"
#include "rules/turn.hpp"

namespace lastcard {

namespace {

constexpr const char* MOST_SEED = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

void show_value(std::string& to, const Json& value) {
    const char* separator = "";
    switch (value.kind) {
        case Json::Kind::NOTHING:
            to += "None";
            break;
        case Json::Kind::FLAG:
            to += value.flag ? "True" : "False";
            break;
        case Json::Kind::NUMBER:
            to += value.text.empty() ? format_json(value) : value.text;
            break;
        case Json::Kind::TEXT:
            to += show(value.text);
            break;
        case Json::Kind::FOREIGN:
            to += value.text;
            break;
        case Json::Kind::LIST:
            to += '[';
            for (const Json& each : value.list) {
                to += separator;
                show_value(to, each);
                separator = ", ";
            }
            to += ']';
            break;
        case Json::Kind::OBJECT:
            to += '{';
            for (const auto& [name, each] : value.members) {
                to += separator + show(name) + ": ";
                show_value(to, each);
                separator = ", ";
            }
            to += '}';
            break;
    }
}

bool is_whole_number(const Json& value) { return value.kind == Json::Kind::NUMBER && value.is_whole; }

[[noreturn]] void refuse_number(const std::string& name, const Json& value, const std::string& range) {
    fail(name + (is_whole_number(value) ? " must be " : " must be a whole number ") + range + ", not " + quote(value));
}

}  // namespace

std::string quote(const Json& value, std::size_t most) {
    std::string shown;
    show_value(shown, value);
    return cut(shown, most);
}

i64 require_whole(const std::string& name, const Json& value, i64 low, i64 high) {
    const bool is_within = value.number >= static_cast<double>(low) && value.number <= static_cast<double>(high);
    if (!is_whole_number(value) || !is_within)
        refuse_number(name, value, "from " + std::to_string(low) + " to " + std::to_string(high));
    return static_cast<i64>(value.number);
}

Key require_key(const std::string& name, const Json& value) {
    const std::string digits = value.text.empty() ? format_json(value) : value.text;
    std::optional<Key> key;
    if (is_whole_number(value) && value.number >= 0) key = parse_seed(digits);
    if (!key) refuse_number(name, value, std::string("from 0 to ") + MOST_SEED);
    return *key;
}

std::vector<u8> read_cards(const std::string& name, const Json& value) {
    const FailingAt here(name + ": ");
    if (!value.is_text()) fail("expected cards as text such as 'r5 gS w', not " + quote(value));
    return parse_cards(value.text);
}

Fields::Fields(const Json& fields, const char* what) : document(fields) {
    if (fields.kind != Json::Kind::OBJECT)
        fail(std::string(what) + " must be a mapping of fields, not " + quote(fields));
}

const Json& Fields::get(std::string_view name) const {
    static const Json NOTHING;
    const Json* found = document.find(name);
    return found == nullptr ? NOTHING : *found;
}

int Fields::integer(const char* name, int otherwise, i64 low, i64 high) const {
    return has(name) ? static_cast<int>(require_whole(name, get(name), low, high)) : otherwise;
}

int Fields::seat(const char* name, int players) const {
    const Json& value = get(name);
    return value.is_nothing() ? NO_SEAT : static_cast<int>(require_whole(name, value, 0, players - 1));
}

std::vector<u8> Fields::cards(const char* name) const {
    return has(name) ? read_cards(name, get(name)) : std::vector<u8>();
}

std::optional<u8> Fields::card(const char* name) const {
    const Json& value = get(name);
    if (value.is_nothing()) return {};
    const std::vector<u8> faces = read_cards(name, value);
    if (faces.size() != 1) fail(std::string(name) + " must be one card, not " + quote(value));
    return faces.front();
}

int Fields::color(const char* name, int otherwise) const {
    if (!has(name)) return otherwise;
    const Json& value = get(name);
    if (value.is_nothing()) return NO_COLOR;
    const FailingAt here(std::string(name) + ": ");
    const std::optional<int> color = value.is_text() ? find_color(value.text) : std::nullopt;
    if (!color) fail(quote(value) + COLOR_HELP);
    return *color;
}

const Json::List& Fields::items(const char* name) const {
    static const Json::List EMPTY;
    if (!has(name)) return EMPTY;
    const Json& value = get(name);
    if (value.kind != Json::Kind::LIST) fail(std::string(name) + " must be a list, not " + quote(value));
    return value.list;
}

unsigned Fields::seats(const char* name, int players) const {
    unsigned seats = 0;
    for (const Json& seat : items(name)) seats |= 1u << require_whole(name, seat, 0, players - 1);
    return seats;
}

}  // namespace lastcard
