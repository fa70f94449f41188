#include "arena/match.hpp"

#include <array>

#include "game/replay.hpp"
#include "round/compiled_rules.hpp"
#include "round/fail.hpp"
#include "round/threads.hpp"
#include "rules/environment.hpp"
#include "search/playing.hpp"
#include "search/recall.hpp"

namespace lastcard {

namespace {

int choose_by_search(Mind&, FirstLegal, const Observation& seen) { return nth_action(seen.legal, 0); }

int choose_by_search(Mind& mind, const HalvingSettings& settings, const Observation& seen) {
    return search_by_halving(seen, settings, next_random(mind.rng)).best;
}

int choose_by_search(Mind& mind, const ExpectiminimaxSettings& settings, const Observation& seen) {
    return search_by_expectiminimax(seen, settings, next_random(mind.rng), false).best;
}

int choose_by_search(Mind& mind, const IsmctsSettings& settings, const Observation& seen) {
    return search_by_ismcts(seen, settings, next_random(mind.rng)).best;
}

int choose_by_search(Mind& mind, const MctsSettings& settings, const Observation& seen) {
    return search_by_mcts(seen, settings, next_random(mind.rng)).best;
}

int choose_by_search(Mind& mind, const PomcpSettings& settings, const Observation& seen) {
    if (!mind.pomcp) mind.pomcp.emplace(settings);
    return mind.pomcp->search(seen, next_random(mind.rng)).best;
}

int winner_points(const int* points, int winner, int players) {
    if (winner != NO_SEAT && points[winner] > 0) return points[winner];
    int sum = 0;
    for (int seat = 0; seat < players; ++seat) sum += points[seat];
    return winner == NO_SEAT ? 0 : sum;
}

// Of the deals and the agents' luck in round `number` of games, counted from 0.
u64 round_seed(u64 seed, int number) {
    return number == 0 ? seed : split_rng(seed ^ 0x6A3E, static_cast<u64>(number)).state;
}

// Actions of a round, if its record is kept.
void keep(PlayedRound* record, int action) {
    if (record) record->actions.push_back(static_cast<u8>(action));
}

struct Sitting {
    const Rules& rules;
    const std::vector<Contestant>& contestants;
    const std::vector<int>& seating;  // which contestant sits in each place
    u64 seed;
    MatchLength length;

    template <class R, class S, int SEATS>
    GameEnd end_round(Game<SEATS>& game, const S& state, const R& compiled) const {
        if (length == MatchLength::ROUND) return {true, state.turn.winner};
        return add_round(game, state, compiled, length == MatchLength::GAME || state.turn.ending != Ending::MAX_PLIES);
    }

    const Contestant& at(int seat, int rotation) const {
        const int place = (seat - rotation + rules.players) % rules.players;
        return item(contestants, item(seating, place));
    }
};

// Deals without events.
template <class S, class R>
void deal_deck(S& state, const R& rules, const Key& key, const std::vector<u8>& deck, int dealer) {
    NoEvents nobody;
    state.pile.key = key;
    state.pile.script = state.pile.script_end = nullptr;
    state.pile.reshuffles = 0;
    state.pile.num_discards = 0;
    state.pile.size = rules.deck_size;
    for (int i = 0; i < rules.deck_size; ++i) state.pile.cards[i] = item(deck, i);
    deal(state, rules, nobody, dealer);
}

// A round between policies alone, without events.
template <class S, class R>
void play_policy_round(S& state, const R& rules, const Sitting& sitting, const Key& key, const std::vector<u8>& deck,
                       u64 number, int rotation, PlayedRound* record) {
    deal_deck(state, rules, key, deck, rules.players - 1);
    const Policy* policies[MAX_SEATS] = {};
    for (int seat = 0; seat < rules.players; ++seat) policies[seat] = &sitting.at(seat, rotation).policy;
    Memory memory;
    forget_all(memory);
    Rng rng = split_rng(sitting.seed ^ 0xA6E7, number);
    int action = choose_by_policy(state, rules, memory, *policies[state.turn.seat], rng);
    if (!record) return play_on_by_policies(state, rules, memory, action, policies, rng, rules.max_plies + 1);
    while (true) {
        keep(record, action);
        apply_and_remember(state, rules, memory, action);
        if (state.turn.phase == Phase::OVER) return;
        action = choose_by_policy(state, rules, memory, *policies[state.turn.seat], rng);
    }
}

// What a ceiling of the arena does, who alone is shown the round.
int choose_by_truth(const Round& round, const Contestant& contestant, Rng& rng) {
    const ActionSet legal = legal_actions(round.state, round.rules);
    if (num_actions(legal) == 1) return nth_action(legal, 0);
    const auto& settings = std::get<HalvingSettings>(contestant.search);
    return search_truth(round, contestant.ceiling, settings, next_random(rng)).best;
}

// A round in which not all follow policies: each sees its observation and, the ceilings aside, nothing else.
void play_observed_round(Round& round, const Sitting& sitting, const Game<MAX_SEATS>& game, u64 deal, int rotation,
                         PlayedRound* record) {
    const u64 seed = round_seed(sitting.seed, game.rounds);
    const u64 number = deal * static_cast<u64>(sitting.rules.players) + static_cast<u64>(rotation);
    const Key key = deal_key(seed, deal);
    round = Round{};
    round.rules = sitting.rules;
    round.dealer = next_dealer(game, sitting.rules);
    round.number = game.rounds + 1;
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) round.scores[seat] = game.scores[seat];
    deal_round(round, key, shuffled_deck(sitting.rules, key));
    Mind minds[MAX_SEATS];  // each with random numbers of its own
    for (u64 seat = 0; seat < MAX_SEATS; ++seat) minds[seat].rng = split_rng(seed ^ 0xA6E7, number * MAX_SEATS + seat);
    while (!is_over(round)) {
        const int seat = round.state.turn.seat;
        const Contestant& contestant = sitting.at(seat, rotation);
        const int action = contestant.kind == Contestant::Kind::CEILING
                               ? choose_by_truth(round, contestant, minds[seat].rng)
                               : minds[seat].choose(contestant, observe(round, seat));
        if (is_stopped()) return;  // what a search was stopped at need not be legal
        keep(record, action);
        apply_in_place(round, action);
    }
}

PlayedRound* record_at(MatchResult& result, u64 at) { return result.records.empty() ? nullptr : &result.records[at]; }

u8 place_of(int winner, int players, u64 rotation) {
    return winner == NO_SEAT ? NO_SEAT : static_cast<u8>((winner + players - static_cast<int>(rotation)) % players);
}

// Writes down how round `at` of the match ended.
template <class S, class R>
void record_round(MatchResult& result, const S& state, const R& rules, u64 at, u64 rotation) {
    int points[MAX_SEATS];
    score_round(state, rules, points);
    result.winners[at] = place_of(state.turn.winner, rules.players, rotation);
    result.unfinished[at] = state.turn.ending == Ending::MAX_PLIES ? 1 : 0;
    result.points[at] = static_cast<u16>(std::max(0, winner_points(points, state.turn.winner, rules.players)));
}

// The same for a game.
template <class R, int SEATS>
void record_game(MatchResult& result, const Game<SEATS>& game, const GameEnd& end, const R& rules, u64 at,
                 u64 rotation) {
    result.winners[at] = place_of(end.winner, rules.players, rotation);
    result.unfinished[at] = has_reached_target(game.scores, rules) ? 0 : 1;
    result.points[at] = end.winner == NO_SEAT ? u16{0} : cut_score(game.scores[end.winner]);
}

// Rounds or games between networks and policies, many at a time, so that what networks have to judge comes in batches.
// They take nearly all of the time, so the rules are read at run time.
class NetworkRounds {
public:
    NetworkRounds(MatchResult& to, const Sitting& at, u64 first_deal, u64 begin, u64 end)
        : result(to),
          rules(at.rules),
          sitting(at),
          first(first_deal),
          players(static_cast<u64>(at.rules.players)),
          next(begin * players),
          last(end * players),
          asked(at.contestants.size()),
          rows(at.contestants.size()) {}

    // Returns the plies played.
    u64 run() {
        for (Running& running : rounds) start(running);
        while (true) {
            for (std::size_t i = 0; i < asked.size(); ++i) {
                asked[i].clear();
                rows[i].clear();
            }
            if (is_stopped()) return plies;
            for (Running& running : rounds) advance(running);
            bool is_anyone_asked = false;
            for (std::size_t i = 0; i < asked.size(); ++i) {
                is_anyone_asked = is_anyone_asked || !asked[i].empty();
                if (!asked[i].empty()) answer(i);
            }
            if (!is_anyone_asked) return plies;
        }
    }

private:
    struct Running {
        Environment<MAX_SEATS, OrderedPile> env{};
        Rng rng{};
        u64 number = 0;  // of the round or game, counted from the first deal of this call
        bool is_on = false;
    };

    MatchResult& result;
    const Rules& rules;
    const Sitting& sitting;
    u64 first;
    u64 players;
    u64 next;
    u64 last;
    u64 plies = 0;
    std::array<Running, 32> rounds{};
    std::vector<std::vector<Running*>> asked;  // by contestant: the rounds that wait for it
    std::vector<std::vector<u8>> rows;         // and what it sees in them

    void start(Running& running) {
        running.is_on = next < last;
        if (!running.is_on) return;
        running.number = next++;
        running.env.game = {};
        deal_next(running);
    }

    void deal_next(Running& running) {
        auto& env = running.env;
        const u64 seed = round_seed(sitting.seed, env.game.rounds);
        const Key key = deal_key(seed, first + running.number / players);
        deal_deck(env.state, rules, key, shuffled_deck(rules, key), next_dealer(env.game, rules));
        start_trail(env, rules);
        forget_all(env.memory);
        running.rng = split_rng(seed ^ 0xA6E7, first * players + running.number);
    }

    void finish_round(Running& running) {
        auto& env = running.env;
        plies += env.state.turn.ply;
        const GameEnd end = sitting.end_round(env.game, env.state, rules);
        if (!end.is_over) return deal_next(running);
        const u64 rotation = running.number % players;
        if (sitting.length == MatchLength::ROUND) record_round(result, env.state, rules, running.number, rotation);
        else record_game(result, env.game, end, rules, running.number, rotation);
        start(running);
    }

    // Plays on until a network has to decide or no round is left.
    void advance(Running& running) {
        auto& env = running.env;
        while (running.is_on) {
            if (env.state.turn.phase == Phase::OVER) {
                finish_round(running);
                continue;
            }
            env.legal = legal_actions(env.state, rules);
            const Contestant& contestant = sitting.at(env.state.turn.seat, static_cast<int>(running.number % players));
            const bool is_forced = num_actions(env.legal) == 1;
            if (!is_forced && contestant.network) {
                const auto index = static_cast<std::size_t>(&contestant - sitting.contestants.data());
                rows[index].resize(rows[index].size() + ENCODING_SIZE);
                encode(sight_in(env, rules), rules, env.trail, &*(rows[index].end() - ENCODING_SIZE));
                asked[index].push_back(&running);
                return;
            }
            const int action = is_forced ? nth_action(env.legal, 0)
                                         : choose_in_environment(env, rules, contestant.policy, running.rng);
            play(running, action);
        }
    }

    void play(Running& running, int action) {
        keep(record_at(result, running.number), action);
        apply_in_environment<true>(running.env, rules, action);
    }

    void answer(std::size_t contestant) {
        const std::vector<Running*>& waiting = asked[contestant];
        std::vector<Evaluation> evaluations(waiting.size());
        const Network& network = *sitting.contestants[contestant].network;
        Evaluator(network).evaluate(rows[contestant].data(), waiting.size(), evaluations.data());
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const u8* mask = mask_in(rows[contestant].data() + i * ENCODING_SIZE);
            const int index = best_index(evaluations[i], mask);
            const Turn& turn = waiting[i]->env.state.turn;
            play(*waiting[i], action_of_index(rules, turn, turn.seat, index));
        }
    }
};

// A round or game by observations; returns its plies.
template <class R>
u64 play_observed(MatchResult& result, const R& rules, const Sitting& sitting, u64 deal, u64 at, u64 rotation) {
    Round round;
    Game<MAX_SEATS> game{};
    GameEnd end{false, NO_SEAT};
    u64 plies = 0;
    while (!end.is_over && !is_stopped()) {
        play_observed_round(round, sitting, game, deal, static_cast<int>(rotation), record_at(result, at));
        plies += round.state.turn.ply;
        if (!is_stopped()) end = sitting.end_round(game, round.state, rules);
    }
    if (sitting.length == MatchLength::ROUND) record_round(result, round.state, rules, at, rotation);
    else record_game(result, game, end, rules, at, rotation);
    return plies;
}

template <int SEATS, class R>
void play_deals(MatchResult& result, const R& rules, const Sitting& sitting, u64 first, u64 begin, u64 end) {
    bool has_policies_only = true;
    bool can_batch = true;  // no search, and so no observations
    for (const int contestant : sitting.seating) {
        const Contestant& one = item(sitting.contestants, contestant);
        const bool is_policy = one.kind == Contestant::Kind::POLICY;
        has_policies_only = has_policies_only && is_policy;
        can_batch = can_batch && (is_policy || (one.kind == Contestant::Kind::NETWORK && !one.by_observation));
    }
    const auto players = static_cast<u64>(rules.players);
    u64 plies = 0;
    const bool is_round = sitting.length == MatchLength::ROUND;
    if (can_batch && !(has_policies_only && is_round)) {
        plies = NetworkRounds(result, sitting, first, begin, end).run();
        __atomic_fetch_add(&result.plies, plies, __ATOMIC_RELAXED);
        return;
    }
    State<OrderedPile, SEATS> state;
    for (u64 deal = begin; deal < end && !is_stopped(); ++deal) {
        const Key key = deal_key(sitting.seed, first + deal);
        const std::vector<u8> deck = shuffled_deck(sitting.rules, key);
        for (u64 rotation = 0; rotation < players && !is_stopped(); ++rotation) {
            const u64 at = deal * players + rotation;
            if (!has_policies_only) {
                plies += play_observed(result, rules, sitting, first + deal, at, rotation);
            } else {
                play_policy_round(state, rules, sitting, key, deck, first * players + at, static_cast<int>(rotation),
                                  record_at(result, at));
                record_round(result, state, rules, at, rotation);
                plies += state.turn.ply;
            }
        }
    }
    __atomic_fetch_add(&result.plies, plies, __ATOMIC_RELAXED);
}

}  // namespace

int Mind::choose(const Contestant& contestant, const Observation& seen) {
    if (num_actions(seen.legal) == 1) return nth_action(seen.legal, 0);
    switch (contestant.kind) {
        case Contestant::Kind::SEARCH:
            return std::visit([&](const auto& settings) { return choose_by_search(*this, settings, seen); },
                              contestant.search);
        case Contestant::Kind::NETWORK:
            return choose_by_network(seen, *contestant.network);
        case Contestant::Kind::CEILING:  // decides by the truth: see `choose_by_truth`
        case Contestant::Kind::POLICY:
            break;
    }
    if (contestant.policy.is_random) return random_action(seen.legal, rng);
    return choose_by_heuristic(seen, contestant.policy.weights);
}

Key deal_key(u64 seed, u64 deal) {
    Key key{};
    Rng rng = split_rng(seed ^ 0xDEA1, deal);
    for (int i = 0; i < 8; i += 2) {
        const u64 bits = next_random(rng);
        key.words[i] = static_cast<u32>(bits);
        key.words[i + 1] = static_cast<u32>(bits >> 32);
    }
    return key;
}

namespace {

struct Dealt {
    PlayedRound record;
    Round round;
};

Dealt deal_and_record(const Rules& rules, u64 seed, u64 deal, int number, const std::vector<i64>& scores) {
    Dealt dealt;
    PlayedRound& record = dealt.record;
    record.number = number;
    record.dealer = (rules.players - 2 + number) % rules.players;  // Rule 2.1
    record.scores = scores;
    record.seed = deal_key(round_seed(seed, number - 1), deal);
    const std::vector<u8> deck = shuffled_deck(rules, *record.seed);
    for (const u8 card : deck) record.deck.push_back(static_cast<u8>(face_of(card)));
    dealt.round = deal_cards(rules, record, deck);
    note_progress(record, dealt.round);
    return dealt;
}

// Adds to the actions of a round how it was dealt and how it ended.
void complete_record(PlayedRound& record, const Rules& rules, u64 seed, u64 deal) {
    Dealt dealt = deal_and_record(rules, seed, deal, 1, std::vector<i64>(static_cast<std::size_t>(rules.players)));
    for (const u8 action : record.actions) apply_in_place(dealt.round, action);
    note_progress(dealt.record, dealt.round);
    dealt.record.actions = std::move(record.actions);
    record = std::move(dealt.record);
}

}  // namespace

PlayedRound deal_match_round(const Rules& rules, u64 seed, u64 deal, int number, const std::vector<i64>& scores) {
    return deal_and_record(rules, seed, deal, number, scores).record;
}

MatchResult play_match(const Rules& rules, const std::vector<Contestant>& contestants, const std::vector<int>& seating,
                       u64 first, u64 num_deals, u64 seed, int threads, MatchLength length, bool keeps_records) {
    require(!keeps_records || length == MatchLength::ROUND, "records are kept of rounds, not of games");
    require(static_cast<int>(seating.size()) == rules.players, "one contestant for each place");
    for (const int contestant : seating) {
        require(contestant >= 0 && contestant < static_cast<int>(contestants.size()), "no such contestant");
        const auto& network = item(contestants, contestant).network;
        require(!network || can_play(*network, rules), "a network for another number of players");
    }
    const Sitting sitting{rules, contestants, seating, seed, length};
    MatchResult result;
    result.winners.resize(num_deals * static_cast<u64>(rules.players));
    result.points.resize(result.winners.size());
    result.unfinished.resize(result.winners.size());
    if (keeps_records) result.records.resize(result.winners.size());
    const auto players = static_cast<u64>(rules.players);
    run_on_threads(threads, num_deals, [&](u64, u64 begin, u64 end) {
        with_compiled_rules(rules, [&]<int SEATS>(const auto& compiled, Seats<SEATS>) {
            play_deals<SEATS>(result, compiled, sitting, first, begin, end);
        });
        if (!keeps_records || is_stopped()) return;
        for (u64 at = begin * players; at < end * players; ++at)
            complete_record(result.records[at], rules, seed, first + at / players);
    });
    return result;
}

}  // namespace lastcard
