// Networks in the safetensors format: a length, a JSON header, raw numbers.
#include <algorithm>
#include <cstring>

#include "game/json.hpp"
#include "game/rules_form.hpp"
#include "game/text.hpp"
#include "round/fail.hpp"
#include "wasm/agents.hpp"

namespace lastcard {

namespace {

constexpr u64 MOST_HEADER = 1'000'000;

// What the file says of itself is refused in the words of lastcard.network in Python.
[[noreturn]] void fail_range(const char* name, const std::string& range, const std::string& text) {
    fail(std::string(name) + " must be " + range + ", not " + quote(text) + "; train it again with lastcard train");
}

std::string find_words(const Json& metadata, const char* name) {
    return metadata.find(name) != nullptr ? metadata.words(name) : "";
}

// -1 for what is no number of so many digits.
int read_digits(const std::string& text, std::size_t most) {
    const bool is_number = !text.empty() && text.size() <= most && text.find_first_not_of("0123456789") == text.npos;
    return is_number ? std::stoi(text) : -1;
}

int read_encoding(const Json& metadata) {
    const std::string text = find_words(metadata, "encoding_version"), latest = std::to_string(LATEST_ENCODING);
    const int version = read_digits(text, 3);
    if (version < FIRST_ENCODING)
        fail_range("encoding_version", "from " + std::to_string(FIRST_ENCODING) + " to " + latest, text);
    if (version > LATEST_ENCODING)
        fail("made by a later lastcard: its encoding_version is " + text + ", this one knows " + latest +
             "; upgrade lastcard");
    return version;
}

// 0 for any number.
int read_players(const Json& metadata, int version) {
    const std::string text = find_words(metadata, "players");
    if (text == "any" && version > FIRST_ENCODING) return 0;
    const int players = read_digits(text, 2);
    if (players < 2 || players > MAX_SEATS) fail_range("players", "from 2 to " + std::to_string(MAX_SEATS), text);
    return players;
}

// The number of inputs; a file of version 1 may omit it.
int read_inputs(const Json& metadata, int version, int players) {
    const bool is_first = version == FIRST_ENCODING;
    const int known = layout_for(version, players).start[NUM_BLOCKS];
    const std::string all = std::to_string(known);
    const std::string text = is_first && metadata.find("inputs") == nullptr ? all : find_words(metadata, "inputs");
    const int inputs = read_digits(text, 6);
    if (inputs < (is_first ? known : LEAST_INPUTS))
        fail_range("inputs", is_first ? all : "from " + std::to_string(LEAST_INPUTS) + " to " + all, text);
    if (inputs > known)
        fail("made by a later lastcard: it reads " + text + " inputs, this one writes " + all + "; upgrade lastcard");
    return inputs;
}

// The tables that it was trained on; none: tables of all kinds.
std::vector<Rules> read_trained(const Json& metadata, int players) {
    std::vector<Rules> trained;
    const std::string rules = find_words(metadata, "rules");
    if (players != 0 || rules != "any") {
        const FailingAt place("upgrade lastcard, which cannot read these rules: ");
        trained.push_back(parse_rules(rules));
    }
    if (!trained.empty() && trained[0].players != players)
        fail("players is " + metadata.words("players") + ", but its rules have " + std::to_string(trained[0].players));
    if (!trained.empty()) return trained;
    const FailingAt place("upgrade lastcard, which cannot read these tables: ");
    for (const std::string& table : split(find_words(metadata, "tables"), ",")) {
        if (!split(table, SPACE).empty()) trained.push_back(parse_rules(table));
    }
    return trained;
}

struct File {
    Json header;
    const char* body;
    std::size_t size;

    Tensor read(const std::string& name) const {
        const Json& entry = header.at(name);
        const std::string& type = entry.words("dtype");
        if (type != "F16" && type != "F32") fail(name + " must be of type F16 or F32, not " + type);
        const Json::List& offsets = entry.items("data_offsets");
        if (offsets.size() != 2) fail(name + " must have two data_offsets");
        const double first = offsets[0].number, last = offsets[1].number;
        if (!(first >= 0 && first <= last)) fail(name + " must have ascending data_offsets");
        if (last > static_cast<double>(size)) fail("cut short: " + name + " ends beyond the file");
        const auto start = static_cast<std::size_t>(first);
        return {name, read_floats(body + start, static_cast<std::size_t>(last) - start, type == "F16")};
    }
};

File open_file(const char* bytes, std::size_t size) {
    u64 length = 0;
    require(size >= 8, "not a safetensors file: it has fewer than 8 bytes");
    std::memcpy(&length, bytes, 8);
    require(length <= MOST_HEADER, "not a safetensors file: its header would be too long");
    require(length <= size - 8, "cut short: its header ends beyond the file");
    const auto header_size = static_cast<std::size_t>(length);
    return {parse_json({bytes + 8, header_size}), bytes + 8 + header_size, size - 8 - header_size};
}

}  // namespace

std::shared_ptr<const Network> read_network(const char* bytes, std::size_t size) {
    const File file = open_file(bytes, size);
    const Json& metadata = file.header.at("__metadata__");
    if (metadata.words("format") != "lastcard-network")
        fail("made for another program: format must be lastcard-network, not " + shorten(metadata.at("format")));
    const int version = read_encoding(metadata);
    // A file with more inputs may name rules that came later, too.
    if (version > FIRST_ENCODING) (void)read_inputs(metadata, version, 0);
    const int players = read_players(metadata, version);
    const std::vector<Rules> trained = read_trained(metadata, players);
    const int inputs = read_inputs(metadata, version, players);
    std::vector<std::string> layers{"input"};
    while (file.header.find("blocks." + std::to_string(layers.size() - 1) + ".bias") != nullptr)
        layers.push_back("blocks." + std::to_string(layers.size() - 1));
    layers.insert(layers.end(), {"policy", "value"});
    std::vector<Tensor> tensors;
    for (const std::string& layer : layers) {
        for (const char* part : {".weight", ".bias"}) tensors.push_back(file.read(layer + part));
    }
    const auto hidden = static_cast<int>(tensors[1].values.size());
    require(hidden >= 1, "input.bias must have numbers");
    const int columns = static_cast<int>(tensors[0].values.size()) / hidden;
    if (columns != inputs)
        fail("input.weight must have the shape (" + std::to_string(hidden) + ", " + std::to_string(inputs) +
             "), not (" + std::to_string(hidden) + ", " + std::to_string(columns) + ")");
    const bool knows_scores = find_words(metadata, "trained_for") == "games";
    const bool knows_lowest =
        std::ranges::any_of(trained, [](const Rules& rules) { return rules.scoring == Scoring::LOWEST; });
    return std::make_shared<Network>(make_network(version, players, hidden, tensors, knows_scores, knows_lowest));
}

}  // namespace lastcard
