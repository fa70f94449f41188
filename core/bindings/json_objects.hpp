// JSON values as objects of Python, and back.
#pragma once

#include <string>

#include "bindings/bindings.hpp"
#include "game/json.hpp"

namespace lastcard {

// A value of Python that JSON does not have becomes a foreign one, which no field takes.
Json read_object(nb::handle value);

nb::object make_object(const Json& value);

// Texts may hold halves of characters, which `str` allows and UTF-8 does not.
std::string read_text(const nb::str& text);
nb::str show_text(const std::string& text);

// What the core refuses is raised as an error of lastcard, where it is of a kind that has one.
void raise_refusals();

}  // namespace lastcard
