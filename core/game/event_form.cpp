#include "game/event_form.hpp"

#include <algorithm>
#include <cstring>

#include "game/fields.hpp"
#include "game/names.hpp"
#include "game/text.hpp"
#include "game/values.hpp"
#include "round/fail.hpp"

namespace lastcard {

namespace {

// What an event says besides its kind and its seat.
enum class Subject { NOTHING, ACTION, CARD, COLOR, COUNT, TARGET, VERDICT };

Subject subject_of(EventKind kind) {
    switch (kind) {
        case EventKind::PLAYED:
        case EventKind::JUMPED_IN:
            return Subject::ACTION;
        case EventKind::TURNED_UP:
            return Subject::CARD;
        case EventKind::NAMED:
            return Subject::COLOR;
        case EventKind::DEALT:
        case EventKind::RESHUFFLED:
        case EventKind::DREW:
        case EventKind::ACCEPTED:
            return Subject::COUNT;
        case EventKind::CAUGHT:
        case EventKind::SWAPPED:
            return Subject::TARGET;
        case EventKind::CHALLENGED:
            return Subject::VERDICT;
        default:
            return Subject::NOTHING;
    }
}

bool has_seat(EventKind kind) {
    return kind != EventKind::TURNED_UP && kind != EventKind::RESHUFFLED && kind != EventKind::HANDS_PASSED;
}

bool takes_own_cards(EventKind kind) {
    return kind == EventKind::DEALT || kind == EventKind::DREW || kind == EventKind::CHALLENGED;
}

std::string show_subject(const Event& event) {
    switch (subject_of(event.kind)) {
        case Subject::ACTION:
            return std::string(" ") + ACTION_NAMES[event.card];
        case Subject::CARD:
            return std::string(" ") + CARD_NAMES[face_of(event.card)];
        case Subject::COLOR:
            return std::string(" ") + COLOR_LETTERS[event.card];
        case Subject::COUNT:
        case Subject::TARGET:
            return " " + std::to_string(event.other);
        case Subject::VERDICT:
            return " " + std::to_string(event.other) + (event.card != 0 ? ": guilty" : ": innocent");
        case Subject::NOTHING:
            return "";
    }
    return "";
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_count(std::string_view text) {
    return !text.empty() && text.size() <= 3 && std::ranges::all_of(text, is_digit);
}

// Whether that can follow the words of an event.
bool can_follow(std::string_view rest, EventKind kind) {
    switch (subject_of(kind)) {
        case Subject::NOTHING:
            return rest.empty();
        case Subject::COUNT:
            return is_count(rest);
        case Subject::TARGET:
            return rest.size() == 1 && is_digit(rest[0]);
        case Subject::VERDICT:
            return !rest.empty() && is_digit(rest[0]) &&
                   (rest.substr(1) == ": guilty" || rest.substr(1) == ": innocent");
        default:
            return !rest.empty() && rest.find('\n') == rest.npos;
    }
}

// An event taken apart: "SEAT VERBS REST (CARDS)". Nothing if it is none.
struct EventWords {
    int seat = NO_SEAT;
    EventKind kind{};
    std::string rest;
    std::optional<std::string> cards;
};

std::optional<EventWords> take_apart(std::string_view text) {
    EventWords words;
    if (text.size() > 2 && is_digit(text[0]) && text[1] == ' ') {
        words.seat = text[0] - '0';
        text.remove_prefix(2);
    }
    const auto verb =
        std::ranges::find_if(EVENT_VERBS, [&](const char* each) { return *each != '\0' && text.starts_with(each); });
    if (verb == std::end(EVENT_VERBS)) return {};
    words.kind = static_cast<EventKind>(verb - std::begin(EVENT_VERBS));
    text.remove_prefix(std::strlen(*verb));
    const std::size_t open = text.find('(');
    if (open != text.npos) {
        if (text.back() != ')') return {};
        words.cards = text.substr(open + 1, text.size() - open - 2);
        text = text.substr(0, open);
    }
    const bool is_spaced = text.empty() || text[0] == ' ';
    const bool has_brackets =
        text.find(')') != text.npos || (words.cards && words.cards->find_first_of("()") != text.npos);
    if (!is_spaced || has_brackets) return {};
    if (!text.empty()) text.remove_prefix(1);
    if (words.cards && text.ends_with(' ')) text.remove_suffix(1);
    words.rest = text;
    return words;
}

std::vector<std::pair<int, std::vector<u8>>> parse_hands(const EventWords& words) {
    if (!words.cards) return {};
    if (words.cards->find(':') == std::string::npos)
        return {{words.seat == NO_SEAT ? 0 : words.seat, parse_cards(*words.cards)}};
    std::vector<std::pair<int, std::vector<u8>>> hands;
    std::string_view left = *words.cards;
    for (bool is_last = false; !is_last;) {
        const std::size_t slash = left.find('/');
        is_last = slash == left.npos;
        const std::string_view part = left.substr(0, slash), own = strip(part);
        if (!is_last) left.remove_prefix(slash + 1);
        const std::string_view owner = own.substr(0, own.find(':'));
        if (owner.size() != 1 || !is_digit(owner[0]))
            fail(quote(part) + " is not a seat and its cards; expected one such as '0: r5 g1'");
        hands.emplace_back(owner[0] - '0',
                           parse_cards(std::string(own.substr(std::min(own.find(':') + 1, own.size())))));
    }
    return hands;
}

void read_subject(Event& event, const std::string& rest) {
    const auto set = [](u8& field, int value) { field = static_cast<u8>(value); };
    switch (subject_of(event.kind)) {
        case Subject::ACTION:
            return set(event.card, parse_action(rest));
        case Subject::CARD:
            return set(event.card, id_of_face(parse_card(rest)));
        case Subject::COLOR:
            return set(event.card, parse_color(rest));
        case Subject::COUNT:
            return set(event.other, std::stoi(rest));
        case Subject::TARGET:
            return set(event.other, rest[0] - '0');
        case Subject::VERDICT:
            set(event.other, rest[0] - '0');
            return set(event.card, rest.ends_with("guilty"));
        case Subject::NOTHING:
            return;
    }
}

}  // namespace

std::size_t end_of_event(const std::vector<Event>& events, std::size_t first) {
    std::size_t last = first + 1;
    while (last < events.size() && is_private_card(events[last])) ++last;
    return last;
}

std::size_t count_told(const std::vector<Event>& events) {
    return static_cast<std::size_t>(
        std::ranges::count_if(events, [](const Event& each) { return !is_private_card(each); }));
}

ToldEvent tell_event(const std::vector<Event>& events, std::size_t first, int observer) {
    ToldEvent told{events[first], {}};
    const auto hand_of = [&](int seat) -> std::vector<u8>& {
        for (auto& [owner, hand] : told.hands) {
            if (owner == seat) return hand;
        }
        return told.hands.emplace_back(seat, std::vector<u8>()).second;
    };
    const std::size_t last = end_of_event(events, first);
    for (std::size_t i = first + 1; i < last; ++i)
        hand_of(events[i].seat).push_back(static_cast<u8>(face_of(events[i].card)));
    const bool was_shown = observer == TRUTH || observer == told.event.seat;
    if (told.event.kind == EventKind::CHALLENGED && was_shown) (void)hand_of(told.event.seat);
    return told;
}

std::string format_event(const ToldEvent& told) {
    const Event& event = told.event;
    std::string text = has_seat(event.kind) ? std::to_string(event.seat) + " " : "";
    text += EVENT_VERBS[static_cast<int>(event.kind)];
    text += show_subject(event);
    if (told.hands.empty()) return text;
    const char* separator = " (";
    for (const auto& [seat, hand] : told.hands) {
        text += separator;
        if (told.hands.size() > 1) text += std::to_string(seat) + ": ";
        text += format_cards(hand);
        separator = " / ";
    }
    return text + ")";
}

ToldEvent parse_event(const Json& line) {
    const std::string& text = line.text;
    const auto refuse = [&](const std::string& why) { fail(quote(line) + " is not an event; " + why); };
    const std::optional<EventWords> words = line.is_text() ? take_apart(strip(text)) : std::nullopt;
    if (!words) refuse("expected one such as '0 plays r5' or '1 draws 2'");
    const EventKind kind = words->kind;
    const std::string verb = "'" + std::string(EVENT_VERBS[static_cast<int>(kind)]) + "'";
    if ((words->seat != NO_SEAT) != has_seat(kind)) refuse(verb + " needs " + (has_seat(kind) ? "a seat" : "no seat"));
    if (!can_follow(words->rest, kind)) refuse(quote(words->rest) + " cannot follow " + verb);
    if (subject_of(kind) == Subject::COUNT && std::stoi(words->rest) > 255)
        fail(quote(text) + " counts more cards than there are");
    ToldEvent told;
    told.event = {kind, static_cast<u8>(words->seat == NO_SEAT ? 0 : words->seat), 0, 0};
    read_subject(told.event, words->rest);
    told.hands = parse_hands(*words);
    const Subject subject = subject_of(kind);
    if (subject == Subject::ACTION && !is_play(told.event.card))
        refuse(ACTION_NAMES[told.event.card] + std::string(" is not a card to play"));
    if (subject == Subject::COUNT && told.hands.size() == 1) {
        const std::size_t named = told.hands[0].second.size();
        const std::string count = std::to_string(std::stoi(words->rest));
        if (std::to_string(named) != count) refuse("it names " + std::to_string(named) + " cards, not " + count);
    }
    if (takes_own_cards(kind) && !told.hands.empty() && told.hands[0].first != words->seat)
        refuse("the cards of " + verb + " are its own seat's");
    const bool takes_cards = takes_own_cards(kind) || kind == EventKind::SWAPPED || kind == EventKind::HANDS_PASSED;
    if (!told.hands.empty() && !takes_cards) refuse(verb + " takes no cards");
    return told;
}

ToldEvent read_event(const Json& event) {
    const FailingAt here("history: ");
    if (event.kind != Json::Kind::OBJECT) return parse_event(event);
    const Fields fields(event, "an event");
    const std::optional<int> kind = find_word(EVENT_NAMES, fields.get("kind"));
    if (!kind || *EVENT_NAMES[*kind] == '\0') fail("kind must be that of an event, not " + quote(fields.get("kind")));
    ToldEvent told;
    told.event.kind = static_cast<EventKind>(*kind);
    if (has_seat(told.event.kind)) told.event.seat = static_cast<u8>(fields.integer("seat", 0, 0, MAX_SEATS - 1));
    const auto words = [&](const char* name) -> const std::string& { return event.words(name); };
    const Subject subject = subject_of(told.event.kind);
    if (subject == Subject::ACTION) told.event.card = static_cast<u8>(parse_action(words("action")));
    if (subject == Subject::ACTION && !is_play(told.event.card)) fail(words("action") + " is not a card to play");
    if (subject == Subject::CARD) told.event.card = id_of_face(parse_card(words("card")));
    if (subject == Subject::COLOR) told.event.card = static_cast<u8>(parse_color(words("color")));
    if (subject == Subject::COUNT)
        told.event.other = static_cast<u8>(require_whole("count", fields.get("count"), 0, 255));
    if (subject == Subject::TARGET || subject == Subject::VERDICT)
        told.event.other = static_cast<u8>(require_whole("target", fields.get("target"), 0, MAX_SEATS - 1));
    if (subject == Subject::VERDICT) told.event.card = fields.get("guilty").flag;
    for (const auto& [seat, cards] : fields.get("hands").members) {
        std::vector<u8> hand;
        for (const Json& card : cards.list) hand.push_back(static_cast<u8>(parse_card(card.text)));
        if (seat.size() != 1 || !is_digit(seat[0])) fail("hands must be by seat, not " + quote(seat));
        told.hands.emplace_back(seat[0] - '0', std::move(hand));
    }
    return told;
}

void append_event(std::vector<Event>& to, const ToldEvent& told) {
    to.push_back(told.event);
    const EventKind card = told.event.kind == EventKind::CHALLENGED ? EventKind::SHOWN : EventKind::GOT;
    for (const auto& [seat, hand] : told.hands) {
        for (const u8 face : hand) to.push_back({card, static_cast<u8>(seat), 0, id_of_face(face)});
    }
}

Json list_history(const std::vector<Event>& events, int observer, std::size_t from) {
    Json::List history;
    std::size_t number = 0;
    for (std::size_t first = 0; first < events.size(); first = end_of_event(events, first)) {
        if (number++ >= from) history.emplace_back(format_event(tell_event(events, first, observer)));
    }
    return history;
}

Json describe_event(const ToldEvent& told) {
    const Event& event = told.event;
    Json::Object described;
    const auto add = [&](const char* name, Json value) { described.emplace_back(name, std::move(value)); };
    add("kind", EVENT_NAMES[static_cast<int>(event.kind)]);
    add("seat", has_seat(event.kind) ? Json(event.seat) : Json());
    const Subject subject = subject_of(event.kind);
    if (subject == Subject::ACTION) add("action", ACTION_NAMES[event.card]);
    if (subject == Subject::CARD) add("card", CARD_NAMES[face_of(event.card)]);
    if (subject == Subject::COLOR) add("color", COLOR_LETTERS[event.card]);
    if (subject == Subject::COUNT) add("count", event.other);
    if (subject == Subject::TARGET || subject == Subject::VERDICT) add("target", event.other);
    if (subject == Subject::VERDICT) add("guilty", event.card != 0);
    if (told.hands.empty()) return described;
    Json::Object hands;
    for (const auto& [seat, hand] : told.hands) hands.emplace_back(std::to_string(seat), name_faces(hand));
    add("hands", std::move(hands));
    return described;
}

bool is_deed(EventKind kind) { return has_seat(kind) && kind != EventKind::DEALT && kind != EventKind::PASSED; }

}  // namespace lastcard
