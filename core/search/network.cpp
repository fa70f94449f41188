#include "search/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "round/compiled_rules.hpp"
#include "round/fail.hpp"
#include "search/numeric.hpp"

namespace lastcard {

// Sums stay in registers only if the loops over them are unrolled; GCC does not do so by itself.
#if defined(__GNUC__) && !defined(__clang__)
#define LASTCARD_UNROLL _Pragma("GCC unroll 8")
#else
#define LASTCARD_UNROLL
#endif

namespace {

constexpr int TILE = 64;       // outputs that are summed side by side
constexpr int BATCH_ROWS = 4;  // rows that share one reading of the weights

// Numbers that are multiplied and added as one: as many as fit a register.
#if defined(__AVX__)
constexpr int NUM_LANES = 8;
#else
constexpr int NUM_LANES = 4;
#endif
using Lanes = float __attribute__((vector_size(4 * NUM_LANES)));

Lanes load_lanes(const float* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

void store_lanes(float* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof lanes); }

// `weights` has one row for each output, as files have them; columns of `scales` multiply its columns.
Layer make_layer(const std::vector<float>& weights, const std::vector<float>& biases, int num_inputs, int padded_inputs,
                 const std::vector<float>& scales) {
    const int num_outputs = static_cast<int>(biases.size());
    Layer layer;
    layer.num_inputs = padded_inputs;
    layer.num_tiles = (num_outputs + TILE - 1) / TILE;
    layer.weights.resize(static_cast<std::size_t>(layer.num_tiles) * static_cast<std::size_t>(padded_inputs) * TILE);
    layer.biases.resize(static_cast<std::size_t>(layer.num_tiles) * TILE);
    for (int output = 0; output < num_outputs; ++output) {
        item(layer.biases, output) = item(biases, output);
        for (int input = 0; input < num_inputs; ++input) {
            const int place = (output / TILE * padded_inputs + input) * TILE + output % TILE;
            const float scale = scales.empty() ? 1.0f : item(scales, input);
            item(layer.weights, place) = item(weights, output * num_inputs + input) * scale;
        }
    }
    return layer;
}

// The weights of outputs from `first` on, which lie in one tile.
const float* weights_from(const Layer& layer, int first) {
    const auto tile = static_cast<std::size_t>(first / TILE);
    return layer.weights.data() + tile * static_cast<std::size_t>(layer.num_inputs) * TILE + first % TILE;
}

// One row through one layer.
void apply_layer(const Layer& layer, const SparseRow& row, float* out) {
    constexpr int WIDTH = 8;  // lanes
    for (int first = 0; first < layer.num_tiles * TILE; first += WIDTH * NUM_LANES) {
        const float* weights = weights_from(layer, first);
        Lanes sums[WIDTH];
        LASTCARD_UNROLL
        for (int i = 0; i < WIDTH; ++i) sums[i] = load_lanes(layer.biases.data() + first + i * NUM_LANES);
        for (int k = 0; k < row.count; ++k) {
            const float* column = weights + item(row.places, k) * TILE;
            const float value = item(row.values, k);
            LASTCARD_UNROLL
            for (int i = 0; i < WIDTH; ++i) sums[i] += value * load_lanes(column + i * NUM_LANES);
        }
        LASTCARD_UNROLL
        for (int i = 0; i < WIDTH; ++i) store_lanes(out + first + i * NUM_LANES, sums[i]);
    }
}

// Four rows through one layer. A zero input adds a zero, which changes no sum.
void apply_layer_to_four(const Layer& layer, const float* const* rows, float* const* out) {
    constexpr int WIDTH = 2;  // lanes
    for (int first = 0; first < layer.num_tiles * TILE; first += WIDTH * NUM_LANES) {
        const float* weights = weights_from(layer, first);
        Lanes sums[BATCH_ROWS][WIDTH];
        for (int row = 0; row < BATCH_ROWS; ++row) {
            for (int i = 0; i < WIDTH; ++i) sums[row][i] = load_lanes(layer.biases.data() + first + i * NUM_LANES);
        }
        for (int k = 0; k < layer.num_inputs; ++k) {
            const Lanes low = load_lanes(weights + k * TILE);
            const Lanes high = load_lanes(weights + k * TILE + NUM_LANES);
            LASTCARD_UNROLL
            for (int row = 0; row < BATCH_ROWS; ++row) {
                sums[row][0] += rows[row][k] * low;
                sums[row][1] += rows[row][k] * high;
            }
        }
        for (int row = 0; row < BATCH_ROWS; ++row) {
            for (int i = 0; i < WIDTH; ++i) store_lanes(out[row] + first + i * NUM_LANES, sums[row][i]);
        }
    }
}

float half_to_float(u16 half) {
    const u32 sign = static_cast<u32>(half & 0x8000u) << 16;
    const u32 exponent = half >> 10 & 31u;
    const u32 fraction = half & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

float stable_tanh(float x) { return static_cast<float>(1.0 - 2.0 / (stable_exp(2.0 * static_cast<double>(x)) + 1.0)); }

void read_head(const float* head, Evaluation& result) {
    std::memcpy(result.policy, head, sizeof result.policy);
    result.value = stable_tanh(head[NUM_ACTIONS]);
}

}  // namespace

Evaluator::Evaluator(const Network& with)
    : network(with),
      sparse(std::max(with.hidden, with.layers.front().num_inputs)),
      room(static_cast<std::size_t>(2 * BATCH_ROWS * std::max(with.hidden, 2 * TILE))) {}

void Evaluator::evaluate(const u8* row, Evaluation& result) {
    const auto hidden = static_cast<std::size_t>(network.hidden);
    float* x = room.data();
    float* y = room.data() + std::max<std::size_t>(hidden, 2 * TILE);
    sparse.gather(row, network.layers.front().num_inputs);
    apply_layer(network.layers.front(), sparse, x);
    for (std::size_t i = 0; i < hidden; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f;
    for (std::size_t k = 1; k + 1 < network.layers.size(); ++k) {
        sparse.gather(x, network.hidden);
        apply_layer(network.layers[k], sparse, y);
        for (std::size_t i = 0; i < hidden; ++i) x[i] += y[i] > 0.0f ? y[i] : 0.0f;
    }
    sparse.gather(x, network.hidden);
    apply_layer(network.layers.back(), sparse, y);
    read_head(y, result);
}

void Evaluator::evaluate(const u8* rows, std::size_t count, Evaluation* results) {
    for (; count >= BATCH_ROWS; count -= BATCH_ROWS, rows += BATCH_ROWS * ENCODING_SIZE, results += BATCH_ROWS)
        evaluate_four(rows, results);
    for (; count > 0; --count, rows += ENCODING_SIZE, ++results) evaluate(rows, *results);
}

void Evaluator::evaluate_four(const u8* rows, Evaluation* results) {
    const auto hidden = static_cast<std::size_t>(network.hidden);
    const std::size_t stride = std::max<std::size_t>(hidden, 2 * TILE);
    float* x[BATCH_ROWS];
    float* y[BATCH_ROWS];
    for (std::size_t row = 0; row < BATCH_ROWS; ++row) {
        x[row] = room.data() + 2 * row * stride;
        y[row] = x[row] + stride;
        sparse.gather(rows + row * ENCODING_SIZE, network.layers.front().num_inputs);
        apply_layer(network.layers.front(), sparse, x[row]);
        for (std::size_t i = 0; i < hidden; ++i) x[row][i] = x[row][i] > 0.0f ? x[row][i] : 0.0f;
    }
    for (std::size_t k = 1; k + 1 < network.layers.size(); ++k) {
        apply_layer_to_four(network.layers[k], x, y);
        for (std::size_t row = 0; row < BATCH_ROWS; ++row) {
            for (std::size_t i = 0; i < hidden; ++i) x[row][i] += y[row][i] > 0.0f ? y[row][i] : 0.0f;
        }
    }
    apply_layer_to_four(network.layers.back(), x, y);
    for (std::size_t row = 0; row < BATCH_ROWS; ++row) read_head(y[row], results[row]);
}

int best_index(const Evaluation& evaluation, const u8* mask) {
    int best = -1;
    for (int index = 0; index < NUM_ACTIONS; ++index) {
        if (mask[index] != 0 && (best < 0 || evaluation.policy[index] > evaluation.policy[best])) best = index;
    }
    return best;
}

const u8* mask_in(const u8* row) { return row + LAYOUT.start[LEGAL_ACTIONS]; }

Evaluation evaluate_observation(const Observation& seen, const Network& network) {
    u8 row[ENCODING_SIZE];
    Evaluation evaluation;
    encode_observation(seen, row);
    Evaluator(network).evaluate(row, evaluation);
    return evaluation;
}

int choose_by_network(const Observation& seen, const Network& network) {
    if (num_actions(seen.legal) == 1) return nth_action(seen.legal, 0);
    u8 mask[NUM_ACTIONS];
    write_mask(sight_of(seen), seen.rules, mask);
    return action_of_index(seen, best_index(evaluate_observation(seen, network), mask));
}

std::vector<float> read_floats(const char* bytes, std::size_t size, bool is_half) {
    const std::size_t width = is_half ? 2 : 4;
    std::vector<float> values(size / width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_half) {
            u16 half = 0;
            std::memcpy(&half, bytes + 2 * i, 2);
            values[i] = half_to_float(half);
        } else {
            std::memcpy(&values[i], bytes + 4 * i, 4);
        }
    }
    return values;
}

Network make_network(int players, int hidden, const std::vector<Tensor>& tensors, bool knows_scores,
                     bool knows_lowest) {
    const auto size = static_cast<int>(tensors.at(0).values.size()) / hidden;
    if (size < LEAST_INPUTS || size > ENCODING_SIZE) fail(tensors[0].name + " has another size");
    const int padded = (hidden + TILE - 1) / TILE * TILE;
    for (const Tensor& tensor : tensors) {
        for (const float value : tensor.values) {
            if (!std::isfinite(value)) fail(tensor.name + " holds a number that is not finite");
        }
    }
    const auto check = [&](std::size_t index, int count) {
        if (tensors.at(index).values.size() != static_cast<std::size_t>(count))
            fail(tensors[index].name + " has another size");
    };
    std::vector<float> scales(static_cast<std::size_t>(size));
    for (int block = 0; block < NUM_BLOCKS; ++block) {
        const bool is_ignored = !knows_scores && (block == SCORE || block == SCORE_SHARE);
        for (int i = LAYOUT.start[block]; i < std::min(LAYOUT.start[block + 1], size); ++i)
            item(scales, i) = is_ignored ? 0.0f : 1.0f / static_cast<float>(BLOCKS.shapes[block].unit);
    }
    if (!knows_lowest) item(scales, LAYOUT.start[SWITCHES] + SCORING_SWITCH) = 0.0f;
    const std::size_t num_blocks = tensors.size() / 2 - 3;
    Network network;
    network.players = players;
    network.hidden = padded;
    check(0, hidden * size);
    check(1, hidden);
    network.layers.push_back(make_layer(tensors[0].values, tensors[1].values, size, size, scales));
    for (std::size_t k = 1; k <= num_blocks; ++k) {
        check(2 * k, hidden * hidden);
        check(2 * k + 1, hidden);
        network.layers.push_back(make_layer(tensors[2 * k].values, tensors[2 * k + 1].values, hidden, padded, {}));
    }
    const std::size_t head = 2 * num_blocks + 2;
    check(head, NUM_ACTIONS * hidden);
    check(head + 1, NUM_ACTIONS);
    check(head + 2, hidden);
    check(head + 3, 1);
    std::vector<float> weights = tensors[head].values;
    std::vector<float> biases = tensors[head + 1].values;
    weights.insert(weights.end(), tensors[head + 2].values.begin(), tensors[head + 2].values.end());
    biases.push_back(tensors[head + 3].values.front());
    network.layers.push_back(make_layer(weights, biases, hidden, padded, {}));
    return network;
}

}  // namespace lastcard
