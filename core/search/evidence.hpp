// What an observation says of each hidden card.
//
// Every card an opponent got is a slot: when it came, when it went, and its face where that is known. Each deed of its
// holder adds a factor per face to a running sum, so that all the evidence on a slot is one subtraction, whatever the
// length of the round. Nothing is carried from decision to decision: the evidence is a function of the observation.
#pragma once

#include <vector>

#include "search/opponents.hpp"

namespace lastcard {

struct Slot {
    u32 since;                  // deeds of the holder before it came
    u32 until;                  // ... and before it went; only deeds between say something of it
    u32 came;                   // what is known of its coming, an index of `arrivals`
    u8 seat;                    // the holder, or the last one
    u8 face;                    // NO_CARD where it is hidden
    bool is_held;               // still in the hand
    bool is_settled;            // when it went is certain
    bool owns_arrival = false;  // no other slot has the same `came`
};

class Evidence {
public:
    std::vector<Slot> slots;
    BySeat<std::vector<Factors>> said;  // running sums over the seat's deeds
    std::vector<Factors> arrivals{Factors{}};
    FaceCounts unseen{};                // in hands that are not the observer's, or in the draw pile
    BySeat<ByModel<double>> settled{};  // what is no longer open to doubt, by seat and model
    FaceSets can_hold{};                // what neither counting nor the rules exclude
    bool has_any = false;

    Evidence(const Observation& observation, const BeliefSettings& settings)
        : seen(observation), kind(settings.kind), models(settings) {
        for (auto& sums : said) sums.push_back(Factors{});
        Recall story(seen, *this);
        story.run_recent();
        finish();
    }

    // What the observation says of this face in this slot, had it gone after `until` deeds.
    float weigh(const Slot& slot, int model, int face, u32 until) const {
        const auto& sums = said[slot.seat];
        return sums[until].of[model][face] - sums[slot.since].of[model][face] + arrivals[slot.came].of[model][face];
    }

    // --- what `Recall` tells

    void taken_up(const Opening& opening) {
        for (int seat = 0; seat < seen.rules.players; ++seat) add_slots(seat, opening.sizes[seat], 0);
        own = opening.own;
        discarded = opening.discarded;
        top = opening.top;
    }

    void dealt(int seat, int count) { add_slots(seat, count, 0); }

    void own_card(int card) { add_face(own, face_of(card)); }

    void own_hand(const Hand& hand) { own = hand; }

    void turned_up(int card) {
        discarded = {};
        top = face_of(card);
    }

    void reshuffled(const Scene& scene) {
        if (scene.player == NO_SEAT && top == FOUR_FACE) return put_back_four();
        if (kind != BeliefKind::UNIFORM) split_unseen(scene.rules);
        discarded = {};
    }

    void deed(const Scene& scene, const Deed& deed) {
        const bool plays = is_play(deed);
        if (plays) {
            discarded[top] += 1;
            top = face_of(deed.play);
        }
        if (deed.seat == seen.observer) {
            if (plays) remove_face(own, top);
            return;
        }
        const bool is_doubtful = plays && release(deed);
        Factors factors;
        if (deed.kind == Deed::Kind::KEPT) {
            if (models.weigh_kept(scene, deed.seat, factors)) add_to_arrival(newest(deed.seat), factors);
            return;
        }
        bool tells = models.weigh(scene, deed, factors);
        if (is_doubtful && kind != BeliefKind::UNIFORM) {
            count_copies_once(factors);
            tells = true;
        }
        has_any = has_any || tells;
        if (tells || plays)
            say(deed.seat, factors);  // a play that tells nothing still parts what came before from what comes
    }

    void drew(const Scene& scene, int seat, int count, bool in_turn, bool goes_on) {
        if (seat == seen.observer) return;
        const bool searches = in_turn && scene.rules.draw_until_playable && kind != BeliefKind::UNIFORM;
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
        for (int rank = 0; rank < NUM_RANKS; ++rank) exclude(factors, NUM_RANKS * color + rank);
        const u32 before = num_deeds(seat);
        say(seat, factors);
        has_any = true;
        for (Slot& slot : slots) {
            if (slot.seat == seat && slot.since == before)
                slot.since += 1;  // Rule 6.4: not what was drawn since the play
        }
    }

    // Says that something can be played (Rule 7.1), which no factor says of single cards: counting alone is no longer
    // all.
    void called(int seat) { has_any = has_any || (seat != seen.observer && kind != BeliefKind::UNIFORM); }

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
    u32 fresh = 0;                    // the arrival of cards drawn since the last reshuffle
    BySeat<std::vector<u32>> held{};  // by seat: the slots that hold a card, in order
    bool has_put_back = false;
    bool is_broken = false;

    u32 num_deeds(int seat) const { return static_cast<u32>(said[seat].size() - 1); }

    void add_slots(int seat, int count, u32 came) {
        if (seat == seen.observer) return;
        for (int i = 0; i < count; ++i)
            add_slot({num_deeds(seat), 0, came, static_cast<u8>(seat), NO_CARD, true, false});
    }

    void add_slot(const Slot& slot) {
        held[slot.seat].push_back(static_cast<u32>(slots.size()));
        slots.push_back(slot);
    }

    void say(int seat, const Factors& factors) {
        auto& sums = said[seat];
        sums.push_back(sum_of(sums.back(), factors));
    }

    static Factors sum_of(const Factors& a, const Factors& b) {
        Factors sum;
        for (int row = 0; row < NUM_ROWS; ++row) {
            for (int face = 0; face < NUM_FACES; ++face) sum.of[row][face] = a.of[row][face] + b.of[row][face];
        }
        return sum;
    }

    void add_to_arrival(Slot* slot, const Factors& factors) {
        if (slot == nullptr) return;
        set_arrival(*slot, sum_of(arrivals[slot->came], factors));
        has_any = true;
    }

    void set_arrival(Slot& slot, const Factors& factors) {
        if (slot.owns_arrival) {
            arrivals[slot.came] = factors;
            return;
        }
        arrivals.push_back(factors);
        slot.came = static_cast<u32>(arrivals.size() - 1);
        slot.owns_arrival = true;
    }

    Slot* newest(int seat) {
        const auto& theirs = held[seat];
        if (!theirs.empty()) return &slots[theirs.back()];
        is_broken = true;
        return nullptr;
    }

    // With two copies of a face in the hand, either slot can be the one it went from: two stories that are one deal.
    void count_copies_once(Factors& factors) const {
        constexpr float LOG_HALF = -0.693147181f;
        for (int model = 0; model < NUM_MODELS; ++model) factors.of[model][top] += LOG_HALF;
    }

    // A card leaves the hand: the one just drawn, else one known by face, else the oldest that it can be. Whether there
    // is doubt about which.
    bool release(const Deed& deed) {
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
            return false;
        }
        std::erase(held[deed.seat], static_cast<u32>(gone - slots.data()));
        gone->face = static_cast<u8>(top);
        gone->is_held = false;
        gone->until = num_deeds(deed.seat);
        return !gone->is_settled;
    }

    Slot* find_slot(int seat, u8 face) {
        Slot* any = nullptr;
        for (const u32 index : held[seat]) {
            Slot& slot = slots[index];
            if (slot.face != face) continue;
            if (weigh(slot, RULES_ALONE, top, num_deeds(seat)) > IMPOSSIBLE / 2) return &slot;
            any = &slot;
        }
        return any;
    }

    // At a reshuffle the draw pile is empty: what nobody has seen lies in hands, and what comes later is from the
    // discards.
    void split_unseen(const Rules& rules) {
        FaceCounts locked = count_deck(rules);
        locked[top] -= 1;
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            locked[face] = static_cast<u8>(locked[face] - discarded[face] - count_face(own, static_cast<int>(face)));
        }
        if (rules.players == 2) return know_all(seen.observer ^ 1, locked);
        Factors kept{}, drawn{};
        for (int face = 0; face < NUM_FACES; ++face) {
            const int in_hands = locked[face];
            const int in_pile = discarded[face];
            if (in_hands + in_pile == 0) continue;
            set_share(kept, face, in_hands, in_pile);
            set_share(drawn, face, in_pile, in_hands);
        }
        for (const auto& theirs : held) {
            for (const u32 index : theirs) {
                if (slots[index].face == NO_CARD) add_to_arrival(&slots[index], kept);
            }
        }
        arrivals.push_back(drawn);
        fresh = static_cast<u32>(arrivals.size() - 1);
        has_any = true;
    }

    // Rule 2.2: a Wild Draw Four was turned up, so it was not dealt.
    void put_back_four() {
        if (has_put_back || kind == BeliefKind::UNIFORM) return;
        has_put_back = true;
        Factors factors{};
        set_share(factors, FOUR_FACE, count_deck(seen.rules)[FOUR_FACE] - count_face(own, FOUR_FACE) - 1, 1);
        for (Slot& slot : slots) add_to_arrival(&slot, factors);
    }

    // With one opponent, everything unseen is its hand.
    void know_all(int seat, const FaceCounts& faces) {
        drop_hand(seat);
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            for (int copy = faces[face]; copy > 0; --copy) add_known(seat, static_cast<int>(face));
        }
    }

    // Copies of a face may lie on either side: each side gets its share of the likelihood.
    static void set_share(Factors& factors, int face, int here, int there) {
        if (here == 0) return exclude(factors, face);
        set_soft(factors, face, static_cast<float>(stable_log(static_cast<double>(here) / (here + there))));
    }

    void drop_hand(int seat) {
        auto& theirs = held[seat];
        for (const u32 index : theirs) drop(slots[index]);
        theirs.clear();
    }

    // The card is known from now on, elsewhere: nothing more to learn from this slot.
    static void drop(Slot& slot) {
        slot.is_held = false;
        slot.is_settled = true;
        slot.face = slot.face == NO_CARD ? u8{0} : slot.face;
        slot.until = slot.since;
        slot.came = 0;
        slot.owns_arrival = false;
    }

    // Rule 6.4: not drawn since, when its player was caught.
    bool was_there_at_play(const Slot& slot) const { return slot.since < num_deeds(slot.seat); }

    // These cards are in the hand, in place of those that were there at the seat's last play.
    void know_hand(int seat, const Hand& hand) {
        std::erase_if(held[seat], [&](u32 index) {
            const bool was_there = was_there_at_play(slots[index]);
            if (was_there) drop(slots[index]);
            return was_there;
        });
        if (kind == BeliefKind::UNIFORM) return add_slots(seat, num_cards(hand), 0);
        for_each_face(hand, [&](int face) { add_known(seat, face); });
    }

    void add_known(int seat, int face) {
        add_slot({num_deeds(seat), 0, 0, static_cast<u8>(seat), static_cast<u8>(face), true, true});
        has_any = true;
    }

    // What at least one slot of each seat can hold. Which slot a card went from may have been guessed wrongly, so those
    // that are open to doubt count as well.
    FaceSets find_allowed() const {
        FaceSets allowed{};
        BySeat<int> missing;
        missing.fill(NUM_FACES);
        for (std::size_t i = slots.size(); i-- > 0;) {  // the newest exclude least
            const Slot& slot = slots[i];
            if (missing[slot.seat] == 0 || (!slot.is_held && slot.is_settled)) continue;
            const u32 now = num_deeds(slot.seat);
            for (std::size_t face = 0; face < NUM_FACES; ++face) {
                bool& can = allowed[slot.seat][face];
                if (can || weigh(slot, RULES_ALONE, static_cast<int>(face), now) <= IMPOSSIBLE / 2) continue;
                can = true;
                missing[slot.seat] -= 1;
            }
        }
        return allowed;
    }

    // What is known of a card that changes hands: excluded is only what all slots of its seat exclude.
    Factors carry(const Slot& slot, const FaceSets& allowed) const {
        constexpr float HARDLY = -8.0f;
        Factors carried;
        const u32 now = num_deeds(slot.seat);
        for (int face = 0; face < NUM_FACES; ++face) {
            const bool can = allowed[slot.seat][face];
            for (int model = 0; model < NUM_MODELS; ++model)
                carried.of[model][face] = can ? std::max(weigh(slot, model, face, now), HARDLY) : IMPOSSIBLE;
            carried.of[RULES_ALONE][face] = can ? 0.0f : IMPOSSIBLE;
        }
        return carried;
    }

    // Hands change holders; what is known of their cards goes with them.
    template <class Next>
    void move_hands(Next next) {
        const FaceSets allowed = find_allowed();
        BySeat<std::vector<u32>> moved;
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            auto& theirs = held[seat];
            const int to = next(seat);
            for (const u32 i : theirs) {
                if (to == seat) break;
                set_arrival(slots[i], carry(slots[i], allowed));
                slots[i].seat = static_cast<u8>(to);
                slots[i].since = num_deeds(to);
            }
            moved[to] = std::move(theirs);
        }
        held = std::move(moved);
    }

    // What came from where long ago hardly matters now: only the last departures of a seat stay open to doubt.
    void settle() {
        constexpr int MOST_OPEN = 12;
        BySeat<int> open{};
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
        unseen = count_unseen(seen);
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
                if (can_hold[slot.seat][face]) continue;
                const bool is_known = slot.is_held && slot.face == face;
                const bool is_doubtful = !slot.is_held || slot.face == NO_CARD;
                const float evidence = weigh(slot, RULES_ALONE, static_cast<int>(face), num_deeds(slot.seat));
                if (is_known || (is_doubtful && unseen[face] > 0 && evidence > IMPOSSIBLE / 2))
                    can_hold[slot.seat][face] = true;
            }
        }
    }

    bool accounts_for_all() const {
        BySeat<int> sizes{};
        FaceCounts known{};
        for (const Slot& slot : slots) {
            if (!slot.is_held) continue;
            sizes[slot.seat] += 1;
            if (slot.face != NO_CARD) known[slot.face] += 1;
        }
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            if (seat != seen.observer && sizes[seat] != seen.hand_sizes[seat]) return false;
        }
        for (std::size_t face = 0; face < NUM_FACES; ++face) {
            if (known[face] > unseen[face]) return false;
        }
        return true;
    }

    // A position without its history: nothing but counts is known.
    void forget_history() {
        slots.clear();
        for (auto& theirs : held) theirs.clear();
        arrivals.assign(1, Factors{});
        has_any = false;
        for (auto& sums : said) sums.assign(1, Factors{});
        for (int seat = 0; seat < seen.rules.players; ++seat) {
            add_slots(seat, seen.hand_sizes[seat], 0);
        }
    }
};

}  // namespace lastcard
