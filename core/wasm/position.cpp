#include "wasm/position.hpp"

#include "game/names.hpp"
#include "round/faces.hpp"
#include "round/fail.hpp"
#include "round/recorder.hpp"

namespace lastcard {

namespace {

// Cards of the deck that nobody has taken yet.
class Rest {
public:
    explicit Rest(const Rules& rules) : left(count_deck(rules)) {}

    std::vector<u8> take(const std::string& names) {
        std::vector<u8> faces = parse_cards(names);
        for (const u8 face : faces) {
            if (left[face] == 0) fail(std::string("the deck has no more ") + CARD_NAMES[face]);
            left[face] -= 1;
        }
        return faces;
    }

    std::vector<u8> list() const {
        std::vector<u8> faces;
        for (int face = 0; face < NUM_FACES; ++face) faces.insert(faces.end(), left[face], static_cast<u8>(face));
        return faces;
    }

private:
    FaceCounts left;
};

Turn begin_at(int seat, int top) {
    Turn turn{};
    turn.phase = Phase::TURN;
    turn.seat = static_cast<u8>(seat);
    turn.top = turn.top_play = static_cast<u8>(top);
    turn.active_color = PLAYS.color[top];
    turn.last_color = NO_COLOR;
    turn.drawn = NO_CARD;
    turn.player = turn.next_seat = turn.last_actor = turn.winner = NO_SEAT;
    turn.direction = 1;
    return turn;
}

}  // namespace

Round place_round(const Rules& rules, const Key& seed, const Json& request) {
    const auto players = static_cast<std::size_t>(rules.players);
    const Json::List &hands = request.items("hands"), &sizes = request.items("sizes");
    require(hands.size() == players && sizes.size() == players, "hands and sizes must have one entry for each seat");
    Rest rest(rules);
    const std::vector<u8> top = rest.take(request.words("top"));
    require(top.size() == 1 && is_colored(top[0]), "top must be one card that is no Wild");
    std::vector<std::vector<u8>> held;
    for (const Json& hand : hands) {
        if (hand.kind != Json::Kind::TEXT) fail("hands must be text, not " + shorten(hand));
        held.push_back(rest.take(hand.text));
    }
    std::vector<u8> pile = shuffled(rest.list(), seed, Stream::POSITION, 0), faces;
    for (std::size_t seat = 0; seat < players; ++seat) {
        const double size = sizes[seat].number;
        for (; static_cast<double>(held[seat].size()) < size && !pile.empty(); pile.pop_back())
            held[seat].push_back(pile.back());
        if (static_cast<double>(held[seat].size()) != size || size < 1)
            fail("a hand of " + std::to_string(held[seat].size()) + " cards does not fit sizes");
        faces.insert(faces.end(), held[seat].begin(), held[seat].end());
    }
    faces.insert(faces.end(), pile.begin(), pile.end());
    Round round;
    round.rules = rules;
    round.dealer = rules.players - 1;
    Truth& state = round.state;
    const std::vector<u8> cards = number_wilds(faces);
    auto next = cards.begin();
    for (std::size_t seat = 0; seat < players; ++seat) {
        for (std::size_t i = 0; i < held[seat].size(); ++i) add_card(state.hands[seat], *next++);
    }
    Recorder recorder{round.events, round.reshuffles};
    for (int seat = 0; seat < rules.players; ++seat)
        recorder.dealt(seat, num_cards(state.hands[seat]), state.hands[seat]);
    recorder.event(EventKind::TURNED_UP, 0, 0, top[0]);
    state.pile.key = seed;
    while (next != cards.end()) state.pile.cards[state.pile.size++] = *next++;
    discard(state.pile, top[0]);
    state.turn = begin_at(request.integer("seat", 0, rules.players - 1), top[0]);
    return round;
}

}  // namespace lastcard
