// What an observation says of each hidden card.
//
// Every card an opponent got is a slot: when it came, when it went, and its face where that is known. Each deed of its holder
// adds a factor per face to a running sum, so that all the evidence on a slot is one subtraction, whatever the length of the
// round. Nothing is carried from decision to decision: the evidence is a function of the observation.
#pragma once

#include <vector>

#include "search/opponents.hpp"

namespace lastcard {

struct Slot {
    u32 since;        // deeds of the holder before it came
    u32 until;        // ... and before it went; only deeds between say something of it
    u32 came;         // what is known of its coming, an index of `arrivals`
    u8 seat;          // the holder, or the last one
    u8 face;          // NO_CARD where it is hidden
    bool is_held;     // still in the hand
    bool is_settled;  // when it went is certain
};

using FaceSets = std::array<std::array<bool, NUM_FACES>, MAX_SEATS>;  // by seat

class Evidence {
public:
    std::vector<Slot> slots;
    std::array<std::vector<Factors>, MAX_SEATS> said;  // running sums over the seat's deeds
    std::vector<Factors> arrivals{Factors{}};
    FaceCounts unseen{};  // in hands that are not the observer's, or in the draw pile
    std::array<std::array<double, NUM_MODELS>, MAX_SEATS>
        settled{};        // what is no longer open to doubt, by seat and model
    FaceSets can_hold{};  // what neither counting nor the rules exclude
    bool has_any = false;

    Evidence(const Observation& observation, const BeliefSettings& settings)
        : seen(observation), kind(settings.kind), models(settings) {
        for (auto& sums : said) sums.push_back(Factors{});
        Recall story(seen, *this);
        story.run();
        finish();
    }

    // What the observation says of this face in this slot, had it gone after `until` deeds.
    float weigh(const Slot& slot, int model, int face, u32 until) const {
        const auto& sums = said[slot.seat];
        return sums[until].of[model][face] - sums[slot.since].of[model][face] + arrivals[slot.came].of[model][face];
    }

    // --- what `Recall` tells

    void dealt(int seat, int count) { add_slots(seat, count, 0); }

    void own_card(int card) { add_face(own, face_of(card)); }

    void own_hand(const Hand& hand) { own = hand; }

    void turned_up(int card) {
        discarded = {};
        top = face_of(card);
    }

    void reshuffled(const Scene& scene) {
        if (scene.player == NO_SEAT && top == FOUR_FACE) return;  // Rule 2.2: put back before the round began
        if (kind != BeliefKind::UNIFORM) split_unseen(scene.rules);
        discarded = {};
    }

    void deed(const Scene& scene, const Deed& deed) {
        const bool plays =
            deed.kind != Deed::Kind::DREW && deed.kind != Deed::Kind::KEPT && deed.kind != Deed::Kind::ACCEPTED;
        if (plays) {
            discarded[static_cast<std::size_t>(top)] += 1;
            top = face_of(deed.play);
        }
        if (deed.seat == seen.observer) {
            if (plays) remove_face(own, top);
            return;
        }
        if (plays) release(deed);
        Factors factors;
        if (deed.kind == Deed::Kind::KEPT) {
            if (models.weigh_kept(scene, deed.seat, factors)) add_to_arrival(newest(deed.seat), factors);
        } else {
            const bool tells = models.weigh(scene, deed, factors);
            has_any = has_any || tells;
            if (tells || plays)
                say(deed.seat, factors);  // a play that tells nothing still parts what came before from what comes
        }
    }

    void drew(const Scene& scene, int seat, int count, bool in_turn, bool goes_on) {
        if (seat == seen.observer) return;
        const bool searches = in_turn && scene.rules.draw_until_playable;
        Factors passed_over;
        if (searches) models.weigh_passed_over(scene, passed_over);
        if (searches && goes_on) add_to_arrival(newest(seat), passed_over);
        add_slots(seat, count, fresh);
        const std::size_t last = slots.size();
        for (std::size_t i = last - static_cast<std::size_t>(count); searches && i + 1 < last; ++i)
            add_to_arrival(&slots[i], passed_over);
    }

    void verdict(int seat, int color, bool guilty) {
        if (seat == seen.observer || guilty || kind == BeliefKind::UNIFORM || color >= NUM_COLORS) return;
        Factors factors{};
        for (int rank = 0; rank < NUM_RANKS; ++rank) set_all(factors, NUM_RANKS * color + rank, IMPOSSIBLE);
        const u32 before = num_deeds(seat);
        say(seat, factors);
        has_any = true;
        for (Slot& slot : slots) {
            if (slot.seat == seat && slot.since == before)
                slot.since += 1;  // Rule 6.4: not what was drawn since the play
        }
    }

    void shown(int seat, const Hand& hand) {
        if (seat != seen.observer) know_hand(seat, hand);
    }

    void swapped(int seat, int other) {
        if (seat == seen.observer || other == seen.observer) {
            const int partner = seat == seen.observer ? other : seat;
            drop_hand(partner);
            return know_hand(partner, own);
        }
        move_hands([&](int holder) { return holder == seat ? other : holder == other ? seat : holder; });
    }

    void passed(int direction) {
        const int players = seen.rules.players;
        const auto next = [&](int seat) { return (seat + direction + players) % players; };
        const int giver = (seen.observer - direction + players) % players;
        drop_hand(giver);
        move_hands(next);
        know_hand(next(seen.observer), own);
    }

private:
    const Observation& seen;
    BeliefKind kind;
    OpponentModels models;
    Hand own{0, 0};
    FaceCounts discarded{};  // beneath the top card
    int top = 0;
    u32 fresh = 0;  // the arrival of cards drawn since the last reshuffle
    bool is_broken = false;

    u32 num_deeds(int seat) const { return static_cast<u32>(said[static_cast<std::size_t>(seat)].size() - 1); }

    void add_slots(int seat, int count, u32 came) {
        if (seat == seen.observer) return;
        for (int i = 0; i < count; ++i)
            slots.push_back({num_deeds(seat), 0, came, static_cast<u8>(seat), NO_CARD, true, false});
    }

    void say(int seat, const Factors& factors) {
        auto& sums = said[static_cast<std::size_t>(seat)];
        sums.push_back(sum_of(sums.back(), factors));
    }

    static Factors sum_of(const Factors& a, const Factors& b) {
        Factors sum;
        for (int model = 0; model < NUM_MODELS; ++model) {
            for (int face = 0; face < NUM_FACES; ++face) sum.of[model][face] = a.of[model][face] + b.of[model][face];
        }
        return sum;
    }

    void add_to_arrival(Slot* slot, const Factors& factors) {
        if (slot == nullptr) return;
        arrivals.push_back(sum_of(arrivals[slot->came], factors));
        slot->came = static_cast<u32>(arrivals.size() - 1);
        has_any = true;
    }

    Slot* newest(int seat) {
        for (std::size_t i = slots.size(); i-- > 0;) {
            if (slots[i].is_held && slots[i].seat == seat) return &slots[i];
        }
        is_broken = true;
        return nullptr;
    }

    // A card leaves the hand: the one just drawn, else one known by face, else the oldest that it can be.
    void release(const Deed& deed) {
        Slot* gone = nullptr;
        if (deed.kind == Deed::Kind::PLAYED_DRAWN) {
            gone = newest(deed.seat);
            if (gone != nullptr) gone->is_settled = true;
        } else {
            gone = find_slot(deed.seat, static_cast<u8>(top));
            if (gone != nullptr) gone->is_settled = true;
            else gone = find_slot(deed.seat, NO_CARD);
        }
        if (gone == nullptr) {
            is_broken = true;
            return;
        }
        gone->face = static_cast<u8>(top);
        gone->is_held = false;
        gone->until = num_deeds(deed.seat);
    }

    Slot* find_slot(int seat, u8 face) {
        Slot* any = nullptr;
        for (Slot& slot : slots) {
            if (!slot.is_held || slot.seat != seat || slot.face != face) continue;
            if (weigh(slot, HEURISTIC_MODEL, top, num_deeds(seat)) > IMPOSSIBLE / 2) return &slot;
            any = &slot;
        }
        return any;
    }

    // At a reshuffle the draw pile is empty: what nobody has seen lies in hands, and what comes later is from the discards.
    void split_unseen(const Rules& rules) {
        FaceCounts locked = count_deck(rules);
        locked[static_cast<std::size_t>(top)] -= 1;
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            locked[face] = static_cast<u8>(locked[face] - discarded[face] - count_face(own, static_cast<int>(face)));
        }
        Factors held{}, drawn{};
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            const int total = locked[face] + discarded[face];
            if (total == 0) continue;
            set_all(held, static_cast<int>(face), log_share(locked[face], total));
            set_all(drawn, static_cast<int>(face), log_share(discarded[face], total));
        }
        for (Slot& slot : slots) {
            if (slot.is_held && slot.face == NO_CARD) add_to_arrival(&slot, held);
        }
        arrivals.push_back(drawn);
        fresh = static_cast<u32>(arrivals.size() - 1);
        has_any = true;
    }

    static float log_share(int part, int total) {
        return part == 0 ? IMPOSSIBLE : static_cast<float>(stable_log(static_cast<double>(part) / total));
    }

    void drop_hand(int seat) {
        for (Slot& slot : slots) {
            if (slot.is_held && slot.seat == seat) drop(slot);
        }
    }

    // The card is known from now on, elsewhere: nothing more to learn from this slot.
    static void drop(Slot& slot) {
        slot.is_held = false;
        slot.is_settled = true;
        slot.face = slot.face == NO_CARD ? u8{0} : slot.face;
        slot.until = slot.since;
        slot.came = 0;
    }

    // Rule 6.4: not drawn since, when its player was caught.
    bool was_there_at_play(const Slot& slot) const { return slot.since < num_deeds(slot.seat); }

    // These cards are in the hand, in place of those that were there at the seat's last play.
    void know_hand(int seat, const Hand& hand) {
        for (Slot& slot : slots) {
            if (slot.is_held && slot.seat == seat && was_there_at_play(slot)) drop(slot);
        }
        if (kind == BeliefKind::UNIFORM) return add_slots(seat, num_cards(hand), 0);
        has_any = true;
        for_each_face(hand, [&](int face) {
            slots.push_back({num_deeds(seat), 0, 0, static_cast<u8>(seat), static_cast<u8>(face), true, true});
        });
    }

    // Hands change holders; what is known of their cards goes with them.
    template <class Next>
    void move_hands(Next next) {
        for (Slot& slot : slots) {
            const int to = next(slot.seat);
            if (!slot.is_held || to == slot.seat) continue;
            Factors carried;
            for (int model = 0; model < NUM_MODELS; ++model) {
                for (int face = 0; face < NUM_FACES; ++face)
                    carried.of[model][face] = weigh(slot, model, face, num_deeds(slot.seat));
            }
            arrivals.push_back(carried);
            slot.came = static_cast<u32>(arrivals.size() - 1);
            slot.seat = static_cast<u8>(to);
            slot.since = num_deeds(to);
        }
    }

    // What came from where long ago hardly matters now: only the last departures of a seat stay open to doubt.
    void settle() {
        constexpr int MOST_OPEN = 12;
        std::array<int, MAX_SEATS> open{};
        for (std::size_t i = slots.size(); i-- > 0;) {
            Slot& slot = slots[i];
            if (!slot.is_held && !slot.is_settled) slot.is_settled = ++open[slot.seat] > MOST_OPEN;
        }
        for (const Slot& slot : slots) {
            if (slot.is_held || !slot.is_settled) continue;
            for (std::size_t m = 0; m < NUM_MODELS; ++m) {
                settled[slot.seat][m] += static_cast<double>(weigh(slot, static_cast<int>(m), slot.face, slot.until));
            }
        }
        std::erase_if(slots, [](const Slot& slot) { return !slot.is_held && slot.is_settled; });
    }

    void finish() {
        unseen = count_deck(seen.rules);
        for (const u8 card : seen.discards) unseen[static_cast<std::size_t>(face_of(card))] -= 1;
        for_each_face(seen.hand, [&](int face) { unseen[static_cast<std::size_t>(face)] -= 1; });
        if (is_broken || !accounts_for_all()) forget_history();
        for (Slot& slot : slots) {
            if (slot.is_held) slot.until = num_deeds(slot.seat);
        }
        find_possible();
        settle();
    }

    // A card that went from one slot may have gone from another: all that are open to doubt are asked.
    void find_possible() {
        for (const Slot& slot : slots) {
            if (!slot.is_held && slot.is_settled) continue;
            for (std::size_t face = 0; face < NUM_FACES; ++face) {
                const bool is_known = slot.is_held && slot.face == face;
                const bool is_doubtful = !slot.is_held || slot.face == NO_CARD;
                const float evidence = weigh(slot, HEURISTIC_MODEL, static_cast<int>(face), num_deeds(slot.seat));
                if (is_known || (is_doubtful && unseen[face] > 0 && evidence > IMPOSSIBLE / 2))
                    can_hold[slot.seat][face] = true;
            }
        }
    }

    bool accounts_for_all() const {
        std::array<int, MAX_SEATS> sizes{};
        FaceCounts known{};
        for (const Slot& slot : slots) {
            if (!slot.is_held) continue;
            sizes[slot.seat] += 1;
            if (slot.face != NO_CARD) known[slot.face] += 1;
        }
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(seen.rules.players); ++seat) {
            if (static_cast<int>(seat) != seen.observer && sizes[seat] != seen.hand_sizes[seat]) return false;
        }
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            if (known[face] > unseen[face]) return false;
        }
        return true;
    }

    // A position without its history: nothing but counts is known.
    void forget_history() {
        slots.clear();
        arrivals.assign(1, Factors{});
        has_any = false;
        for (auto& sums : said) sums.assign(1, Factors{});
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            add_slots(seat, seen.hand_sizes[static_cast<std::size_t>(seat)], 0);
        }
    }
};

}  // namespace lastcard
