#include "search/sight.hpp"

#include "search/recall.hpp"

namespace lastcard {

namespace {

// Follows the story of an observation and notes in a trail what an environment would have noted.
struct TrailKeeper : NoListener {
    Trail<MAX_SEATS>& trail;
    const Rules& rules;
    int observer;
    Hand own{0, 0};

    TrailKeeper(Trail<MAX_SEATS>& kept, const Observation& seen)
        : trail(kept), rules(seen.rules), observer(seen.observer) {}

    void told(const Event& event) {
        switch (event.kind) {
            case EventKind::PLAYED:
            case EventKind::JUMPED_IN:
                note_play(trail, event.seat, event.card);
                if (event.seat == observer) remove_face(own, face_of(event.card));
                return;
            case EventKind::NAMED:
                return note_other(trail, event.seat, FIRST_COLOR + event.card);
            case EventKind::ACCEPTED:
                return note_other(trail, event.seat, ACCEPT);
            case EventKind::CHALLENGED:
                return note_other(trail, event.seat, CHALLENGE);
            case EventKind::CALLED_UNO:
                return note_other(trail, event.seat, UNO);
            case EventKind::CAUGHT:
                return note_other(trail, event.seat, CATCH);
            case EventKind::SWAPPED:
                note_other(trail, event.seat, FIRST_SWAP + event.other);
                return note_swap(trail, event.seat, event.other);
            default:
                return;
        }
    }

    void deed(const Scene& scene, const Deed& deed) {
        if (deed.kind == Deed::Kind::DREW) note_draw(trail, deed.seat, scene.active_color);
    }

    void drew(const Scene&, int seat, int count, bool, bool) { note_got(trail, seat, count); }
    void turned_up(int card) { start_trail(trail, rules, card); }  // that a card went back before is no reshuffle
    void reshuffled(const Scene&) {
        learn_all_hands(trail, observer, own);
        note_reshuffle(trail);
    }
    void passed(int direction) { note_hands_passed(trail, rules.players, direction); }
    void shown(int, const Hand& hand) { learn_hand(trail, observer, hand); }
    void own_card(int card) { add_face(own, face_of(card)); }
    void own_hand(const Hand& hand) {
        learn_exchange(trail, observer, own, hand);
        own = hand;
    }
};

Trail<MAX_SEATS> trail_of(const Observation& seen) {
    Trail<MAX_SEATS> trail;
    start_trail(trail, seen.rules, seen.turn.top);
    TrailKeeper keeper(trail, seen);
    Recall story(seen, keeper);
    story.run();
    // The discards lie on the table, whatever the story tells of them: a described position may begin in the middle.
    FaceCounts deck = count_deck(seen.rules);
    for (std::size_t face = 0; face < NUM_FACES; ++face) {
        trail.discards[face] = 0;
        trail.elsewhere[face] = deck[face];
    }
    for (const u8 card : seen.discards) discard_face(trail, face_of(card));
    return trail;
}

}  // namespace

Sight sight_of(const Observation& seen) {
    Sight sight{};
    sight.hand = seen.hand;
    sight.legal = seen.legal;
    sight.turn = seen.turn;
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sight.sizes[seat] = static_cast<u8>(seen.hand_sizes[seat]);
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sight.scores[seat] = cut_score(seen.scores[seat]);
    sight.observer = static_cast<u8>(seen.observer);
    sight.draw_pile_size = static_cast<u8>(seen.draw_pile_size);
    return sight;
}

void encode_observation(const Observation& seen, u8* row) { encode(sight_of(seen), seen.rules, trail_of(seen), row); }

}  // namespace lastcard
