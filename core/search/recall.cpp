#include "search/recall.hpp"

namespace lastcard {

Memory remember(const Observation& seen) {
    NoListener nobody;
    Recall story(seen, nobody);
    story.run_recent();
    return story.now().memory;
}

namespace {

// What the observer looks at before it decides by weights. `sizes` has room for every seat.
View view_of(const Observation& seen, u8* sizes) {
    const Memory memory = remember(seen);
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) sizes[seat] = static_cast<u8>(seen.hand_sizes[seat]);
    const int players = seen.rules.players;
    const int next = (seen.observer + seen.turn.direction + players) % players;
    return View{seen.hand, num_cards(seen.hand), sizes[next], memory.lacks[next], seen.turn.active_color,
                sizes,     seen.turn.player};
}

}  // namespace

int choose_by_heuristic(const Observation& seen, const Weights& weights) {
    if (num_actions(seen.legal) == 1) return nth_action(seen.legal, 0);
    u8 sizes[MAX_SEATS] = {};
    return choose_by_weights(view_of(seen, sizes), seen.legal, weights);
}

std::vector<std::pair<int, float>> score_by_heuristic(const Observation& seen, const Weights& weights) {
    u8 sizes[MAX_SEATS] = {};
    const View view = view_of(seen, sizes);
    std::vector<std::pair<int, float>> scores;
    for (int i = 0; i < num_actions(seen.legal); ++i) {
        const int action = nth_action(seen.legal, i);
        if (is_play(action)) scores.emplace_back(action, score_play(view, weights, action));
        if (action == DRAW || action == KEEP)
            scores.emplace_back(action, weights.values[action == DRAW ? DRAWING : KEEPING]);
    }
    return scores;
}

}  // namespace lastcard
