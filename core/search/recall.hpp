// Replays the history of an observation from the deal on, for a listener that learns from it.
//
// `recall(seen, listener)` follows the public state (sizes, top card, color, direction, what seems to lack whom) and
// calls the listener with what each event meant: a draw in turn or as a penalty, a play of a free choice or of the card
// just drawn.
#pragma once

#include "round/faces.hpp"
#include "round/observation.hpp"
#include "rules/policy.hpp"
#include "search/opening.hpp"

namespace lastcard {

// How things stood, for all to see, when a seat decided.
struct Scene {
    const Rules& rules;
    Memory memory{};
    u8 sizes[MAX_SEATS] = {};
    u8 top_play = 0;
    u8 top = 0;
    u8 active_color = NO_COLOR;
    u8 last_color = NO_COLOR;
    u8 player = NO_SEAT;
    int direction = 1;
};

inline int next_seat(const Scene& scene, int seat) {
    const int players = scene.rules.players;
    return (seat + scene.direction + players) % players;
}

// What the seat could look at, without its hand.
inline View view_in(const Scene& scene, int seat) {
    const int next = next_seat(scene, seat);
    return View{Hand{0, 0},         scene.sizes[seat], scene.sizes[next], scene.memory.lacks[next],
                scene.active_color, scene.sizes,       scene.player};
}

// One step of the story; `scene` is from before it.
struct Deed {
    enum class Kind : u8 {
        PLAYED,        // a free choice
        PLAYED_DRAWN,  // the card just drawn
        STACKED,       // instead of taking what is owed
        JUMPED_IN,
        DREW,  // in turn
        KEPT,
        ACCEPTED,
    };
    Kind kind;
    u8 seat;
    u8 play;
    int count;
};

inline bool is_play(const Deed& deed) {
    return deed.kind != Deed::Kind::DREW && deed.kind != Deed::Kind::KEPT && deed.kind != Deed::Kind::ACCEPTED;
}

// What lies in no place that the observer can see: other hands, and the draw pile.
inline FaceCounts count_unseen(const Observation& seen) {
    FaceCounts unseen = count_deck(seen.rules);
    for (const u8 card : seen.discards) unseen[face_of(card)] -= 1;
    for_each_face(seen.hand, [&](int face) { unseen[face] -= 1; });
    return unseen;
}

// Whether a search follows the round from its deal on.
inline bool is_whole(const Observation& seen) { return seen.events.size() <= MOST_EVENTS; }

template <class Listener>
class Recall {
public:
    Recall(const Observation& observation, Listener& to) : seen(observation), listener(to), scene{observation.rules} {}

    void run() {
        at = 0;
        run_on();
    }

    // Continues with the events added since.
    void run_on() {
        for (; at < seen.events.size(); ++at) hear(seen.events[at]);
    }

    // The same, but of a long round the end alone. Without an opening nothing is told.
    void run_recent() {
        if (is_whole(seen)) return run();
        const std::optional<Opening> opening = OpeningFinder(seen).find();
        if (!opening) return;
        take_up(*opening);
        for (at = opening->next; at < seen.events.size(); ++at) hear(seen.events[at]);
    }

    const Scene& now() const { return scene; }

private:
    const Observation& seen;
    Listener& listener;
    Scene scene;
    std::size_t at = 0;
    int caught = NO_SEAT;
    int drawer = NO_SEAT;        // drew in its turn and may now play that card
    int last_drawing = NO_SEAT;  // whose drawing may go on after a reshuffle
    bool last_was_penalty = false;
    bool owes = false;  // a seat has to take cards

    void take_up(const Opening& opening) {
        std::copy(opening.sizes, opening.sizes + MAX_SEATS, scene.sizes);
        scene.top = scene.top_play = opening.top;
        scene.active_color = static_cast<u8>(color_of(opening.top));
        scene.player = opening.player;
        scene.direction = opening.direction;
        listener.taken_up(opening);
    }

    // The private cards that follow the event.
    template <class Take>
    void take_cards(EventKind kind, Take take) {
        while (at + 1 < seen.events.size() && seen.events[at + 1].kind == kind) take(seen.events[++at].card);
    }

    void hear(const Event& event) {
        if constexpr (requires { listener.told(event); }) listener.told(event);  // as it stands, for those who want it
        const int seat = event.seat;
        const bool goes_on = event.kind == EventKind::DREW && last_drawing == seat;
        if (event.kind != EventKind::RESHUFFLED) last_drawing = NO_SEAT;
        switch (event.kind) {
            case EventKind::DEALT:
                scene.sizes[seat] = static_cast<u8>(event.other);
                listener.dealt(seat, event.other);
                take_cards(EventKind::GOT, [&](int card) { listener.own_card(card); });
                break;
            case EventKind::TURNED_UP:
                turn_up(event.card);
                break;
            case EventKind::RESHUFFLED:
                listener.reshuffled(scene);
                break;
            case EventKind::PLAYED:
            case EventKind::JUMPED_IN:
                play(event);
                break;
            case EventKind::DREW:
                draw(event, goes_on);
                break;
            case EventKind::KEPT:
                listener.deed(scene, Deed{Deed::Kind::KEPT, event.seat, 0, 0});
                drawer = NO_SEAT;
                break;
            case EventKind::NAMED:
                scene.active_color = event.card;
                scene.top_play = static_cast<u8>(FIRST_WILD + event.card);
                break;
            case EventKind::ACCEPTED:
                listener.deed(scene, Deed{Deed::Kind::ACCEPTED, event.seat, 0, event.other});
                owes = true;
                break;
            case EventKind::CAUGHT:
                caught = event.other;
                break;
            case EventKind::CHALLENGED: {
                listener.verdict(event.other, scene.last_color, event.card != 0);
                Hand shown{0, 0};
                take_cards(EventKind::SHOWN, [&](int card) { add_face(shown, face_of(card)); });
                if (seat == seen.observer) listener.shown(event.other, shown);
                owes = true;
                break;
            }
            case EventKind::SWAPPED:
                std::swap(scene.sizes[seat], scene.sizes[event.other]);
                scene.memory.lacks[seat] = scene.memory.lacks[event.other] = 0;
                listener.swapped(seat, event.other);
                if (seat == seen.observer || event.other == seen.observer) take_own_hand();
                break;
            case EventKind::HANDS_PASSED:
                pass_hands();
                break;
            case EventKind::SKIPPED:
                owes = false;
                break;
            case EventKind::CALLED_UNO:
                if (scene.sizes[seat] != 1) listener.called(seat);  // Rule 7.3: a late call tells nothing of cards
                break;
            case EventKind::GOT:
            case EventKind::SHOWN:
            case EventKind::PASSED:
                break;
        }
    }

    void take_own_hand() {
        Hand hand{0, 0};
        take_cards(EventKind::GOT, [&](int card) { add_face(hand, face_of(card)); });
        listener.own_hand(hand);
    }

    void turn_up(int card) {
        scene.top = static_cast<u8>(card);
        scene.top_play = scene.top;
        scene.active_color = is_colored(card) ? static_cast<u8>(color_of(card)) : NO_COLOR;
        owes = is_colored(card) && rank_of(card) == DRAW_TWO;
        if (is_colored(card) && rank_of(card) == REVERSE) scene.direction = -1;
        listener.turned_up(card);
    }

    void play(const Event& event) {
        const int seat = event.seat;
        const bool jumps = event.kind == EventKind::JUMPED_IN;
        const auto kind = jumps            ? Deed::Kind::JUMPED_IN
                          : owes           ? Deed::Kind::STACKED
                          : drawer == seat ? Deed::Kind::PLAYED_DRAWN
                                           : Deed::Kind::PLAYED;
        listener.deed(scene, Deed{kind, event.seat, event.card, 0});
        drawer = NO_SEAT;
        remember_play(scene.memory, seat, event.card);
        scene.sizes[seat] = static_cast<u8>(scene.sizes[seat] - 1);
        scene.top_play = event.card;
        scene.top = event.card < FIRST_WILD ? event.card : event.card < FIRST_FOUR ? FIRST_WILD : FIRST_FOUR;
        scene.last_color = scene.active_color;
        scene.active_color = PLAYS.color[event.card];
        scene.player = event.seat;
        owes = owes || PLAYS.penalty[event.card] > 0;
        if (PLAYS.rank[event.card] == REVERSE) scene.direction = -scene.direction;
    }

    void draw(const Event& event, bool goes_on) {
        const int seat = event.seat;
        const bool penalty = goes_on ? last_was_penalty : caught == seat || owes;
        if (!goes_on && caught == seat) caught = NO_SEAT;
        else if (!goes_on) owes = false;
        if (penalty) {
            scene.memory.lacks[seat] = 0;
        } else {
            if (!goes_on) listener.deed(scene, Deed{Deed::Kind::DREW, event.seat, 0, event.other});
            remember_draw(scene.memory, seat, scene.active_color);
        }
        scene.sizes[seat] = static_cast<u8>(scene.sizes[seat] + event.other);
        listener.drew(scene, seat, event.other, !penalty, goes_on);
        take_cards(EventKind::GOT, [&](int card) { listener.own_card(card); });
        drawer = !penalty && event.other > 0 && seen.rules.drawn_card != DrawnCard::END_TURN ? seat : NO_SEAT;
        last_drawing = seat;
        last_was_penalty = penalty;
    }

    void pass_hands() {
        const int players = seen.rules.players;
        u8 sizes[MAX_SEATS];
        for (int seat = 0; seat < players; ++seat) sizes[next_seat(scene, seat)] = scene.sizes[seat];
        for (int seat = 0; seat < players; ++seat) {
            scene.sizes[seat] = sizes[seat];
            scene.memory.lacks[seat] = 0;
        }
        listener.passed(scene.direction);
        take_own_hand();
    }
};

struct NoListener {
    void taken_up(const Opening&) {}
    void dealt(int, int) {}
    void own_card(int) {}
    void own_hand(const Hand&) {}
    void turned_up(int) {}
    void reshuffled(const Scene&) {}
    void deed(const Scene&, const Deed&) {}
    void drew(const Scene&, int, int, bool, bool) {}
    void verdict(int, int, bool) {}
    void called(int) {}
    void shown(int, const Hand&) {}
    void swapped(int, int) {}
    void passed(int) {}
};

// What all may remember at this point of the round.
Memory remember(const Observation& seen);

// What the heuristic alone would do.
int choose_by_heuristic(const Observation& seen, const Weights& weights);

// What it gives the actions that it scores: plays, drawing and keeping. Linear in the weights.
std::vector<std::pair<int, float>> score_by_heuristic(const Observation& seen, const Weights& weights);

}  // namespace lastcard
