// The text of a record, taken apart: headers and words, each with its line.
#pragma once

#include <string>
#include <vector>

#include "game/json.hpp"

namespace lastcard {

struct Word {
    std::string text;
    int line = 1;
};

// The head of a text, or a round of it.
struct Part {
    struct Header {
        std::string name;
        Word value;
    };

    int line = 1;
    std::vector<Header> headers;
    std::vector<Word> reshuffles;
    std::vector<Word> words;  // the actions, each go led by its seat

    // Null if there is none.
    const Word* find(const std::string& name) const;

    // Fails if there is none.
    const Word& at(const std::string& name) const;

    void refuse_unknown(const std::vector<std::string>& known) const;
};

// Such as "line 5: ".
std::string name_line(int line);

// Fails unless it is the version of these records; `version` is null where there is none.
void check_version(const Json& version);

// Fails if the text is too long for a record.
void check_length(const std::string& text);

// The head of a text, and its rounds.
std::vector<Part> read_parts(const std::string& text);

}  // namespace lastcard
