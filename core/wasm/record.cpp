#include "wasm/record.hpp"

#include <algorithm>

#include "round/fail.hpp"
#include "rules/game.hpp"
#include "search/faces.hpp"
#include "tables.hpp"

namespace lastcard {

namespace {

constexpr std::size_t WIDTH = 80;

std::vector<u8> list_faces(const std::vector<u8>& cards) {
    std::vector<u8> faces;
    for (const u8 card : cards) faces.push_back(static_cast<u8>(face_of(card)));
    return faces;
}

void check_faces(const std::vector<u8>& faces, const Rules& rules, const char* name) {
    const FaceCounts most = count_deck(rules);
    FaceCounts counts{};
    for (const u8 face : faces) {
        if (++counts[face] > most[face]) fail(std::string(name) + ": more copies of a card than the deck has");
    }
}

std::string format_cards(const std::vector<u8>& faces) {
    std::string text;
    for (const u8 face : faces) text += (text.empty() ? "" : " ") + std::string(tables::CARDS[face]);
    return text;
}

// Breaks lines between words, as late as possible.
std::string wrap(const std::string& text) {
    std::string wrapped;
    std::size_t column = 0;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        const std::size_t length = end - start;
        const bool fits = column + 1 + length <= WIDTH;
        if (!wrapped.empty()) wrapped += fits ? ' ' : '\n';
        column = wrapped.empty() || !fits ? length : column + 1 + length;
        wrapped.append(text, start, length);
        start = end + 1;
    }
    return wrapped;
}

std::string header(const std::string& name, const std::string& value) { return "[" + name + " \"" + value + "\"]\n"; }

std::string cards_header(const std::string& name, const std::vector<u8>& faces) {
    return wrap("[" + name + " \"" + format_cards(faces) + "\"]") + "\n";
}

std::string format_result(const Round& round) {
    const Turn& turn = round.state.turn;
    const BySeat<int> points = points_scored(round);
    std::string text = turn.winner == NO_SEAT ? "nobody" : std::to_string(turn.winner);
    text += std::string(" ") + tables::ENDINGS[static_cast<int>(turn.ending)];
    for (int seat = 0; seat < round.rules.players; ++seat) text += " " + std::to_string(points[seat]);
    return text;
}

std::string format_scores(const BySeat<int>& scores, int players) {
    std::string text;
    for (int seat = 0; seat < players; ++seat) text += (seat > 0 ? " " : "") + std::to_string(scores[seat]);
    return text;
}

// The actions, each go led by its seat.
std::string format_actions(const GameRecord& record, const PlayedRound& played) {
    Round round = deal_again(record, played);
    std::string text;
    int speaker = NO_SEAT;
    for (const u8 action : played.actions) {
        const int seat = round.state.turn.seat;
        if (seat != speaker) text += (text.empty() ? "" : " ") + std::to_string(seat) + ":";
        speaker = seat;
        text += std::string(" ") + tables::ACTIONS[action];
        apply_in_place(round, action);
    }
    return wrap(text);
}

std::string format_round(const GameRecord& record, const PlayedRound& played) {
    std::string text = "\n" + header("Round", std::to_string(played.number));
    text += header("Dealer", std::to_string(played.dealer));
    text += header("Scores", format_scores(played.scores, record.players()));
    if (played.seed) text += header("RoundSeed", format_seed(*played.seed));
    text += cards_header("Deck", played.deck);
    for (const std::vector<u8>& order : played.reshuffles) text += cards_header("Reshuffle", order);
    if (!played.result.empty()) text += header("Result", played.result);
    const std::string actions = format_actions(record, played);
    return text + "\n" + actions + (actions.empty() ? "" : "\n");
}

std::string quote(const std::string& name) { return format_json(Json(name)); }

}  // namespace

bool GameRecord::is_person(int seat) const { return std::ranges::find(people, seat) != people.end(); }

Round deal_again(const GameRecord& record, const PlayedRound& played) {
    Round round;
    round.rules = record.rules.rules;
    round.dealer = played.dealer;
    round.number = played.number;
    round.scores = played.scores;
    check_faces(played.deck, round.rules, "Deck");
    require(static_cast<int>(played.deck.size()) == round.rules.deck_size, "Deck: not all cards of the deck");
    if (!played.reshuffles.empty()) {
        auto script = std::make_shared<std::vector<u8>>();
        for (const std::vector<u8>& order : played.reshuffles) {
            check_faces(order, round.rules, "Reshuffle");
            script->push_back(static_cast<u8>(order.size()));
            for (const u8 card : number_wilds(order)) script->push_back(card);
        }
        round.script = script;
    }
    deal_round(round, played.seed.value_or(Key{}), number_wilds(played.deck));
    return round;
}

Round replay(const GameRecord& record, const PlayedRound& played, std::size_t num_actions) {
    Round round = deal_again(record, played);
    for (std::size_t ply = 0; ply < num_actions; ++ply) {
        const int action = played.actions[ply];
        const std::string where = "round " + std::to_string(played.number) + ", ply " + std::to_string(ply + 1) + ": ";
        if (is_over(round)) fail(where + "the round is over");
        if (!contains(legal_actions(round.state, round.rules), action))
            fail(where + tables::ACTIONS[action] + " is not legal");
        apply_in_place(round, action);
        if (round.state.pile.script_failed)
            fail(where + "the recorded reshuffle does not hold the cards that were discarded");
    }
    return round;
}

void note_progress(PlayedRound& played, const Round& round) {
    played.reshuffles.clear();
    for (const std::vector<u8>& order : round.reshuffles) played.reshuffles.push_back(list_faces(order));
    played.result = is_over(round) ? format_result(round) : "";
}

std::string format_record(const GameRecord& record) {
    std::string text = header("Lastcard", "1") + header("Rules", format_rules(record.rules.fields));
    for (std::size_t seat = 0; seat < record.agents.size(); ++seat)
        text += "[Seat" + std::to_string(seat) + " " + quote(record.agents[seat]) + "]\n";
    std::string people;
    for (const int seat : record.people) people += (people.empty() ? "" : " ") + std::to_string(seat);
    if (!people.empty()) text += header("People", people);
    if (record.seed) text += header("Seed", format_seed(*record.seed));
    for (const PlayedRound& played : record.rounds) text += format_round(record, played);
    return text;
}

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

Key parse_decimal_seed(const std::string& digits, const std::string& name) {
    Key key{};
    u64 carry = 0;
    for (const char digit : digits) {
        carry = digit >= '0' && digit <= '9' ? static_cast<u64>(digit - '0') : 1ull << 40;
        for (u32& word : key.words) {
            const u64 part = static_cast<u64>(word) * 10 + carry;
            word = static_cast<u32>(part);
            carry = part >> 32;
        }
        if (carry != 0) break;
    }
    if (digits.empty() || carry != 0) fail(name + " must be a whole number from 0 to 2**256 - 1");
    return key;
}

const PlayedRound& find_round(const GameRecord& record, int number) {
    for (const PlayedRound& played : record.rounds) {
        if (played.number == number) return played;
    }
    fail("there is no round " + std::to_string(number) + " in this game");
}

BySeat<int> scores_after(const Round& round) {
    BySeat<int> scores = round.scores;
    const BySeat<int> points = points_scored(round);
    for (int seat = 0; seat < round.rules.players; ++seat) scores[seat] += points[seat];
    return scores;
}

std::optional<int> judge_game(const GameRules& rules, const BySeat<int>& scores) {
    if (!has_reached_target(&scores[0], rules.rules)) return {};
    return best_scorer(&scores[0], rules.rules);
}

}  // namespace lastcard
