#include "search/simulated_rounds.hpp"

#include "round/fail.hpp"
#include "search/mcts_model.hpp"

namespace lastcard {

void SimulatedRounds::start(u64 number) {
    is_started = true;
    simulator.start(now, number);
    heard = Heard(seen.observer);
}

const Simulation<Hypothetical<MAX_SEATS>>& SimulatedRounds::running() const {
    require(is_started, "start a simulation first");
    return now;
}

Simulation<Hypothetical<MAX_SEATS>>& SimulatedRounds::before(int action) {
    require(action >= 0 && action < NUM_ACTIONS && contains(legal(), action), "not a legal action");
    return now;
}

Simulation<Hypothetical<MAX_SEATS>>& SimulatedRounds::deciding() {
    require(num_actions(legal()) > 0, "the round is over");
    return now;
}

ActionSet SimulatedRounds::legal() const { return legal_actions(running().state, seen.rules); }

bool SimulatedRounds::is_over() const { return simulator.is_over(running()); }

bool SimulatedRounds::is_own_choice() const { return simulator.is_own_choice(running()); }

u64 SimulatedRounds::next() {
    running();
    return next_random(now.rng);
}

int SimulatedRounds::choose() { return simulator.choose(deciding()); }

int SimulatedRounds::choose_by_weights_alone() { return simulator.choose_by_weights_alone(deciding()); }

void SimulatedRounds::apply(int action) { simulator.apply(before(action), heard, action); }

void SimulatedRounds::transition(const MctsSettings& with, int action) {
    lastcard::transition(before(action), seen.rules, with, action);
}

void SimulatedRounds::respond() {
    running();
    simulator.respond(now, heard);
}

void SimulatedRounds::play_out() {
    running();
    simulator.play_out(now);
}

double SimulatedRounds::value(int seat) const { return simulator.value(running(), seat); }

u64 SimulatedRounds::take_heard() {
    const u64 hash = heard.hash;
    heard = Heard(seen.observer);
    return hash;
}

std::vector<int> draw_imagined(const Rules& rules, u64 seed, int count) {
    ImaginedPile pile{};
    prepare_pile(pile, rules);
    pile.rng = split_rng(seed, 0);
    std::vector<int> faces;
    for (int i = 0; i < count; ++i) faces.push_back(face_of(draw_top(pile)));
    return faces;
}

}  // namespace lastcard
