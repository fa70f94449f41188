// Options of beliefs and searches as records of Python: filled by name, every field, within its limits.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "bindings/bindings.hpp"
#include "bindings/checks.hpp"
#include "search/expectiminimax.hpp"
#include "search/halving.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/pomcp.hpp"

namespace lastcard {

namespace {

template <class Value>
concept IsRecord = requires { Value::visit_options([](auto&&...) {}); };

// Visits each value that Python gives: name, value, limits and help. Those of a record without help are among them.
template <class Record, class Visit>
void visit_values(Record& record, const Visit& visit) {
    Record::visit_options([&](const char* name, auto member, const Limits& limits, const char* help) {
        auto& value = record.*member;
        if constexpr (IsRecord<std::remove_reference_t<decltype(value)>>) {
            if (help == NO_HELP) return visit_values(value, visit);
        }
        visit(name, value, limits, help);
    });
}

// What Python knows of an option: its default; its limits, its words, or the record that it is; its help. Weights are
// the name of a file there, and the advisor is a word.
template <class Value>
nb::tuple describe_option(const Value& value, const Limits& limits, const char* help) {
    if constexpr (std::is_same_v<Value, bool>) return nb::make_tuple(value, nb::make_tuple(false, true), help);
    else if constexpr (std::is_integral_v<Value>) {
        const auto range = nb::make_tuple(static_cast<long>(limits.least), static_cast<long>(limits.most));
        return nb::make_tuple(value, range, help);
    } else if constexpr (std::is_floating_point_v<Value>)
        return nb::make_tuple(value, nb::make_tuple(limits.least, limits.most), help);
    else if constexpr (std::is_enum_v<Value>) {
        nb::list words;
        for (const char* word : words_of(value)) words.append(word);
        return nb::make_tuple(words_of(value)[static_cast<std::size_t>(value)], nb::tuple(words), help);
    } else if constexpr (std::is_same_v<Value, Advisor>)
        return nb::make_tuple("network", nb::make_tuple("network", "heuristic"), help);
    else if constexpr (std::is_same_v<Value, Weights>) return nb::make_tuple("", nb::none(), help);
    else return nb::make_tuple(nb::none(), nb::type<Value>(), help);
}

// Reads a value from Python; false where it is of another type, none of the words, or beyond the limits.
template <class Value>
bool read_field(Value& value, nb::handle given, const Limits& limits) {
    if constexpr (std::is_same_v<Value, bool>) {
        return nb::try_cast(given, value, false);
    } else if constexpr (std::is_arithmetic_v<Value>) {
        const bool is_read = nb::try_cast(given, value, std::is_floating_point_v<Value>);
        return is_read && static_cast<double>(value) >= limits.least && static_cast<double>(value) <= limits.most;
    } else if constexpr (std::is_enum_v<Value>) {
        const auto words = words_of(Value{});
        const auto at = std::find_if(words.begin(), words.end(), [&](auto word) { return given.equal(nb::str(word)); });
        value = static_cast<Value>(at - words.begin());
        return at != words.end();
    } else if constexpr (std::is_same_v<Value, Advisor>) {
        std::shared_ptr<Network> network;
        const bool is_read = nb::try_cast(given, network);
        value = network;
        return is_read;
    } else if constexpr (std::is_same_v<Value, Prior>) {
        std::vector<double> shares;
        if (!nb::try_cast(given, shares) || static_cast<int>(shares.size()) != value.size()) return false;
        std::copy(shares.begin(), shares.end(), value.begin());
        return std::all_of(value.begin(), value.end(), [](double share) { return share >= 0.0 && share <= 1.0; });
    } else if constexpr (std::is_same_v<Value, Weights>) {
        std::vector<float> values;
        const bool is_read = nb::try_cast(given, values);
        if (is_read) value = weights_from(values);
        return is_read;
    } else {
        const Value* record = nullptr;
        if (!nb::try_cast(given, record) || record == nullptr) return false;
        value = *record;
        return true;
    }
}

template <class Record>
void fill_record(Record& record, const nb::kwargs& given, const std::string& name) {
    nb::dict unknown = nb::cast<nb::dict>(given.attr("copy")());
    visit_values(record, [&](const char* field, auto& value, const Limits& limits, const char* help) {
        if (!given.contains(field) && help == NO_HELP) return;
        if (!given.contains(field)) throw nb::type_error((name + " needs the field " + field).c_str());
        if (!read_field(value, given[field], limits))
            throw std::invalid_argument(name + ": " + field + " out of range, or of another type");
        nb::del(unknown[field]);
    });
    for (const auto& [field, value] : unknown)
        throw nb::type_error((name + " has no field " + nb::cast<std::string>(field)).c_str());
}

template <class Record>
nb::typed<nb::dict, nb::str, nb::any> describe_options(nb::handle) {
    nb::typed<nb::dict, nb::str, nb::any> options;
    Record record;
    visit_values(record, [&](const char* name, const auto& value, const Limits& limits, const char* help) {
        if (help != NO_HELP) options[name] = describe_option(value, limits, help);
    });
    return options;
}

template <class Record>
void bind_record(nb::module_& module, const char* name, const char* about) {
    nb::class_<Record>(module, name, about)
        .def(
            "__init__",
            [name](Record* made, const nb::kwargs& given) {
                Record record;
                fill_record(record, given, name);
                new (made) Record(record);
            },
            nb::sig("def __init__(self, **fields: object) -> None"))
        .def_prop_ro_static("OPTIONS", &describe_options<Record>);
}

}  // namespace

void bind_options(nb::module_& module) {
    bind_record<BeliefSettings>(module, "BeliefSettings", "Settings of a belief.");
    bind_record<HalvingSettings>(module, "HalvingSettings", "Options of `halving`.");
    bind_record<ExpectiminimaxSettings>(module, "ExpectiminimaxSettings", "Options of `expectiminimax`.");
    bind_record<IsmctsSettings>(module, "IsmctsSettings", "Options of `ismcts`.");
    bind_record<MctsSettings>(module, "MctsSettings", "Options of `mcts`.");
    bind_record<PomcpSettings>(module, "PomcpSettings", "Options of `pomcp`.");
}

}  // namespace lastcard
