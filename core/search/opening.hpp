// Where a long story is taken up: searches follow the last `MOST_EVENTS` events of a round and no more.
//
// What is worth knowing of hidden cards is seldom old, and rounds can last for thousands of plies. A shorter round is
// told from its deal, as it always was. In a longer one the story begins after a card whose effect is nothing but its
// color and number; how things stood then follows from how they stand now and what has happened since.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "round/faces.hpp"
#include "round/observation.hpp"

namespace lastcard {

constexpr std::size_t MOST_EVENTS = 1024;

struct Opening {
    std::size_t next = 0;  // the first event that is told
    u8 sizes[MAX_SEATS] = {};
    Hand own{0, 0};          // of the observer, by face
    FaceCounts discarded{};  // beneath the top card
    u8 top = 0;              // a colored card
    u8 player = NO_SEAT;
    int direction = 1;
};

inline bool is_played(const Event& event) {
    return event.kind == EventKind::PLAYED || event.kind == EventKind::JUMPED_IN;
}

inline int played_face(const Event& event) {
    return event.card < FIRST_WILD ? event.card : event.card < FIRST_FOUR ? WILD_FACE : FOUR_FACE;
}

// Takes back what an event did to hand sizes and the direction of play.
inline void take_back(const Event& event, int players, int* sizes, int& direction) {
    if (is_played(event)) {
        sizes[event.seat] += 1;
        if (PLAYS.rank[event.card] == REVERSE) direction = -direction;
    } else if (event.kind == EventKind::DREW) {
        sizes[event.seat] -= event.other;
    } else if (event.kind == EventKind::SWAPPED) {
        std::swap(sizes[event.seat], sizes[event.other]);
    } else if (event.kind == EventKind::HANDS_PASSED) {
        int before[MAX_SEATS];
        for (int seat = 0; seat < players; ++seat) before[seat] = sizes[(seat + direction + players) % players];
        std::copy(before, before + players, sizes);
    }
}

class OpeningFinder {
public:
    explicit OpeningFinder(const Observation& observation) : seen(observation), events(observation.events) {}

    // Nothing where no event will do: then no more than counts is known.
    std::optional<Opening> find() const {
        const std::size_t first = events.size() - std::min(events.size(), MOST_EVENTS);
        const std::size_t reshuffle = find_reshuffle(first);
        const std::size_t listing = find_listing(first);
        const bool is_listed = listing < events.size();
        std::size_t at = is_listed ? std::max(reshuffle, listing) : reshuffle;  // after both, or there is none
        while (at < events.size() && !is_plain(events[at])) ++at;
        if (at >= events.size()) return std::nullopt;
        Opening opening;
        opening.next = at + 1;
        opening.top = events[at].card;
        opening.player = events[at].seat;
        count_discards(opening, reshuffle, at);
        if (!turn_back(opening, is_listed)) return std::nullopt;
        if (is_listed) follow_hand(opening, listing, at);
        return opening;
    }

private:
    const Observation& seen;
    const std::vector<Event>& events;

    // The first reshuffle from `first` on that left a played card on top.
    std::size_t find_reshuffle(std::size_t first) const {
        bool has_play = find_play_before(first) < first;
        for (std::size_t i = first; i < events.size(); ++i) {
            if (events[i].kind == EventKind::RESHUFFLED && has_play) return i;
            has_play = has_play || is_played(events[i]);
        }
        return events.size();
    }

    // The last play before the event, or the event itself if there is none.
    std::size_t find_play_before(std::size_t at) const {
        for (std::size_t i = at; i-- > 0;) {
            if (is_played(events[i])) return i;
        }
        return at;
    }

    // The first event after which the observer is dealt its hand again (Rule 10.5).
    std::size_t find_listing(std::size_t first) const {
        std::size_t i = first;
        while (i < events.size() && !lists_hand(events[i])) ++i;
        return i;
    }

    bool lists_hand(const Event& event) const {
        const bool is_swap = event.kind == EventKind::SWAPPED;
        return event.kind == EventKind::HANDS_PASSED ||
               (is_swap && (event.seat == seen.observer || event.other == seen.observer));
    }

    // A play that leaves nothing to wait for.
    bool is_plain(const Event& event) const {
        if (event.kind != EventKind::PLAYED || !is_colored(event.card) || rank_of(event.card) >= SKIP) return false;
        const int rank = rank_of(event.card);
        return !seen.rules.seven_zero || (rank != RANK_SEVEN && rank != RANK_ZERO);
    }

    void count_discards(Opening& opening, std::size_t reshuffle, std::size_t at) const {
        int top = played_face(events[find_play_before(reshuffle)]);
        for (std::size_t i = reshuffle; i <= at; ++i) {
            if (events[i].kind == EventKind::RESHUFFLED) opening.discarded = {};
            if (!is_played(events[i])) continue;
            opening.discarded[top] += 1;
            top = played_face(events[i]);
        }
    }

    // Takes back what has happened since, the last event first: direction, sizes and, unless it is listed, the own
    // hand. False where the events do not lead to what is seen.
    bool turn_back(Opening& opening, bool is_listed) const {
        int sizes[MAX_SEATS];
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sizes[seat] = seen.hand_sizes[seat];
        for_each_face(seen.hand, [&](int face) { add_face(opening.own, face); });
        opening.direction = seen.turn.direction;
        bool is_pending = seen.turn.phase == Phase::CATCH_UNO;  // the last play has had no effect yet (Rule 7.3)
        for (std::size_t i = events.size(); i-- > opening.next;) {
            const Event& event = events[i];
            const int direction = opening.direction;
            take_back(event, seen.rules.players, sizes, opening.direction);
            if (is_played(event)) {
                if (event.seat == seen.observer) add_face(opening.own, played_face(event));
                if (is_pending) opening.direction = direction;
                is_pending = false;
            } else if (event.kind == EventKind::GOT && !is_listed) {
                if (count_face(opening.own, face_of(event.card)) == 0) return false;
                remove_face(opening.own, face_of(event.card));
            }
        }
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (sizes[seat] < 0 || sizes[seat] > seen.rules.deck_size) return false;
            opening.sizes[seat] = static_cast<u8>(sizes[seat]);
        }
        return true;
    }

    // The own hand from where it is listed to the opening.
    void follow_hand(Opening& opening, std::size_t listing, std::size_t at) const {
        for (std::size_t i = listing; i <= at; ++i) {
            const Event& event = events[i];
            if (lists_hand(event)) opening.own = Hand{0, 0};
            if (event.kind == EventKind::GOT) add_face(opening.own, face_of(event.card));
            if (is_played(event) && event.seat == seen.observer) remove_face(opening.own, played_face(event));
        }
    }
};

}  // namespace lastcard
