// What a seat sees of a table, as the page draws it; docs/reference/web-api.md lists the fields.
#pragma once

#include <string>
#include <vector>

#include "game/event_form.hpp"

namespace lastcard {

struct SeatInfo {
    std::string name;
    std::string level;
    std::string agent;
    bool is_person = false;
};

// Public facts about a table that observations do not have.
struct PublicTable {
    std::string game;
    std::string length;
    const std::vector<SeatInfo>& seats;
    int earlier = 0;  // events of earlier rounds
    int since = 0;    // the log starts after the event of that number
    Json deadline;
    Json game_outcome;
    Json seed;
    Json hands;
};

Json make_view(const Observation& seen, const PublicTable& table);

// The events from a place on, with the cards that the receiver saw in them.
std::vector<Json> describe_events(const std::vector<Event>& events, std::size_t first, int observer);

// The table as the observer saw it after that many actions; `heard` events were in earlier frames.
Json make_frame(const Observation& seen, int ply, std::size_t& heard);

}  // namespace lastcard
