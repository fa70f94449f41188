// What the binding files share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "round/round.hpp"

namespace lastcard {

namespace nb = nanobind;

void bind_forms(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_turn(nb::module_& module);
void bind_round(nb::module_& module);
void bind_observation(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_checks(nb::module_& module);
void bind_playouts(nb::module_& module);
void bind_options(nb::module_& module);
void bind_search(nb::module_& module);
void bind_agents(nb::module_& module);
void bind_envs(nb::module_& module);
void bind_network(nb::module_& module);
void bind_trace(nb::module_& module);
void bind_expectiminimax(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_simulation(nb::module_& module);
void bind_stop(nb::module_& module);
void bind_replay(nb::module_& module);
void bind_record(nb::module_& module);
void bind_referee(nb::module_& module);
void bind_judge(nb::module_& module);

// Numbers above any seat or card mean "none" in the core.
inline std::optional<int> seat_or_none(int seat) { return seat == NO_SEAT ? std::nullopt : std::optional<int>(seat); }
inline std::optional<int> face_or_none(int card) {
    return card == NO_CARD ? std::nullopt : std::optional<int>(face_of(card));
}

std::vector<int> list_faces(const Hand& hand);
std::vector<int> list_faces(const u8* cards, int count);
std::vector<int> list_actions(const ActionSet& set);
std::vector<int> list_seats(unsigned seats);
std::vector<u32> pack_events(const std::vector<Event>& events, std::size_t first);
std::vector<Event> unpack_events(const std::vector<u32>& packed, int players);

Key key_from(const nb::bytes& seed);
nb::bytes bytes_of(const Key& key);

}  // namespace lastcard
