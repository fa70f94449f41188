#include "game/rules_form.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "game/check_rules.hpp"
#include "game/fields.hpp"
#include "game/names.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

struct RuleField {
    const char* name;
    const char* explanation;
};

constexpr RuleField RULE_FIELDS[] = {
    {"players", "number of seats, 2 to 10"},
    {"deck", "official, numbers, mini, mini-bluff, or the cards one by one"},
    {"hand_size", "cards dealt to each seat"},
    {"target_score", "the score that ends a game"},
    {"scoring", "winner: takes the points of the others' cards; lowest: each takes its own"},
    {"max_plies", "plies after which an unfinished round is ended"},
    {"wild_draw_four",
     "strict: only without the active color; bluff: always, can be challenged; free: always; last_resort: only when "
     "nothing else fits"},
    {"uno_penalty", "cards for being caught without calling UNO; 0: it is called for you"},
    {"stacking", "pass draw cards on with another: none, same, any_up (also w+4 on +2)"},
    {"draw_until_playable", "drawing continues until a card can be played"},
    {"must_play", "a seat that can play may not draw"},
    {"drawn_card", "the card just drawn: may_play, must_play, or end_turn"},
    {"seven_zero", "a 7 swaps hands, a 0 passes them all on"},
    {"jump_in", "the identical card may be played out of turn"},
};

// Rule 11.2: what each preset changes.
struct PresetForm {
    const char* name;
    const char* summary;
    void (*change)(Rules& rules);
};

constexpr struct {
    const char* name;
    bool (*has)(int face);
    const char* cards;  // where they are not those of the official deck
} DECK_FORMS[] = {
    {"official", [](int) { return true; }, nullptr},
    {"numbers", [](int face) { return face < FIRST_WILD && rank_of(face) < SKIP; }, nullptr},
    {"mini", [](int face) { return face < 2 * NUM_RANKS && rank_of(face) <= 2; }, nullptr},
    {"mini-bluff", nullptr, "r0 r0 r1 r1 y0 y0 y1 y1 g0 w+4 w+4"},
};

void count_cards(ByFace<int>& counts, const std::vector<u8>& faces) {
    for (const u8 face : faces) counts[face] += 1;
}

// Nothing if there is no deck of that name.
bool find_deck(ByFace<int>& counts, const std::string& name) {
    for (const auto& deck : DECK_FORMS) {
        if (!is_same_word(name, deck.name)) continue;
        if (deck.cards != nullptr) return count_cards(counts, parse_cards(deck.cards)), true;
        // Rule 1.1.
        for (int face = 0; face < NUM_FACES; ++face) {
            const int official = face >= FIRST_WILD ? 4 : rank_of(face) == 0 ? 1 : 2;
            counts[face] = deck.has(face) ? official : 0;
        }
        return true;
    }
    return false;
}

std::string list_deck(const Rules& rules) {
    std::string cards;
    for (int i = 0; i < rules.deck_size; ++i)
        cards += std::string(i > 0 ? " " : "") + CARD_NAMES[face_of(rules.deck[i])];
    return cards;
}

void set_deck(Rules& rules, const std::string& name) {
    ByFace<int> counts{};
    if (!find_deck(counts, name)) {
        std::string known;
        for (const auto& deck : DECK_FORMS)
            known += std::string(deck.name) + (&deck == std::end(DECK_FORMS) - 1 ? "" : ", ");
        const FailingAt here("deck must be " + known + " or its cards: ");
        count_cards(counts, parse_cards(name));
    }
    fill_deck(rules, counts);
}

constexpr PresetForm PRESET_FORMS[] = {
    {"official", "the printed game; no bluffs with Wild Draw Fours, and UNO is called for you", [](Rules&) {}},
    {"family", "as in most living rooms: a seat that can play must play, and a drawn card may be played",
     [](Rules& rules) { rules.must_play = true; }},
    {"tournament", "the printed game to the letter: bluffs, challenges and calling UNO yourself",
     [](Rules& rules) {
         rules.players = 4;
         rules.wild_draw_four = WildDrawFour::BLUFF;
         rules.uno_penalty = 2;
     }},
    {"house", "stacking, draw until playable, seven-zero, jump-in and calling UNO yourself",
     [](Rules& rules) {
         rules.players = 4;
         rules.stacking = Stacking::ANY_UP;
         rules.draw_until_playable = rules.seven_zero = rules.jump_in = true;
         rules.uno_penalty = 2;
     }},
    {"study", "as in the POMCP papers: must play, Wild Draw Four as a last resort, drawing ends the turn",
     [](Rules& rules) {
         rules.must_play = true;
         rules.wild_draw_four = WildDrawFour::LAST_RESORT;
         rules.drawn_card = DrawnCard::END_TURN;
     }},
    {"numbers", "number cards only, must play, drawing ends the turn",
     [](Rules& rules) {
         set_deck(rules, "numbers");
         rules.must_play = true;
         rules.drawn_card = DrawnCard::END_TURN;
     }},
    {"mini", "ten cards, two colors: small enough to solve exactly",
     [](Rules& rules) {
         set_deck(rules, "mini");
         rules.hand_size = 2;
         rules.must_play = true;
         rules.drawn_card = DrawnCard::END_TURN;
         rules.max_plies = 16;
     }},
};

constexpr const auto& words_of_rule(WildDrawFour) { return WILD_DRAW_FOUR_NAMES; }
constexpr const auto& words_of_rule(Stacking) { return STACKING_NAMES; }
constexpr const auto& words_of_rule(DrawnCard) { return DRAWN_CARD_NAMES; }
constexpr const auto& words_of_rule(Scoring) { return SCORING_NAMES; }

// Calls `visit(member, least, most)` for the field of that name; false for the deck, and where there is none.
template <class Visit>
bool visit_rule(std::string_view name, const Visit& visit) {
    bool is_known = false;
    Rules::visit_fields([&](const char* own, auto member, int least, int most) {
        if (name != own) return;
        is_known = true;
        visit(member, least, most);
    });
    return is_known;
}

template <class Field>
Json show_rule(const Rules& rules, Field Rules::* member) {
    if constexpr (std::is_enum_v<Field>) return words_of_rule(Field{})[static_cast<int>(rules.*member)];
    else return rules.*member;
}

Json show_rule(const Rules& rules, const char* name) {
    Json value;
    if (!visit_rule(name, [&](auto member, int, int) { value = show_rule(rules, member); })) value = name_deck(rules);
    return value;
}

template <class Field>
void set_rule(Rules& rules, const std::string& name, Field Rules::* member, int least, int most, const Json& value) {
    if constexpr (std::is_same_v<Field, bool>) {
        if (value.kind != Json::Kind::FLAG) fail(name + " must be True or False, not " + quote(value));
        rules.*member = value.flag;
    } else if constexpr (std::is_enum_v<Field>) {
        const auto& words = words_of_rule(Field{});
        const std::optional<int> place = find_word(words, value);
        std::vector<std::string> known;
        for (const char* word : words) known.push_back(show(word));
        if (!place) fail(name + " must be one of " + join(known) + ", not " + quote(value));
        rules.*member = static_cast<Field>(*place);
    } else {
        rules.*member = static_cast<Field>(require_whole(name, value, least, most));
    }
}

const PresetForm& find_preset(const Json& name) {
    std::vector<std::string> known;
    for (const PresetForm& preset : PRESET_FORMS) {
        if (name.is_text() && is_same_word(name.text, preset.name)) return preset;
        known.push_back(preset.name);
    }
    fail("no rules preset " + quote(name) + "; there are " + join(known) + suggest(name.text, known));
}

Rules make_preset_rules(const PresetForm& preset) {
    Rules rules = make_official_rules(2);
    preset.change(rules);
    return rules;
}

void refuse_unknown_rules(const Json::Object& changes) {
    std::vector<std::string> known;
    for (const RuleField& field : RULE_FIELDS) known.push_back(field.name);
    for (const auto& [name, value] : changes) {
        if (std::ranges::find(known, name) == known.end())
            fail("rules have no field " + quote(name) + "; there are " + join(known) + suggest(name, known));
    }
}

// In the order of complaints: the deck's text, numbers, choices, switches, and what must hold between them.
Rules change_rules(Rules rules, const Json& changes) {
    refuse_unknown_rules(changes.members);
    const Json* deck = changes.find("deck");
    if (deck != nullptr && deck->is_text()) set_deck(rules, std::string(strip(deck->text)));
    const auto set_all = [&](auto is_wanted) {
        for (const RuleField& field : RULE_FIELDS) {
            const Json* value = changes.find(field.name);
            if (value == nullptr) continue;
            visit_rule(field.name, [&]<class Field>(Field Rules::* member, int least, int most) {
                if (is_wanted(Field{})) set_rule(rules, field.name, member, least, most, *value);
            });
        }
    };
    set_all([](auto value) { return std::is_integral_v<decltype(value)> && !std::is_same_v<decltype(value), bool>; });
    set_all([](auto value) { return std::is_enum_v<decltype(value)>; });
    set_all([](auto value) { return std::is_same_v<decltype(value), bool>; });
    if (deck != nullptr && !deck->is_text()) fail("deck must be a Deck, not " + quote(*deck));
    check_rules(rules);
    return rules;
}

// The value of a field, given as text.
Json read_rule_word(const std::string& name, const std::string& word) {
    std::string lower = word, digits;
    for (char& letter : lower) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    for (const char letter : word) digits += letter == '_' ? "" : std::string(1, letter);
    Json value = word;
    visit_rule(name, [&]<class Field>(Field Rules::*, int, int) {
        if constexpr (std::is_same_v<Field, bool>) {
            if (lower == "true" || lower == "on" || lower == "yes") value = true;
            if (lower == "false" || lower == "off" || lower == "no") value = false;
        } else if constexpr (std::is_enum_v<Field>) {
            value = lower;
        } else if (!digits.empty() && digits.size() < 10 && digits.find_first_not_of("0123456789") == digits.npos) {
            value = std::stoi(digits);
        }
    });
    return value;
}

// Each field that differs from those of the preset.
Json::Object compare_rules(const Rules& rules, const PresetForm& preset) {
    const Rules base = make_preset_rules(preset);
    Json::Object changes;
    for (const RuleField& field : RULE_FIELDS) {
        Json value = show_rule(rules, field.name);
        if (!is_same(value, show_rule(base, field.name))) changes.emplace_back(field.name, std::move(value));
    }
    return changes;
}

}  // namespace

Rules parse_rules(const Json& text) {
    const std::vector<std::string> words = split(text.is_text() ? text.text : "", SPACE);
    if (words.empty()) fail("expected a preset and changes such as 'official players=4', not " + quote(text));
    Json::Object changes;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t middle = words[i].find('=');
        if (middle == std::string::npos)
            fail(quote(words[i]) + " is not a change of rules; expected field=value such as players=4");
        std::string name = words[i].substr(0, middle);
        for (char& letter : name) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
        if (std::ranges::find(changes, name, &Json::Member::first) != changes.end()) fail(name + " is given twice");
        Json value = read_rule_word(name, words[i].substr(middle + 1));
        changes.emplace_back(std::move(name), std::move(value));
    }
    const PresetForm& preset = find_preset(words[0]);
    return change_rules(make_preset_rules(preset), Json(std::move(changes)));
}

Rules read_rules(const Json& fields) {
    if (fields.kind != Json::Kind::OBJECT) fail("rules must be a mapping of fields, not " + quote(fields));
    return change_rules(make_preset_rules(PRESET_FORMS[0]), fields);
}

Rules choose_rules(const Json& described) {
    if (described.is_text()) return parse_rules(described);
    const Json* preset = described.find("preset");
    if (preset == nullptr) return read_rules(described);
    Json changes = described;
    std::erase_if(changes.members, [](const Json::Member& member) { return member.first == "preset"; });
    return change_rules(make_preset_rules(find_preset(*preset)), changes);
}

std::string name_deck(const Rules& rules) {
    const std::string cards = list_deck(rules);
    for (const auto& [name, named] : describe_decks().members) {
        if (named.text == cards) return name;
    }
    return cards;
}

Json describe_rules(const Rules& rules) {
    Json::Object fields;
    fields.reserve(std::size(RULE_FIELDS));
    for (const RuleField& field : RULE_FIELDS) fields.emplace_back(field.name, show_rule(rules, field.name));
    return fields;
}

Json list_rule_changes(const Rules& rules) {
    Json::Object best;
    for (const PresetForm& preset : PRESET_FORMS) {
        Json::Object changes = compare_rules(rules, preset);
        if (!best.empty() && changes.size() + 1 >= best.size()) continue;
        best = std::move(changes);
        best.emplace(best.begin(), "preset", preset.name);
    }
    return best;
}

std::string format_rules(const Rules& rules) {
    std::string text;
    const Json changes = list_rule_changes(rules);
    for (const auto& [name, value] : changes.members) {
        std::string word = value.is_text() ? value.text : format_json(value);
        std::ranges::replace(word, ' ', ',');
        text += text.empty() ? word : " " + name + "=" + word;
    }
    return text;
}

Json name_preset(const Rules& rules) {
    for (const PresetForm& preset : PRESET_FORMS) {
        Rules base = make_preset_rules(preset);
        base.players = rules.players;
        if (base == rules) return preset.name;
    }
    return {};
}

Json describe_rule_fields() {
    const Rules official = make_official_rules(2);
    Json::List described;
    for (const RuleField& field : RULE_FIELDS) {
        Json::List choices;
        Json low, high;
        const char* kind = "choice";
        const bool is_rule = visit_rule(field.name, [&]<class Field>(Field Rules::*, int least, int most) {
            if constexpr (std::is_same_v<Field, bool>) {
                kind = "bool";
            } else if constexpr (std::is_enum_v<Field>) {
                for (const char* word : words_of_rule(Field{})) choices.emplace_back(word);
            } else {
                kind = "int";
                low = least;
                high = most;
            }
        });
        if (!is_rule) {
            for (const auto& deck : DECK_FORMS) choices.emplace_back(deck.name);
        }
        Json::Object fields{{"name", field.name},
                            {"kind", kind},
                            {"default", show_rule(official, field.name)},
                            {"explanation", field.explanation}};
        if (!choices.empty()) fields.emplace_back("choices", std::move(choices));
        if (!low.is_nothing()) fields.insert(fields.end(), {{"low", low}, {"high", high}});
        described.emplace_back(std::move(fields));
    }
    return described;
}

Json describe_presets() {
    Json::Object described;
    for (const PresetForm& preset : PRESET_FORMS)
        described.emplace_back(preset.name, describe_rules(make_preset_rules(preset)));
    return described;
}

Json summarize_presets() {
    Json::Object summaries;
    for (const PresetForm& preset : PRESET_FORMS) summaries.emplace_back(preset.name, preset.summary);
    return summaries;
}

Json describe_decks() {
    static const Json described = [] {
        Json::Object decks;
        for (const auto& deck : DECK_FORMS) {
            Rules rules{};
            set_deck(rules, deck.name);
            decks.emplace_back(deck.name, list_deck(rules));
        }
        return Json(std::move(decks));
    }();
    return described;
}

}  // namespace lastcard
