#include "search/simulation.hpp"

#include "round/random_play.hpp"
#include "search/playing.hpp"

namespace lastcard {

namespace {

// Listens to a simulation as `Recorder` does to the truth, for the observer alone; forgets what `Remember` forgets.
struct HearAndRemember {
    Memory& memory;
    Heard& heard;
    int drawn = 0;
    bool has_drawn = false;

    void event(EventKind kind, int seat, int other, int card) { heard.event(kind, seat, other, card); }

    void got(int seat, int card) {
        memory.lacks[seat] = 0;
        drawn += 1;
        has_drawn = true;
        if (seat == heard.observer) heard.card(card);
    }

    void flush(int seat) {
        heard.event(EventKind::DREW, seat, drawn, 0);
        heard.end_cards();
        drawn = 0;
    }

    void drew(int seat) {
        if (drawn > 0 || !has_drawn) flush(seat);
        has_drawn = false;
    }

    void reshuffled(int seat, const auto& pile) {
        if (drawn > 0) flush(seat);
        heard.event(EventKind::RESHUFFLED, 0, pile.size, 0);
    }

    void hand(int seat, const Hand& cards) {
        if (seat != heard.observer) return;
        for_each_face(cards, [&](int face) { heard.card(face); });
        heard.end_cards();
    }

    void challenged(int seat, int offender, bool guilty, const Hand& shown) {
        heard.event(EventKind::CHALLENGED, seat, offender, guilty ? 1 : 0);
        hand(seat, shown);
    }

    void received(int seat, const Hand& cards) {
        memory.lacks[seat] = 0;
        hand(seat, cards);
    }

    void dealt(int, int, const Hand&) {}
};

}  // namespace

u64 hear_events(const std::vector<Event>& events, std::size_t first, int observer) {
    Heard heard(observer);
    for (std::size_t i = first; i < events.size(); ++i) {
        const Event& event = events[i];
        if (event.kind == EventKind::GOT || event.kind == EventKind::SHOWN) {
            heard.card(event.card);
            continue;
        }
        heard.end_cards();
        heard.event(event.kind, event.seat, event.other, event.card);
    }
    heard.end_cards();
    return heard.hash;
}

template <class R, class S>
void Simulator<R, S>::apply(Simulation<S>& simulation, Heard& heard, int action) const {
    tell_ply(simulation, action);
    HearAndRemember listener{simulation.memory, heard};
    apply_and_tell(simulation.state, rules, simulation.memory, listener, action);
}

template <class R, class S>
void Simulator<R, S>::respond(Simulation<S>& simulation, Heard& heard) const {
    while (!is_over(simulation) && !is_own_choice(simulation)) apply(simulation, heard, choose(simulation));
}

template <class R, class S>
void Simulator<R, S>::play_out(Simulation<S>& simulation) const {
    if (is_over(simulation)) return;
    if (settings.playouts == PolicyKind::RANDOM && opponents == PolicyKind::RANDOM) {
        play_on_randomly(simulation.state, rules, simulation.rng, simulation.last_ply);
        return;
    }
    const Policy* policies[MAX_SEATS];
    for (int seat = 0; seat < rules.players; ++seat) policies[seat] = &policy_of(simulation, seat);
    play_on_by_policies(simulation.state, rules, simulation.memory, choose(simulation), policies, simulation.rng,
                        simulation.last_ply);
}

template class Simulator<OfficialRules<2>, Hypothetical<2>>;
template class Simulator<OfficialRules<4>, Hypothetical<4>>;
template class Simulator<Rules, Hypothetical<MAX_SEATS>>;

}  // namespace lastcard
