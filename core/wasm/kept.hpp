// What lives from call to call, under numbers that are not used again.
#pragma once

#include <map>
#include <string>

#include "game/json.hpp"
#include "round/fail.hpp"

namespace lastcard {

template <class Value>
Value& find_kept(std::map<int, Value>& values, const Json& request, const char* name) {
    const auto found = values.find(request.integer(name, 1, 1e9));
    if (found == values.end()) fail(std::string("there is no such ") + name + "; was it released?");
    return found->second;
}

}  // namespace lastcard
