// Rules and seeds, as JavaScript gives them.
#include <algorithm>
#include <type_traits>

#include "game/check_rules.hpp"
#include "round/faces.hpp"
#include "round/fail.hpp"
#include "tables.hpp"
#include "wasm/notation.hpp"

namespace lastcard {

namespace {

// The field of rules of that name.
const Json& find_field(const std::string& name) {
    std::string known;
    for (const Json& field : description().items("rules")) {
        if (field.words("name") == name) return field;
        known += (known.empty() ? "" : ", ") + field.words("name");
    }
    fail("rules have no field " + name + "; there are " + known);
}

// The value of a field, given as text.
Json read_word(const Json& field, const std::string& word) {
    const std::string& kind = field.words("kind");
    if (kind == "bool" && (word == "true" || word == "on" || word == "yes")) return true;
    if (kind == "bool" && (word == "false" || word == "off" || word == "no")) return false;
    const bool is_number =
        !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    return kind == "int" && is_number ? Json(std::stoi(word)) : Json(word);
}

void check_field(const Json& field, const Json& value) {
    const std::string& name = field.words("name");
    const std::string& kind = field.words("kind");
    if (kind == "int") {
        (void)Json(Json::Object{{name, value}}).integer(name, field.at("low").number, field.at("high").number);
    } else if (kind == "bool") {
        if (value.kind != Json::Kind::FLAG) fail(name + " must be true or false, not " + shorten(value));
    } else if (name != "deck") {
        const Json::List& choices = field.items("choices");
        const bool is_known =
            std::ranges::any_of(choices, [&](const Json& choice) { return format_json(choice) == format_json(value); });
        if (!is_known) fail(name + " must be one of " + format_json(choices) + ", not " + shorten(value));
    }
}

int index_of(const std::string& name, const Json& value) {
    const Json::List& choices = find_field(name).items("choices");
    const auto found = std::ranges::find_if(choices, [&](const Json& choice) { return choice.text == value.text; });
    return static_cast<int>(found - choices.begin());
}

int read_face(const std::string& word) {
    for (int face = 0; face < NUM_FACES; ++face) {
        if (word == CARD_NAMES[face]) return face;
    }
    fail("deck must be official, numbers, mini, mini-bluff or its cards: " + word + " is not a card");
}

ByFace<int> read_deck(const Json& value) {
    if (value.kind != Json::Kind::TEXT) fail("deck must be text, not " + shorten(value));
    const Json* named = description().at("decks").find(value.text);
    ByFace<int> counts{};
    for (const std::string& word : split(named != nullptr ? named->text : value.text, " ,"))
        counts[read_face(word)] += 1;
    return counts;
}

Rules compile(const Json& fields) {
    Rules rules{};
    fill_deck(rules, read_deck(fields.at("deck")));
    Rules::visit_fields([&]<class Field>(const char* name, Field Rules::* member, int, int) {
        const Json& value = fields.at(name);
        if constexpr (std::is_same_v<Field, bool>) rules.*member = value.flag;
        else if constexpr (std::is_enum_v<Field>) rules.*member = static_cast<Field>(index_of(name, value));
        else rules.*member = static_cast<Field>(value.number);
    });
    check_rules(rules);
    return rules;
}

// The preset's fields; one that is not there is refused with those that are.
Json find_preset(const std::string& name) {
    const Json& presets = description().at("presets");
    if (const Json* found = presets.find(name)) return *found;
    std::string known;
    for (const auto& member : presets.members) known += (known.empty() ? "" : ", ") + member.first;
    fail("no rules preset " + name + "; there are " + known);
}

void change(Json& fields, const std::string& name, const Json& value) {
    check_field(find_field(name), value);
    for (auto& [own, before] : fields.members) {
        if (own == name) before = value;
    }
}

}  // namespace

GameRules read_rules(const Json& described) {
    Json fields;
    if (described.kind == Json::Kind::TEXT) {
        const std::vector<std::string> words = split(described.text, " ");
        fields = find_preset(words.empty() ? "" : words[0]);
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::size_t middle = words[i].find('=');
            if (middle == std::string::npos) fail(words[i] + " is not a change of rules; expected field=value");
            const std::string name = words[i].substr(0, middle);
            change(fields, name, read_word(find_field(name), words[i].substr(middle + 1)));
        }
    } else if (described.kind == Json::Kind::OBJECT) {
        const Json* preset = described.find("preset");
        fields = find_preset(preset != nullptr ? described.words("preset") : "official");
        for (const auto& [name, value] : described.members) {
            if (name != "preset") change(fields, name, value);
        }
    } else {
        fail("rules must be text such as \"official players=4\" or an object of fields, not " + shorten(described));
    }
    const Rules rules = compile(fields);
    return {rules, std::move(fields)};
}

Json name_rules(const Rules& rules) {
    Json fields = find_preset("official");
    const auto set = [&](const std::string& name, Json value) {
        for (auto& [own, before] : fields.members) {
            if (own == name) before = std::move(value);
        }
    };
    Rules::visit_fields([&]<class Field>(const char* name, Field Rules::* member, int, int) {
        const Field value = rules.*member;
        if constexpr (std::is_enum_v<Field>)
            set(name, find_field(name).items("choices")[static_cast<std::size_t>(value)]);
        else set(name, value);
    });
    std::string cards;
    for (int i = 0; i < rules.deck_size; ++i)
        cards += std::string(i > 0 ? " " : "") + CARD_NAMES[face_of(rules.deck[i])];
    for (const auto& [name, named] : description().at("decks").members) {
        if (named.text == cards) cards = name;
    }
    set("deck", cards);
    return fields;
}

std::string format_rules(const Json& fields) {
    std::string best;
    std::size_t fewest = fields.members.size() + 1;
    for (const auto& [preset, base] : description().at("presets").members) {
        std::string changes = preset;
        std::size_t num_changes = 0;
        for (const auto& [name, value] : fields.members) {
            std::string text = value.kind == Json::Kind::TEXT ? value.text : format_json(value);
            std::ranges::replace(text, ' ', ',');
            if (format_json(value) == format_json(base.at(name))) continue;
            changes += " " + name + "=" + text;
            num_changes += 1;
        }
        if (num_changes >= fewest) continue;
        fewest = num_changes;
        best = changes;
    }
    return best;
}

Json name_preset(const Json& fields) {
    for (const auto& [preset, base] : description().at("presets").members) {
        const bool is_same = std::ranges::all_of(fields.members, [&](const Json::Member& member) {
            return member.first == "players" || format_json(member.second) == format_json(base.at(member.first));
        });
        if (is_same) return preset;
    }
    return {};
}

Key read_seed(const Json& described) {
    const bool is_text = described.kind == Json::Kind::TEXT && !described.text.empty() && described.text.size() <= 64;
    if (!is_text || described.text.find_first_not_of("0123456789abcdef") != std::string::npos)
        fail("seed must be 1 to 64 hexadecimal digits, not " + shorten(described));
    Key key{};
    u32 place = 0;
    for (auto digit = described.text.rbegin(); digit != described.text.rend(); ++digit, ++place) {
        const u32 value = static_cast<u32>(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
        key.words[place / 8] |= value << (4 * (place % 8));
    }
    return key;
}

}  // namespace lastcard
