// What a search found, as JSON values.
#pragma once

#include "search/expectiminimax.hpp"
#include "search/forest.hpp"
#include "search/halving.hpp"
#include "wasm/json.hpp"

namespace lastcard {

Json report_forced(int action);
Json report(const SearchResult& result);
Json report(const ExpectiminimaxResult& result);
Json report(const TreeResult& result);

}  // namespace lastcard
