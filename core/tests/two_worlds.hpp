// Two worlds that differ only in what a seat cannot know must look the same to it, byte for byte, at every moment.
//
// A random round is played to some ply. Cards that the observer has not seen by then trade places in the deck, and
// every seat does again what it did. If that is possible, and nothing public comes out differently, the observer must
// not notice.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "round/observation.hpp"
#include "round/random_walk.hpp"
#include "round/threads.hpp"
#include "search/sight.hpp"
#include "tests/random_rules.hpp"

namespace lastcard {

using Observe = Observation (*)(const Round&, int);

// ---- An observation as bytes: everything that the bindings expose ---------------------------------------------------

inline void write_number(std::string& bytes, u64 value) {
    for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 255));
}

inline void write_byte(std::string& bytes, int value) { bytes.push_back(static_cast<char>(value)); }

// Wilds are told apart by id inside the core only; everyone else sees faces.
inline void write_card(std::string& bytes, int card) { write_byte(bytes, card == NO_CARD ? NO_CARD : face_of(card)); }

inline void write_events(std::string& bytes, const std::vector<Event>& events) {
    for (const Event& event : events) {
        write_byte(bytes, static_cast<int>(event.kind));
        write_byte(bytes, event.seat);
        write_byte(bytes, event.other);
        const bool is_card =
            event.kind == EventKind::GOT || event.kind == EventKind::SHOWN || event.kind == EventKind::TURNED_UP;
        if (is_card) write_card(bytes, event.card);
        else write_byte(bytes, event.card);
    }
}

inline std::string write_observation(const Observation& seen) {
    std::string bytes;
    const Turn& turn = seen.turn;
    for (const int number : {seen.observer, seen.draw_pile_size, seen.dealer, seen.number}) {
        write_number(bytes, static_cast<u64>(number));
    }
    write_number(bytes, seen.legal.plays);
    write_number(bytes, seen.legal.others);
    write_number(bytes, seen.hand.first & COLORED_BITS);
    write_number(bytes, seen.hand.second);
    write_byte(bytes, count_of(seen.hand, WILD_BITS));
    write_byte(bytes, count_of(seen.hand, FOUR_BITS));
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
        for (const int number : {seen.hand_sizes[seat], seen.scores[seat], seen.points[seat]}) {
            write_number(bytes, static_cast<u64>(number));
        }
    }
    for (const int value :
         {static_cast<int>(turn.phase), static_cast<int>(turn.seat), static_cast<int>(turn.direction),
          static_cast<int>(turn.draw_sum), static_cast<int>(turn.active_color), static_cast<int>(turn.last_color),
          static_cast<int>(turn.last_actor), static_cast<int>(turn.winner), static_cast<int>(turn.ending),
          is_command_pending(turn) ? 1 : 0, is_skip_pending(turn, seen.rules) ? 1 : 0}) {
        write_byte(bytes, value);
    }
    write_number(bytes, turn.declared);
    write_card(bytes, turn.drawn);
    write_number(bytes, seen.discards.size());
    for (const u8 card : seen.discards) write_card(bytes, card);
    write_events(bytes, seen.events);
    u8 row[ENCODING_SIZE];  // what networks and environments are given
    encode_observation(seen, row);
    for (const u8 byte : row) write_byte(bytes, byte);
    return bytes;
}

// ---- What the observer has seen -------------------------------------------------------------------------------------

// Follows the physical cards, by their place in the deck. Copies of a face cannot be told apart, so when one is played
// it may as well be the one that the observer knows.
struct Tracker {
    int observer = 0;
    std::vector<u8> deck;
    std::vector<u8> seen;
    std::vector<std::vector<int>> hands;
    std::vector<int> shown;  // the hand behind the last Wild Draw Four
    int left = 0;            // places of the deck that are still in the draw pile
    std::size_t num_told = 0;
};

inline void draw_tracked(Tracker& tracker, int seat) {
    tracker.left -= 1;
    item(tracker.hands, seat).push_back(tracker.left);
    if (seat == tracker.observer) item(tracker.seen, tracker.left) = true;
}

inline void mark_seen(Tracker& tracker, const std::vector<int>& places) {
    for (const int place : places) item(tracker.seen, place) = true;
}

inline void play_tracked(Tracker& tracker, int seat, int play) {
    std::vector<int>& hand = item(tracker.hands, seat);
    auto played = hand.end();
    for (auto place = hand.begin(); place != hand.end(); ++place) {
        if (face_of(item(tracker.deck, *place)) != face_of(play)) continue;
        if (played == hand.end() || item(tracker.seen, *place)) played = place;
    }
    item(tracker.seen, *played) = true;
    hand.erase(played);
    if (is_four(play)) tracker.shown = hand;
}

inline void pass_tracked(Tracker& tracker, int direction) {
    if (direction > 0) std::rotate(tracker.hands.begin(), tracker.hands.end() - 1, tracker.hands.end());
    else std::rotate(tracker.hands.begin(), tracker.hands.begin() + 1, tracker.hands.end());
}

// Reads the events since the last call. A 0 does not turn the direction, so the one after the ply will do.
inline void follow(Tracker& tracker, const Round& round) {
    for (; tracker.num_told < round.events.size(); ++tracker.num_told) {
        const Event& event = round.events[tracker.num_told];
        if (event.kind == EventKind::TURNED_UP) item(tracker.seen, --tracker.left) = true;
        if (event.kind == EventKind::PLAYED || event.kind == EventKind::JUMPED_IN) {
            play_tracked(tracker, event.seat, event.card);
        }
        if (event.kind == EventKind::DREW) {
            for (int i = 0; i < event.other; ++i) draw_tracked(tracker, event.seat);
        }
        if (event.kind == EventKind::CHALLENGED && event.seat == tracker.observer) mark_seen(tracker, tracker.shown);
        if (event.kind == EventKind::SWAPPED) std::swap(tracker.hands[event.seat], tracker.hands[event.other]);
        if (event.kind == EventKind::HANDS_PASSED) pass_tracked(tracker, round.state.turn.direction);
        mark_seen(tracker, item(tracker.hands, tracker.observer));
    }
}

inline Tracker open_tracker(const Round& round, const std::vector<u8>& deck, int observer) {
    Tracker tracker;
    tracker.observer = observer;
    tracker.deck = deck;
    tracker.seen.resize(deck.size());
    tracker.hands.resize(static_cast<std::size_t>(round.rules.players));
    tracker.left = static_cast<int>(deck.size());
    for (int i = 0; i < round.rules.hand_size; ++i) {
        for (int k = 1; k <= round.rules.players; ++k) draw_tracked(tracker, (round.dealer + k) % round.rules.players);
    }
    follow(tracker, round);
    return tracker;
}

// The tracker must know what the truth knows, or the test would prove nothing.
inline bool is_tracked(const Tracker& tracker, const Round& round) {
    bool same = tracker.left == round.state.pile.size;
    for (int seat = 0; seat < round.rules.players; ++seat) {
        int counts[NUM_CARD_IDS] = {};
        for (const int place : item(tracker.hands, seat)) {
            counts[face_of(item(tracker.deck, place))] += 1;
        }
        for (int card = 0; card < NUM_CARD_IDS; ++card)
            counts[face_of(card)] -= count_of(round.state.hands[seat], bit_of(card));
        for (const int count : counts) same = same && count == 0;
    }
    return same;
}

// ---- The two worlds -------------------------------------------------------------------------------------------------

// One action, and what everybody could see it do. Passes in a jump-in window are left out: they are no public event.
struct Step {
    int seat = 0;
    int action = 0;
    bool is_in_window = false;
    bool is_guilty = false;
    BySeat<int> hand_sizes{};
};

struct World {
    Round round;
    int observer = 0;
    Observe observe = nullptr;
    std::vector<Step> steps;
    std::vector<std::pair<std::size_t, int>> asked;  // who was asked to jump in, and after how many steps
    std::vector<std::string> views;                  // what the observer saw, whenever that changed
};

inline bool is_jump_in(const Round& round) { return round.state.turn.phase == Phase::JUMP_IN; }

inline void look(World& world) {
    if (is_jump_in(world.round)) world.asked.emplace_back(world.steps.size(), world.round.state.turn.seat);
    std::string view = write_observation(world.observe(world.round, world.observer));
    if (world.views.empty() || world.views.back() != view) world.views.push_back(std::move(view));
}

inline World open_world(const Rules& rules, const std::vector<u8>& deck, int dealer, int observer,
                        Observe observe_with) {
    World world;
    world.round.rules = rules;
    world.round.dealer = dealer;
    world.observer = observer;
    world.observe = observe_with;
    deal_round(world.round, Key{}, deck);
    look(world);
    return world;
}

inline void take_step(World& world, int action) {
    Step step;
    const Truth& state = world.round.state;
    step.seat = state.turn.seat;
    step.action = action;
    step.is_in_window = is_jump_in(world.round);
    step.is_guilty = action == CHALLENGE && has_color(state.shown, state.turn.last_color);
    apply_in_place(world.round, action);
    for (int seat = 0; seat < world.round.rules.players; ++seat) {
        step.hand_sizes[seat] = num_cards(state.hands[seat]);
    }
    if (!step.is_in_window || action != PASS) world.steps.push_back(step);
    look(world);
}

// Lets the seats pass that have no part in the next step; false if one of them has committed itself to jump in.
inline bool pass_windows(World& world, const Step* next) {
    while (is_jump_in(world.round)) {
        if (next != nullptr && next->is_in_window && next->seat == world.round.state.turn.seat) return true;
        if (!contains(legal_actions(world.round.state, world.round.rules), PASS)) return false;
        take_step(world, PASS);
    }
    return true;
}

// Does in `world` what was done in the other; false where that is impossible or has another public result.
inline bool repeat_steps(World& world, const World& other) {
    for (const Step& step : other.steps) {
        if (!pass_windows(world, &step)) return false;
        const Round& round = world.round;
        if (round.state.turn.seat != step.seat || is_jump_in(round) != step.is_in_window) return false;
        if (!contains(legal_actions(round.state, round.rules), step.action)) return false;
        take_step(world, step.action);
        const Step& done = world.steps.back();
        if (done.is_guilty != step.is_guilty || done.hand_sizes != step.hand_sizes) return false;
    }
    if (!pass_windows(world, nullptr)) return false;
    return !is_over(world.round) || !is_over(other.round) || points_scored(world.round) == points_scored(other.round);
}

// ---- Making pairs ---------------------------------------------------------------------------------------------------

// Random actions up to the first reshuffle or the end: after a reshuffle no card can be followed.
inline std::vector<int> plan_actions(const Rules& rules, const std::vector<u8>& deck, int dealer, Rng& rng) {
    Round round;
    round.rules = rules;
    round.dealer = dealer;
    deal_round(round, Key{}, deck);
    std::vector<int> actions;
    ReshuffleListener listener{round.state.pile.reshuffles > 0};
    while (!listener.has_reshuffled && !is_over(round)) {
        const int action = choose_action(legal_actions(round.state, rules), rng, false);
        apply(round.state, rules, listener, action);
        if (!listener.has_reshuffled) actions.push_back(action);
    }
    return actions;
}

inline std::vector<u8> random_deck(const Rules& rules, Rng& rng) {
    std::vector<u8> deck(rules.deck, rules.deck + rules.deck_size);
    for (int i = rules.deck_size - 1; i > 0; --i) {
        std::swap(item(deck, i), item(deck, random_below(rng, i + 1)));
    }
    return deck;
}

// The deck with unseen cards in other places: at least one leaves a hand, for a place where another face lay. Every
// other time that one is the twin of a card that was played, so that jump-in windows come and go. Empty if there are
// none to exchange.
inline std::vector<u8> exchange_unseen(const Tracker& tracker, Rng& rng) {
    std::vector<int> unseen, held, twins;
    for (int place = 0; place < static_cast<int>(tracker.deck.size()); ++place) {
        if (!item(tracker.seen, place)) unseen.push_back(place);
    }
    std::array<bool, NUM_CARD_IDS> was_public{};
    for (std::size_t place = 0; place < tracker.deck.size(); ++place) {
        if (tracker.seen[place]) was_public[tracker.deck[place]] = true;
    }
    for (const int place : unseen) {
        if (place >= tracker.left) held.push_back(place);
        if (was_public[item(tracker.deck, place)]) twins.push_back(place);
    }
    if (held.empty() || unseen.size() < 2) return {};
    std::vector<u8> deck = tracker.deck;
    for (int count = 1 + random_below(rng, 3); count > 0; --count) {
        const std::vector<int>& from = twins.empty() || random_below(rng, 2) == 0 ? unseen : twins;
        const int a = item(held, random_below(rng, static_cast<int>(held.size())));
        const int b = item(from, random_below(rng, static_cast<int>(from.size())));
        std::swap(item(deck, a), item(deck, b));
    }
    for (const int place : unseen) {
        if (face_of(item(deck, place)) != face_of(item(tracker.deck, place))) return deck;
    }
    return {};
}

struct PairCount {
    u64 pairs = 0;
    u64 rejected = 0;
    u64 one_sided = 0;  // pairs in which a jump-in window was open, or asked a seat, in one world only
    u64 asked = 0;      // pairs in which the observer was asked in such a window
    u64 ends = 0;       // pairs that reach the end of the round
    u64 leaks = 0;
    std::string first_leak;
};

inline Rules random_window_rules(Rng& rng) {
    const int players = random_players(rng);
    const int kind = random_below(rng, 10);
    if (kind < 3) return make_preset(Preset::HOUSE, players);
    if (kind < 5) return make_preset(Preset::TOURNAMENT, players);
    Rules rules = kind < 9 ? random_switches(rng, players) : make_preset(Preset::OFFICIAL, players);
    if (kind >= 7) rules.jump_in = true;
    return rules;
}

inline std::string describe_leak(const World& one, const World& other, const Rules& rules, u64 index) {
    std::size_t at = 0;
    while (at < one.views.size() && at < other.views.size() && one.views[at] == other.views[at]) at += 1;
    return "pair " + std::to_string(index) + ": seat " + std::to_string(one.observer) + " of " +
           std::to_string(rules.players) + " tells two worlds apart by view " + std::to_string(at) + " of " +
           std::to_string(one.views.size()) + " and " + std::to_string(other.views.size());
}

// One random round, and up to four exchanges.
inline void try_pairs(PairCount& count, u64 seed, u64 index, Observe observe_with) {
    Rng rng = split_rng(seed, index);
    const Rules rules = random_window_rules(rng);
    const std::vector<u8> deck = random_deck(rules, rng);
    const int dealer = random_below(rng, rules.players);
    const std::vector<int> actions = plan_actions(rules, deck, dealer, rng);
    if (actions.empty()) return;
    const int last = static_cast<int>(actions.size());
    const int stop =
        random_below(rng, 8) == 0 ? last : std::min(1 + random_below(rng, last), 20 + random_below(rng, 80));
    World truth = open_world(rules, deck, dealer, random_below(rng, rules.players), observe_with);
    Tracker tracker = open_tracker(truth.round, deck, truth.observer);
    for (const int action : actions) {
        if (static_cast<int>(truth.round.state.turn.ply) >= stop && !is_jump_in(truth.round)) break;
        take_step(truth, action);
        follow(tracker, truth.round);
    }
    if (is_jump_in(truth.round)) return;
    if (!is_tracked(tracker, truth.round)) {
        count.leaks += 1;
        count.first_leak = "pair " + std::to_string(index) + ": the test lost track of the cards";
        return;
    }
    for (int attempt = 0; attempt < 4; ++attempt) {
        const std::vector<u8> exchanged = exchange_unseen(tracker, rng);
        if (exchanged.empty()) return;
        World other = open_world(rules, exchanged, dealer, truth.observer, observe_with);
        if (!repeat_steps(other, truth)) {
            count.rejected += 1;
            continue;
        }
        count.pairs += 1;
        count.one_sided += other.asked != truth.asked ? 1 : 0;
        count.ends += is_over(truth.round) ? 1 : 0;
        for (const auto& [step, seat] : truth.asked) {
            if (seat == truth.observer) {
                count.asked += 1;
                break;
            }
        }
        if (other.views == truth.views) continue;
        if (count.leaks == 0) count.first_leak = describe_leak(truth, other, rules, index);
        count.leaks += 1;
    }
}

}  // namespace lastcard
