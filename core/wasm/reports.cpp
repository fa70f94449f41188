#include "wasm/reports.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "game/names.hpp"
#include "game/values.hpp"
#include "search/marginals.hpp"
#include "search/outline.hpp"
#include "search/reasons.hpp"

namespace lastcard {

namespace {

ActionValue value_of(int action, u64 num, double total, double squares) {
    const auto simulations = static_cast<double>(num);
    const double mean = num > 0 ? total / simulations : 0.0;
    const double variance = num > 0 ? std::max(squares / simulations - mean * mean, 0.0) : 1.0;
    // One simulation more, of unknown outcome: a few wins in a row are no certainty.
    const double spread = (variance * simulations + 0.25) / (simulations + 1);
    return {action, simulations, mean, 1.96 * std::sqrt(spread / std::max(simulations, 1.0))};
}

Json describe_value(const ActionValue& value) {
    return Json::Object{{"action", name_action(value.action)},
                        {"simulations", value.simulations},
                        {"value", value.value},
                        {"error", value.error}};
}

// A field of a reason: what it numbers, by its name.
Json name_field(const std::string&, bool value) { return value; }
Json name_field(const std::string&, double value) { return round_to(value, 6); }
Json name_field(const std::string& name, int value) {
    if (name == "color" || name == "than") return name_color(value);
    if (name == "card") return CARD_NAMES[value];
    return name == "action" ? name_action(value) : Json(value);
}

constexpr int TREE_DEPTH = 4;

Json list_nodes(const std::vector<Place>& places, int depth) {
    Json::List nodes;
    if (depth > TREE_DEPTH) return nodes;
    for (const Branch& branch : list_branches(places, depth)) {
        const auto visits = static_cast<double>(branch.row.visits);
        nodes.push_back(Json::Object{{"action", name_action(branch.row.action)},
                                     {"seat", branch.row.seat},
                                     {"simulations", visits},
                                     {"value", round_to(branch.row.own / visits, 6)},
                                     {"children", list_nodes(branch.below, depth + 1)}});
    }
    return nodes;
}

// The rows of that level from `next` on, each with the rows below it.
Json::List list_rows(const std::vector<TracedRow>& rows, std::size_t& next, int level) {
    Json::List nodes;
    while (next < rows.size() && rows[next].level == level) {
        const TracedRow& row = rows[next++];
        nodes.push_back(Json::Object{{"action", name_action(row.action)},
                                     {"seat", row.seat},
                                     {"card", name_card(row.card)},
                                     {"simulations", row.determinizations},
                                     {"value", round_to((1 + row.value / 100) / 2, 6)},
                                     {"is_taken", row.chosen_by != 0},
                                     {"children", list_rows(rows, next, level + 1)}});
    }
    return nodes;
}

Json describe(int best, std::vector<ActionValue> values, bool by_visits, int by_policy, u64 simulations, Json line) {
    std::ranges::stable_sort(values, {}, [&](const ActionValue& value) {
        return std::tuple(value.action != best, by_visits ? -value.simulations : 0.0, -value.value);
    });
    Json::List actions;
    for (const ActionValue& value : values) actions.push_back(describe_value(value));
    return Json::Object{{"best", name_action(best)},
                        {"actions", std::move(actions)},
                        {"by_policy", name_action(by_policy)},
                        {"simulations", simulations},
                        {"line", std::move(line)}};
}

}  // namespace

double round_to(double value, int places) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.*f", places, value);
    return std::strtod(digits, nullptr);
}

Json round_values(const Json::List& actions) {
    Json::List rounded;
    for (const Json& each : actions) {
        rounded.push_back(Json::Object{{"action", each.at("action")},
                                       {"simulations", each.at("simulations")},
                                       {"value", round_to(each.at("value").number, 6)},
                                       {"error", round_to(each.at("error").number, 6)}});
    }
    return rounded;
}

Json describe_marginals(const Observation& seen, const Belief& belief) {
    Json::Object seats;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        const ByFace<double> chances = list_marginals(seen, belief, seat);
        Json::Object cards;
        for (int face = 0; face < NUM_FACES; ++face) {
            if (chances[face] > 0) cards.emplace_back(CARD_NAMES[face], round_to(chances[face], 4));
        }
        seats.emplace_back(std::to_string(seat), std::move(cards));
    }
    return seats;
}

Json describe_reasons(const Observation& seen, const Belief& belief, const Json& told) {
    std::vector<ActionValue> values;
    for (const Json& each : told.items("actions")) {
        values.push_back({read_action(each.at("action")), each.at("simulations").number, each.at("value").number,
                          each.at("error").number});
    }
    Json::List reasons;
    const int best = read_action(told.at("best")), by_policy = read_action(told.at("by_policy"));
    for (const Reason& reason : list_reasons(seen, belief, best, by_policy, values)) {
        Json::Object fields{{"kind", reason.name()}};
        visit_fields(reason, [&](const std::string& name, const auto& value) {
            if (value) fields.emplace_back(name, name_field(name, *value));
        });
        reasons.emplace_back(std::move(fields));
    }
    return reasons;
}

Json describe_tree(const std::vector<Tree>& trees) { return list_nodes(list_roots(trees), 1); }

Json describe_stages(const std::vector<std::vector<StageResult>>& stages) {
    Json::List described;
    for (const std::vector<StageResult>& stage : stages) {
        Json::List rows;
        for (const StageResult& row : stage) {
            rows.push_back(Json::Object{{"action", name_action(row.action)},
                                        {"simulations", row.simulations},
                                        {"value", row.value},
                                        {"rank", row.rank},
                                        {"stays", row.stays}});
        }
        described.emplace_back(std::move(rows));
    }
    return described;
}

Json describe_recursions(const std::vector<RecursionTrace>& recursions) {
    Json::List roots;
    for (const RecursionTrace& recursion : recursions) {
        std::size_t next = 0;
        for (Json& node : list_rows(recursion.rows, next, 0)) roots.push_back(std::move(node));
    }
    return roots;
}

Json report_forced(int action) { return describe(action, {}, false, action, 0, Json::List{}); }

Json report(const SearchResult& result) {
    constexpr auto UNIT = static_cast<double>(VALUE_UNITS);
    std::vector<ActionValue> values;
    for (const ActionResult& row : result.actions) {
        const double total = static_cast<double>(row.sum) / UNIT;
        values.push_back(
            value_of(row.action, row.simulations, total, static_cast<double>(row.squares) / (UNIT * UNIT)));
    }
    return describe(result.best, std::move(values), false, result.by_policy, result.simulations,
                    Json::List{name_action(result.best)});
}

Json report(const ExpectiminimaxResult& result) {
    std::vector<ActionValue> values;
    for (const ActionMean& row : result.actions)
        values.push_back(value_of(row.action, row.determinizations, row.sum, row.squares));
    Json::List line;
    for (const int action : result.line) line.push_back(name_action(action));
    return describe(result.best, std::move(values), false, result.by_policy, result.determinizations, std::move(line));
}

Json report(const TreeResult& result) {
    std::vector<ActionValue> values;
    for (const RootAction& row : result.actions)
        values.push_back(value_of(row.action, row.visits, row.own, row.squares));
    Json::List line{name_action(result.best)};
    const std::vector<OutlineRow> rows = find_line(*result.trees, result.best);
    for (std::size_t i = 1; i < rows.size(); ++i) line.push_back(name_action(rows[i].action));
    return describe(result.best, std::move(values), true, result.by_policy, result.simulations, std::move(line));
}

}  // namespace lastcard
