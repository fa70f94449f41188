// A small residual network: what a seat sees in, a score for every action and the worth of the position out.
//
//     x = relu(W_in row + b_in);   x = x + relu(W_k x + b_k) for each block;   policy, value = W_out x + b_out
//
// Every output is a sum in one order, whatever the width of the chip's registers and however many rows are evaluated at
// once: the same row gives the same bits everywhere, and so the same decision.
#pragma once

#include <string>
#include <vector>

#include "search/sight.hpp"

namespace lastcard {

// y = W x + b, with W cut into tiles of 64 outputs: within a tile, all weights of one input lie together.
struct Layer {
    int num_inputs = 0;
    int num_tiles = 0;
    std::vector<float> weights;
    std::vector<float> biases;
};

struct Network {
    int players = 0;  // at the table; 0: any number
    int hidden = 0;   // rounded up to whole tiles
    std::vector<Layer> layers;
};

inline bool can_play(const Network& network, const Rules& rules) {
    return network.players == 0 || network.players == rules.players;
}

struct Evaluation {
    float policy[NUM_ACTIONS];
    float value;
};

// Inputs that are not 0, with their places: the rest adds nothing.
struct SparseRow {
    int count = 0;
    std::vector<int> places;
    std::vector<float> values;

    explicit SparseRow(int size) : places(static_cast<std::size_t>(size)), values(static_cast<std::size_t>(size)) {}

    template <class T>
    void gather(const T* row, int size) {
        count = 0;
        for (int i = 0; i < size; ++i) {
            item(places, count) = i;
            item(values, count) = static_cast<float>(row[i]);
            count += row[i] != T{0} ? 1 : 0;
        }
    }
};

// Room for evaluating rows; one for each thread.
class Evaluator {
public:
    explicit Evaluator(const Network& with);

    // One encoded observation, of which the network reads the inputs that it knows, which come first.
    void evaluate(const u8* row, Evaluation& result);

    // Any number of them, one after another in memory.
    void evaluate(const u8* rows, std::size_t count, Evaluation* results);

private:
    const Network& network;
    SparseRow sparse;
    std::vector<float> room;

    void evaluate_four(const u8* rows, Evaluation* results);
};

// The legal index with the highest score, the first of equals.
int best_index(const Evaluation& evaluation, const u8* mask);

// Every row holds the mask.
const u8* mask_in(const u8* row);

Evaluation evaluate_observation(const Observation& seen, const Network& network);

// What the network alone would do.
int choose_by_network(const Observation& seen, const Network& network);

// A matrix or vector as a file holds it.
struct Tensor {
    std::string name;
    std::vector<float> values;
};

// The numbers of a tensor as files hold them: IEEE 754 binary16 or binary32, lowest byte first.
std::vector<float> read_floats(const char* bytes, std::size_t size, bool is_half);

// `tensors` are weight and bias of the input layer, of each block, of the policy and of the value. Throws what is
// wrong. With 0 players: for any table. A network that was trained on single rounds has never seen a score: without
// `knows_scores`, the inputs for scores count nothing, whatever chance has left in their weights. `knows_lowest` is the
// same for the switch that says that the lowest score wins.
Network make_network(int players, int hidden, const std::vector<Tensor>& tensors, bool knows_scores, bool knows_lowest);

}  // namespace lastcard
