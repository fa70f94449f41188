#include "game/replay.hpp"

#include "game/names.hpp"
#include "game/refusal.hpp"
#include "round/fail.hpp"
#include "round/stop.hpp"

namespace lastcard {

namespace {

constexpr i64 MOST_ROUNDS = 1'000'000;
constexpr i64 MOST_SCORE = 10'000'000;

void require_between(const char* name, i64 value, i64 low, i64 high) {
    if (value < low || value > high)
        fail(std::string(name) + " must be from " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
             std::to_string(value));
}

// The number of copies of each face.
ByFace<std::size_t> count_all(const std::vector<u8>& faces) {
    ByFace<std::size_t> counts{};
    for (const u8 face : faces) counts[face] += 1;
    return counts;
}

// Rule 1.3.
void check_deck(const std::vector<u8>& deck, const Rules& rules) {
    const ByFace<std::size_t> counts = count_all(deck);
    const FaceCounts wanted = count_deck(rules);
    for (int face = 0; face < NUM_FACES; ++face) {
        if (counts[face] != wanted[face])
            fail("deck: " + std::to_string(counts[face]) + " of " + CARD_NAMES[face] + " where the deck has " +
                 std::to_string(wanted[face]));
    }
}

void check_reshuffle(const std::vector<u8>& order, const Rules& rules) {
    if (order.size() > static_cast<std::size_t>(rules.deck_size))
        fail("reshuffles: " + std::to_string(order.size()) + " cards are more than the deck has");
    const ByFace<std::size_t> counts = count_all(order);
    const FaceCounts most = count_deck(rules);
    for (int face = 0; face < NUM_FACES; ++face)
        require(counts[face] <= most[face], "reshuffles: more copies of a card than the deck has");
}

std::string name_round(const PlayedRound& played) { return "round " + std::to_string(played.number); }

std::string list_scores(const std::vector<i64>& scores) {
    std::string text;
    for (const i64 score : scores) text += (text.empty() ? "" : ", ") + std::to_string(score);
    return "(" + text + ")";
}

std::string name_result(const Result& result) {
    return result.ending == Ending::NONE ? "no result" : format_result(result);
}

}  // namespace

Round deal_again(const Rules& rules, const PlayedRound& played) {
    check_deck(played.deck, rules);
    return deal_cards(rules, played, number_wilds(played.deck));
}

Round deal_cards(const Rules& rules, const PlayedRound& played, const std::vector<u8>& cards) {
    require_between("round_number", played.number, 1, MOST_ROUNDS);
    require_between("dealer", played.dealer, 0, rules.players - 1);
    if (static_cast<int>(played.scores.size()) != rules.players)
        fail("scores must have one number for each of " + std::to_string(rules.players) + " seats, not " +
             list_scores(played.scores));
    Round round;
    round.rules = rules;
    round.dealer = static_cast<int>(played.dealer);
    round.number = static_cast<int>(played.number);
    for (int seat = 0; seat < rules.players; ++seat) {
        require_between("scores", item(played.scores, seat), -MOST_SCORE, MOST_SCORE);
        round.scores[seat] = static_cast<int>(item(played.scores, seat));
    }
    if (!played.reshuffles.empty()) {
        auto script = std::make_shared<std::vector<u8>>();
        for (const std::vector<u8>& order : played.reshuffles) {
            check_reshuffle(order, rules);
            script->push_back(static_cast<u8>(order.size()));
            for (const u8 card : number_wilds(order)) script->push_back(card);
        }
        round.script = script;
    }
    deal_round(round, played.seed.value_or(Key{}), cards);
    return round;
}

Replay::Replay(const Rules& rules, const PlayedRound& again) : played(again) {
    const FailingAt here(name_round(played) + ": ");
    round = deal_again(rules, played);
    check_script();  // a Wild Draw Four that is turned up is shuffled back
}

void Replay::check_script() const {
    require(!round.state.pile.script_failed, "the recorded reshuffle does not hold the cards that were discarded");
}

// What was done last.
std::string Replay::place() const {
    return ply == 0 ? name_round(played) + ": " : name_round(played) + ", ply " + std::to_string(ply) + ": ";
}

void Replay::step() {
    const int action = played.actions[ply++];
    const FailingAt here(place());
    if (!is_legal(round, action)) fail(explain_refusal(round, action));
    apply_in_place(round, action);
    check_script();
}

void Replay::check_end() const {
    const FailingAt here(place());
    const Result result = find_result(round);
    if (result != played.result)
        fail("the record says " + name_result(played.result) + ", the actions lead to " + name_result(result));
    if (round.reshuffles.size() != played.reshuffles.size())
        fail(std::to_string(played.reshuffles.size()) + " reshuffles recorded, " +
             std::to_string(round.reshuffles.size()) + " happened");
}

Round replay(const Rules& rules, const PlayedRound& played, std::size_t num_actions) {
    Replay again(rules, played);
    for (std::size_t i = 0; i < num_actions && !is_stopped(); ++i) again.step();
    return again.now();
}

void check_succession(const PlayedRound& earlier, const PlayedRound& later) {
    const FailingAt here(name_round(later) + ": ");
    if (!earlier.is_finished()) fail(name_round(earlier) + " before it is not finished");
    if (later.number != earlier.number + 1)
        fail("expected round " + std::to_string(earlier.number + 1) + " after " + name_round(earlier));
    std::vector<i64> scores = earlier.scores;
    for (std::size_t seat = 0; seat < scores.size() && seat < earlier.result.points.size(); ++seat)
        scores[seat] += earlier.result.points[seat];
    if (later.scores != scores)
        fail("scores " + list_scores(later.scores) + " do not follow from the round before, which leads to " +
             list_scores(scores));
}

void check_seats(const GameRecord& record) {
    for (const int seat : record.people) require_between("people", seat, 0, record.players() - 1);
    if (record.agents.size() != static_cast<std::size_t>(record.players()))
        fail(std::to_string(record.agents.size()) + " agents recorded for " + std::to_string(record.players()) +
             " seats");
}

void check_record(const GameRecord& record) {
    check_seats(record);
    for (std::size_t i = 0; i < record.rounds.size(); ++i) {
        if (i > 0) check_succession(record.rounds[i - 1], record.rounds[i]);
        Replay again(record.rules, record.rounds[i]);
        while (again.has_more() && !is_stopped()) again.step();
        if (is_stopped()) return;
        again.check_end();
    }
}

}  // namespace lastcard
