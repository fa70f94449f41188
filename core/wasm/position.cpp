#include "wasm/position.hpp"

#include "game/names.hpp"
#include "game/position.hpp"
#include "round/blank_turn.hpp"
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

}  // namespace

Round place_round(const Rules& rules, const Key& seed, const Json& request) {
    const auto players = static_cast<std::size_t>(rules.players);
    const Json::List &hands = request.items("hands"), &sizes = request.items("sizes");
    require(hands.size() == players && sizes.size() == players, "hands and sizes must have one entry for each seat");
    Rest rest(rules);
    const std::vector<u8> top = rest.take(request.words("top"));
    require(top.size() == 1 && is_colored(top[0]), "top must be one card that is no Wild");
    Places places;
    places.discards = top;
    for (const Json& hand : hands) {
        if (hand.kind != Json::Kind::TEXT) fail("hands must be text, not " + shorten(hand));
        places.hands.push_back(rest.take(hand.text));
    }
    std::vector<u8>& pile = places.draw_pile = shuffled(rest.list(), seed, Stream::POSITION, 0);
    for (std::size_t seat = 0; seat < players; ++seat) {
        std::vector<u8>& hand = places.hands[seat];
        const double size = sizes[seat].number;
        for (; static_cast<double>(hand.size()) < size && !pile.empty(); pile.pop_back()) hand.push_back(pile.back());
        if (static_cast<double>(hand.size()) != size || size < 1)
            fail("a hand of " + std::to_string(hand.size()) + " cards does not fit sizes");
    }
    Turn turn = blank_turn();
    turn.seat = static_cast<u8>(request.integer("seat", 0, rules.players - 1));
    turn.active_color = PLAYS.color[top[0]];
    Round round = lay_out(rules, seed, places, turn);
    round.dealer = rules.players - 1;
    Recorder recorder{round.events, round.reshuffles};
    for (int seat = 0; seat < rules.players; ++seat)
        recorder.dealt(seat, num_cards(round.state.hands[seat]), round.state.hands[seat]);
    recorder.event(EventKind::TURNED_UP, 0, 0, top[0]);
    return round;
}

}  // namespace lastcard
