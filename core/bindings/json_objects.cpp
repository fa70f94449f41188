#include "bindings/json_objects.hpp"

#include "round/fail.hpp"

namespace lastcard {

namespace {

constexpr int DEEPEST = 200;

std::string show_foreign(nb::handle value) {
    PyObject* shown = PyObject_Repr(value.ptr());
    if (shown != nullptr) return read_text(nb::steal<nb::str>(shown));
    PyErr_Clear();  // Python refuses to write out integers of thousands of digits
    return "a " + std::string(Py_TYPE(value.ptr())->tp_name) + " too long to write";
}

Json make_foreign(nb::handle value) {
    Json foreign(show_foreign(value));
    foreign.kind = Json::Kind::FOREIGN;
    return foreign;
}

Json read_number(nb::handle value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    constexpr long long EXACT = 1ll << 53;
    if (overflow == 0 && number > -EXACT && number < EXACT) return number;
    const std::string digits = show_foreign(value);
    return digits.starts_with("a ") ? make_foreign(value) : Json::digits(digits);
}

Json read_value(nb::handle value, int depth) {
    PyObject* object = value.ptr();
    if (object == Py_None) return {};
    if (PyUnicode_CheckExact(object)) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(object, &size);
        if (text != nullptr) return std::string(text, static_cast<std::size_t>(size));
        PyErr_Clear();
        return read_text(nb::borrow<nb::str>(value));
    }
    if (PyBool_Check(object)) return object == Py_True;
    if (PyLong_Check(object)) return read_number(value);
    if (PyUnicode_Check(object)) return read_text(nb::borrow<nb::str>(value));
    if (PyFloat_Check(object)) {
        Json number(PyFloat_AS_DOUBLE(object));
        number.text = show_foreign(value);
        return number;
    }
    if (depth == 0) return make_foreign(value);
    if (PyList_Check(object) || PyTuple_Check(object)) {
        Json::List values;
        values.reserve(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object)));
        for (const nb::handle each : value) values.push_back(read_value(each, depth - 1));
        return values;
    }
    const bool is_mapping = PyDict_Check(object) || (PyMapping_Check(object) && nb::hasattr(value, "items"));
    if (!is_mapping) return make_foreign(value);
    Json::Object members;
    const nb::dict fields = PyDict_Check(object)
                                ? nb::borrow<nb::dict>(value)
                                : nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(value));
    members.reserve(fields.size());
    for (const auto& [name, each] : fields) {
        if (!PyUnicode_Check(name.ptr())) return make_foreign(value);
        members.emplace_back(read_text(nb::borrow<nb::str>(name)), read_value(each, depth - 1));
    }
    return members;
}

// Names of fields come again and again.
nb::object make_name(const std::string& name) {
    PyObject* made = PyUnicode_InternFromString(name.c_str());
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

nb::object make_number(const Json& value) {
    PyObject* made = !value.is_whole      ? PyFloat_FromDouble(value.number)
                     : value.text.empty() ? PyLong_FromDouble(value.number)
                                          : PyLong_FromString(value.text.c_str(), nullptr, 10);
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

}  // namespace

Json read_object(nb::handle value) { return read_value(value, DEEPEST); }

nb::object make_object(const Json& value) {
    switch (value.kind) {
        case Json::Kind::NOTHING:
        case Json::Kind::FOREIGN:
            return nb::none();
        case Json::Kind::FLAG:
            return nb::bool_(value.flag);
        case Json::Kind::NUMBER:
            return make_number(value);
        case Json::Kind::TEXT:
            return show_text(value.text);
        case Json::Kind::LIST: {
            PyObject* list = PyList_New(static_cast<Py_ssize_t>(value.list.size()));
            if (list == nullptr) throw nb::python_error();
            nb::object made = nb::steal(list);
            Py_ssize_t place = 0;
            for (const Json& each : value.list) PyList_SetItem(list, place++, make_object(each).release().ptr());
            return made;
        }
        case Json::Kind::OBJECT: {
            nb::dict made;
            for (const auto& [name, each] : value.members) {
                if (PyDict_SetItem(made.ptr(), make_name(name).ptr(), make_object(each).ptr()) != 0)
                    throw nb::python_error();
            }
            return made;
        }
    }
    return nb::none();
}

std::string read_text(const nb::str& text) {
    PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
    if (encoded == nullptr) throw nb::python_error();
    const nb::bytes bytes = nb::steal<nb::bytes>(encoded);
    return {bytes.c_str(), bytes.size()};
}

nb::str show_text(const std::string& text) {
    PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
    if (decoded == nullptr) throw nb::python_error();
    return nb::steal<nb::str>(decoded);
}

void raise_refusals() {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Failure& failure) {
            constexpr const char* NAMES[] = {"", "NotationError", "RulesError", "StateError"};
            nb::object kind = failure.kind == Refused::VALUE
                                  ? nb::borrow(PyExc_ValueError)
                                  : nb::module_::import_("lastcard.errors").attr(NAMES[static_cast<int>(failure.kind)]);
            const nb::str message = show_text(failure.what());
            PyErr_SetObject(kind.ptr(), message.ptr());
        }
    });
}

}  // namespace lastcard
