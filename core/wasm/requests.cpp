#include "wasm/requests.hpp"

#include "game/names.hpp"
#include "game/rules_form.hpp"
#include "round/fail.hpp"
#include "tables.hpp"

namespace lastcard {

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

const Json& description() {
    static const Json offered = [] {
        Json all = parse_json(tables::DESCRIPTION);
        const auto add = [&](const char* name, Json value) { all.members.emplace_back(name, std::move(value)); };
        add("rules", describe_rule_fields());
        add("presets", describe_presets());
        add("preset_summaries", summarize_presets());
        add("decks", describe_decks());
        add("actions", Json::List(std::begin(ACTION_NAMES), std::end(ACTION_NAMES)));
        add("cards", Json::List(std::begin(CARD_NAMES), std::end(CARD_NAMES)));
        return all;
    }();
    return offered;
}

}  // namespace lastcard
