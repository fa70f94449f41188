// Networks in the safetensors format: a length, a JSON header, raw numbers.
#include <cstring>

#include "round/fail.hpp"
#include "wasm/agents.hpp"

namespace lastcard {

namespace {

constexpr u64 MOST_HEADER = 1'000'000;

int read_digits(const Json& metadata, const char* name, int low, int high) {
    const std::string& digits = metadata.words(name);
    const bool is_number =
        !digits.empty() && digits.size() <= 6 && digits.find_first_not_of("0123456789") == digits.npos;
    return Json(Json::Object{{name, is_number ? Json(std::stoi(digits)) : Json(digits)}}).integer(name, low, high);
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
    const int version = read_digits(metadata, "encoding_version", FIRST_ENCODING, LATEST_ENCODING);
    const bool is_for_any = metadata.words("players") == "any";
    const int players = is_for_any ? 0 : read_digits(metadata, "players", 2, MAX_SEATS);
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
    const Json* trained_for = metadata.find("trained_for");
    const bool knows_scores = trained_for != nullptr && trained_for->text == "games";
    return std::make_shared<Network>(make_network(version, players, hidden, tensors, knows_scores));
}

}  // namespace lastcard
