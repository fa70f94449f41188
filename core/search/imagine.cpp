#include "search/imagine.hpp"

#include <algorithm>

#include "round/blank_turn.hpp"
#include "round/fail.hpp"
#include "search/belief.hpp"
#include "search/determinize.hpp"

namespace lastcard {

namespace {

void check_turn(const Turn& turn, int players) {
    for (const u8 seat : {turn.seat, turn.player, turn.next_seat, turn.last_actor, turn.winner})
        require(seat == NO_SEAT || seat < players, "no such seat");
    require(turn.declared >> players == 0, "no such seats have declared");
    require(turn.stuck_passes <= players, "stuck_passes out of range");
    require(turn.direction != 0, "direction must be 1 or -1");
    const Phase phase = turn.phase;
    require(phase == Phase::OVER || turn.seat != NO_SEAT, "a seat must be to act");
    const bool has_player =
        phase == Phase::ANSWER || phase == Phase::SWAP || phase == Phase::CATCH_UNO || phase == Phase::JUMP_IN;
    require(!has_player || turn.player != NO_SEAT, "a seat must have played the top card");
    const bool can_jump = turn.next_seat != NO_SEAT && is_colored(turn.top);
    require(phase != Phase::JUMP_IN || can_jump, "nobody can jump in here");
}

u8 find_drawn(const Turn& turn, const Hand& hand) {
    if (turn.drawn == NO_CARD) return NO_CARD;
    const u64 held = hand.first & face_bits(turn.drawn);
    require(held != 0, "the drawn card is not in the hand");
    return static_cast<u8>(lowest_bit(held));
}

void count_faces(FaceCounts& counts, const std::vector<u8>& faces, const Rules& rules) {
    const FaceCounts deck = count_deck(rules);
    for (const u8 face : faces) {
        require(face < NUM_FACES, "no such card");
        require(counts[face] < deck[face], "more copies of a card than the deck has");
        counts[face] += 1;
    }
}

// What a seat may do, as far as it can tell: the same in any state that fits what it sees.
ActionSet legal_for_observer(const Observation& seen) {
    BeliefSettings settings;
    settings.kind = BeliefKind::UNIFORM;
    settings.hypotheses = 1;
    Hypothetical<MAX_SEATS> state{};
    Determinizer(seen).fill(state, believe(seen, settings, 0).hypotheses.front());
    return legal_actions(state, seen.rules);
}

void place_cards(Observation& seen, const Described& described) {
    FaceCounts counts{};
    count_faces(counts, described.hand, seen.rules);
    count_faces(counts, described.discards, seen.rules);
    std::vector<u8> faces = described.hand;
    faces.insert(faces.end(), described.discards.begin(), described.discards.end());
    const std::vector<u8> cards = number_wilds(faces);
    const std::size_t held = described.hand.size();
    for (std::size_t i = 0; i < held; ++i) add_card(seen.hand, cards[i]);
    seen.discards.assign(cards.begin() + static_cast<std::ptrdiff_t>(held), cards.end());
    int elsewhere = 0;
    for (std::size_t seat = 0; seat < described.hand_sizes.size(); ++seat) {
        const int size = described.hand_sizes[seat];
        require(size >= 0 && size <= MAX_CARDS, "a hand cannot have so many cards");
        seen.hand_sizes[seat] = size;
        elsewhere += size;
    }
    seen.draw_pile_size = seen.rules.deck_size - elsewhere - static_cast<int>(described.discards.size());
    require(seen.draw_pile_size >= 0, "more cards than the deck has");
    if (seen.observer != SPECTATOR)
        require(static_cast<int>(held) == seen.hand_sizes[seen.observer], "the observer's hand has another size");
}

}  // namespace

Observation imagine(const Rules& rules, const Described& described) {
    const int players = rules.players;
    require(static_cast<int>(described.hand_sizes.size()) == players && described.observer >= SPECTATOR &&
                described.observer < players && !described.discards.empty() && described.scores.size() <= MAX_SEATS &&
                described.points.size() <= MAX_SEATS,
            "not a table");
    require(described.dealer >= 0 && described.dealer < players, "no such seat");
    Observation seen;
    seen.rules = rules;
    seen.observer = described.observer;
    seen.dealer = described.dealer;
    seen.number = described.number;
    std::ranges::copy(described.scores, seen.scores.begin());
    std::ranges::copy(described.points, seen.points.begin());
    place_cards(seen, described);
    seen.events = described.events;
    seen.turn = put_on_top(described.turn, seen.discards.back());
    check_turn(seen.turn, players);
    seen.turn.drawn = find_drawn(described.turn, seen.hand);
    if (seen.turn.seat == seen.observer) {
        const bool is_jump = seen.turn.phase == Phase::JUMP_IN;
        require(seen.turn.phase != Phase::DRAWN || seen.turn.drawn != NO_CARD, "the drawn card is missing");
        require(!is_jump || (seen.hand.first & bit_of(seen.turn.top)) != 0, "the observer cannot jump in");
        seen.legal = legal_for_observer(seen);
    }
    return seen;
}

}  // namespace lastcard
