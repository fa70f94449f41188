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

// What Python may know of a field: its limits, its words, or the record that it is; None for anything else.
template <class Value>
nb::object describe_field(const Value&, const Limits& limits) {
    if constexpr (std::is_same_v<Value, bool>) return nb::make_tuple(false, true);
    else if constexpr (std::is_integral_v<Value>)
        return nb::make_tuple(static_cast<long>(limits.least), static_cast<long>(limits.most));
    else if constexpr (std::is_floating_point_v<Value>) return nb::make_tuple(limits.least, limits.most);
    else if constexpr (std::is_enum_v<Value>) {
        nb::list words;
        for (const char* word : words_of(Value{})) words.append(word);
        return nb::tuple(words);
    } else if constexpr (requires { Value::visit_options([](auto&&...) {}); }) return nb::borrow(nb::type<Value>());
    else return nb::none();
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
    std::size_t num_fields = 0;
    Record::visit_options([&](const char* field, auto member, const Limits& limits) {
        num_fields += 1;
        if (!given.contains(field)) throw nb::type_error((name + " needs the field " + field).c_str());
        if (!read_field(record.*member, given[field], limits))
            throw std::invalid_argument(name + ": " + field + " out of range, or of another type");
    });
    if (given.size() == num_fields) return;
    for (const auto& [field, value] : given) {
        bool is_known = false;
        Record::visit_options([&](const char* known, auto, const Limits&) { is_known |= field.equal(nb::str(known)); });
        if (!is_known) throw nb::type_error((name + " has no field " + nb::cast<std::string>(field)).c_str());
    }
}

template <class Record>
nb::typed<nb::dict, nb::str, nb::object> describe_fields(nb::handle) {
    nb::typed<nb::dict, nb::str, nb::object> fields;
    const Record record;
    Record::visit_options([&](const char* field, auto member, const Limits& limits) {
        fields[field] = describe_field(record.*member, limits);
    });
    return fields;
}

template <class Record>
void bind_record(nb::module_& module, const char* name) {
    nb::class_<Record>(module, name)
        .def(
            "__init__",
            [name](Record* made, const nb::kwargs& given) {
                Record record;
                fill_record(record, given, name);
                new (made) Record(record);
            },
            nb::sig("def __init__(self, **fields: object) -> None"))
        .def_prop_ro_static("FIELDS", &describe_fields<Record>);
}

}  // namespace

void bind_options(nb::module_& module) {
    bind_record<BeliefSettings>(module, "BeliefSettings");
    bind_record<HalvingSettings>(module, "HalvingSettings");
    bind_record<ExpectiminimaxSettings>(module, "ExpectiminimaxSettings");
    bind_record<TreeSettings>(module, "TreeSettings");
    bind_record<IsmctsSettings>(module, "IsmctsSettings");
    bind_record<MctsSettings>(module, "MctsSettings");
    bind_record<PomcpSettings>(module, "PomcpSettings");
}

}  // namespace lastcard
