"""Freezes documents of every kind in every preset: `python -m tests.golden.documents` says which are not as they were.

`--write` freezes them as they are now. `--dump FILE` writes every document to a file, one a line: `diff` it with the
dump of another build to see how they differ.
"""

import argparse
import dataclasses
import hashlib
import itertools
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lastcard as lc
from lastcard.actions import ACTIONS
from lastcard.advice import Situation
from lastcard.agents import make_agent
from lastcard.events import format_event, parse_event
from lastcard.observation import Observation, observe, spectate
from lastcard.record import parse_record
from lastcard.rules import PRESETS, Rules, describe_fields, format_rules, list_choices, parse_rules
from lastcard.search import HalvingConfig, IsmctsConfig, search_by_halving, search_by_ismcts
from lastcard.state import State, deal, format_state, parse_state
from lastcard.table import Table
from lastcard.web.finished.frames import make_frame
from lastcard.web.games.seating import SeatInfo
from lastcard.web.games.view import TableFacts, make_view
from tests.golden.seeded import HERE, Dice, play_on

NUM_EACH = 180
"""Documents of a kind in a preset: 10,080 in all."""
FROZEN = HERE / "documents.txt"
SAMPLE = HERE / "documents_sample.txt"
"""One of each kind, to be read."""
_SPOILS: tuple[object, ...] = (None, -1, 0, 3, 99, True, "x", "", "r5", "w+4", [], ["r5"], [7], {}, 0.5, 2**70)


def seed_of(number: int) -> int:
    """Small and of 256 bits, by turns."""
    return number if number % 2 else int.from_bytes(hashlib.sha256(str(number).encode()).digest(), "little")


def list_states(preset: str) -> Iterator[State]:
    """States of many rounds, from the deal to the end."""
    for number in itertools.count(1):
        rules = Rules.preset(preset)
        if number % 3 == 0 and preset != "mini":
            rules = rules.replace(players=2 + number % 4, scoring="lowest" if number % 2 else "winner")
        bots = [seat % 2 == number % 2 for seat in range(rules.players)]
        scores = [10 * number * seat for seat in range(rules.players)]
        state = deal(rules, seed_of(number), round_number=number, scores=scores, bots=bots)
        yield state
        dice = Dice(number)
        for ply, (_, _, after) in enumerate(play_on(state, dice)):
            if ply % 7 == number % 7 or after.is_over or (after.phase.value != "turn" and ply % 3 == 0):
                yield after


def observations(preset: str) -> Iterator[Observation]:
    """Observations of every seat."""
    for state in list_states(preset):
        yield from (observe(state, seat) for seat in range(state.rules.players))


def say(document: object) -> str:
    """A document as one line; the order of its fields counts."""
    return document if isinstance(document, str) else json.dumps(document)


def attempt(read: Callable[[Any], object], document: object) -> str:
    """Reads a document: returns the same again, or the refusal."""
    try:
        return say(read(document))
    except lc.LastcardError as error:
        return f"{type(error).__name__}: {error}"


def freeze_states(preset: str) -> Iterator[str]:
    """States as data and in one line, written and read again."""
    for state in list_states(preset):
        yield say(state.to_dict()) + say(State.from_dict(state.to_dict()).to_dict() == state.to_dict())
        yield format_state(state) + say(parse_state(format_state(state)) == state)


def freeze_observations(preset: str) -> Iterator[str]:
    """Observations written and read again."""
    for seen in observations(preset):
        yield say(seen.to_dict()) + say(Observation.from_dict(seen.to_dict()).to_dict() == seen.to_dict()) + str(seen)


def freeze_events(preset: str) -> Iterator[str]:
    """Histories of the truth, of seats and of spectators, written and read again."""
    for state in list_states(preset):
        seats = [observe(state, seat).history for seat in range(state.rules.players)]
        for history in (state.history, spectate(state).history, *seats):
            texts = [format_event(event) for event in history[-40:]]
            yield say(texts) + repr([parse_event(text) for text in texts][-3:])


def freeze_records(preset: str) -> Iterator[str]:
    """Records of a round and of games, finished or not, as text and as JSON lines, written and read again."""
    for number in itertools.count(1):
        table = Table(Rules.preset(preset), ["first_legal"] * Rules.preset(preset).players, seed=seed_of(number))
        dice = Dice(number)
        for _ in range(number % 3):
            while not table.state.is_over:
                table.apply(dice.pick(table.state.legal_actions))
            if table.game_outcome:
                break
            table.next_round()
        for _, action, _ in itertools.islice(play_on(table.state, dice), number % 50):
            table.apply(action)
        record = table.record if number % 5 else dataclasses.replace(table.record, seed=None, people=(0,))
        for text in (record.to_text(), record.to_json_lines()):
            yield text + say(parse_record(text) == record)


def table_facts(state: State, number: int) -> TableFacts:
    """A table around the state."""
    players = state.rules.players
    person = tuple(seat == number % players for seat in range(players))
    return TableFacts(
        game="key",
        length="game" if number % 2 else "round",
        seats=tuple(SeatInfo(f"N{seat}", "easy", "heuristic", person[seat]) for seat in range(players)),
        names=[f"Name {seat}" for seat in range(players)],
        held=person,
        open=tuple(seat == 0 for seat in range(players)),
        here=person if number % 5 else (False,) * players,
        connected=tuple(seat != 1 for seat in range(players)),
        is_gathering=number % 11 == 0,
        has_acted=number % 7 == 0,
        has_rematch=number % 9 == 0,
        deal_hash="hash",
        is_over=state.is_over,
        winner=state.outcome.winner if state.outcome else None,
        seed=state.seed if state.is_over else None,
        hands=tuple(state.hand(seat) for seat in range(players)) if state.is_over else None,
    )


def freeze_views(preset: str) -> Iterator[str]:
    """Views of seats and spectators, from the beginning or from an event on, and frames."""
    for number, state in enumerate(list_states(preset)):
        facts = table_facts(state, number)
        for seat in range(state.rules.players):
            seen = observe(state, seat)
            since = 5 + seen.num_events // 2 if number % 3 else 0
            yield say(make_view(seen, facts, earlier=5, since=since, deadline_seconds=1.234 if number % 4 else None))
            yield say(make_frame(seen, number, max(seen.num_events - 4, 0)))
        yield say(make_view(spectate(state), facts, earlier=3))


def freeze_reports(preset: str) -> Iterator[str]:
    """Reports of searches and choices, and situations."""
    for number, seen in enumerate(each for each in observations(preset) if each.legal_actions):
        budget = 8 + number % 9
        if number % 4 == 0:
            report = search_by_halving(seen, HalvingConfig(simulations=budget, hypotheses=16), seed=number)
        elif number % 4 == 1:
            report = search_by_ismcts(seen, IsmctsConfig(simulations=budget, hypotheses=16), seed=number)
        elif number % 4 == 2:
            agent: Any = make_agent(f"pomcp:simulations={budget},hypotheses=16", seed=number)
            report = agent.search(seen)
        else:
            yield make_agent("heuristic").choose(seen).text
            continue
        tree = [node.to_dict() for node in report.tree(3)]
        yield say(dataclasses.replace(report, seconds=0.0).to_dict()) + say(tree)
        if number % 8 == 0 and not seen.top_card.is_wild:
            sizes = ",".join(str(max(size, 1)) for size in seen.hand_sizes[1:])
            fields = {"hand": " ".join(card.text for card in seen.hand), "top": seen.top_card.text, "opponents": sizes}
            yield attempt(lambda given: Situation.parse(**given, rules=preset).to_dict(), fields)


def freeze_rules(preset: str) -> Iterator[str]:
    """Rules with other values, as data and text, written and read again, and what a page can offer."""
    yield say(describe_fields())
    names = ["players", "hand_size", "target_score", "max_plies", "deck", *list_choices(uno_penalty=(0, 2, 10))]
    choices: dict[str, Any] = {
        **list_choices(uno_penalty=(0, 2, 10)),
        **{"players": range(2, 12), "hand_size": (1, 7, 20, 51), "target_score": (1, 500, 10**7), "max_plies": (9, 80)},
        "deck": ("official", "numbers", "mini-bluff", "r5 r5 g1 g1 w w w+4 b2 b3", "r5 r5 r5"),
    }
    for number in itertools.count(1):
        dice = Dice(number)
        changes = {name: choices[name][dice.roll(len(choices[name]))] for name in names if dice.roll(4) == 0}

        def describe(given: dict[str, object]) -> str:
            rules = Rules.preset(preset, **given)
            again = parse_rules(format_rules(rules)) == rules == Rules.from_dict(rules.to_dict())
            return say(rules.to_dict()) + format_rules(rules) + repr(rules) + say(again)

        yield attempt(describe, changes)


def freeze_refusals(preset: str) -> Iterator[str]:
    """Illegal actions, and documents with one field spoiled."""
    for number, state in enumerate(list_states(preset)):
        dice = Dice(number)
        action = ACTIONS[dice.roll(len(ACTIONS))]
        yield attempt(lambda given: state.after(given).to_dict(), action)  # noqa: B023
        seen = observe(state, number % state.rules.players)
        documents: tuple[tuple[dict[str, object], Callable[[Any], object]], ...] = (
            (state.to_dict(), lambda given: State.from_dict(given).to_dict()),
            (seen.to_dict(), lambda given: Observation.from_dict(given).to_dict()),
            (state.rules.to_dict(), lambda given: Rules.from_dict(given).to_dict()),
        )
        for document, read in documents:
            name = list(document)[dice.roll(len(document))]
            spoiled = {**document, name: _SPOILS[dice.roll(len(_SPOILS))]}
            if dice.roll(9) == 0:
                del spoiled[name]
            yield f"{name}: {attempt(read, spoiled)}"
        line = format_state(state)
        at = dice.roll(len(line))
        yield attempt(lambda given: parse_state(given).to_dict(), line[:at] + "x r5 |:0"[dice.roll(8)] + line[at + 1 :])
        text = format_event(state.history[dice.roll(len(state.history))])
        at = dice.roll(len(text))
        yield attempt(lambda given: repr(parse_event(given)), text[:at] + "x r5(:0"[dice.roll(7)] + text[at + 1 :])
        if number % 10 == 0:
            record = Table(state.rules, ["random"] * state.rules.players, seed=number).play_round()
            text = record.to_text() if number % 20 else record.to_json_lines()
            at = dice.roll(len(text))
            yield attempt(lambda given: parse_record(given).to_text(), text[:at] + "x" + text[at + 1 :])


KINDS: dict[str, Callable[[str], Iterator[str]]] = {
    "states": freeze_states,
    "observations": freeze_observations,
    "events": freeze_events,
    "records": freeze_records,
    "views": freeze_views,
    "reports": freeze_reports,
    "rules": freeze_rules,
    "refusals": freeze_refusals,
}


def list_documents(kind: str, preset: str) -> list[str]:
    """The documents of a kind in a preset."""
    return list(itertools.islice(KINDS[kind](preset), NUM_EACH))


def digest(kind: str, preset: str, documents: list[str]) -> str:
    """One paragraph: the digest of all documents, then the first four digits of each one's own."""
    whole = hashlib.sha256("\n".join(documents).encode()).hexdigest()
    each = " ".join(hashlib.sha256(document.encode()).hexdigest()[:4] for document in documents)
    return f"{kind} {preset} {whole}\n" + textwrap.fill(each, width=119, initial_indent="  ", subsequent_indent="  ")


def compare(kind: str, preset: str, documents: list[str], frozen: dict[str, list[str]]) -> Iterator[str]:
    """Yields the documents that are not as they were."""
    words = digest(kind, preset, documents).split()
    then = frozen.get(f"{kind} {preset}", [])
    if words[2:] == then:
        return
    changed = [number for number in range(len(documents)) if words[3 + number : 4 + number] != then[1 + number :][:1]]
    yield f"{kind} {preset}: {len(changed)} of {len(documents)} differ: {' '.join(map(str, changed[:20]))}"
    yield f"  now number {changed[0]} is {documents[changed[0]][:2000]}" if changed else "  two have one short digest"


def read_frozen() -> dict[str, list[str]]:
    """The digests of each kind and preset: that of all documents first."""
    paragraphs = FROZEN.read_text(encoding="utf-8").split("\n\n")
    return {" ".join(words[:2]): words[2:] for words in map(str.split, paragraphs)}


def main() -> None:
    """Compares, or freezes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], help="only these kinds")
    parser.add_argument("--write", action="store_true", help="write what they are now")
    parser.add_argument("--dump", type=Path, help="write every document to this file")
    asked = parser.parse_args()
    kinds = asked.kinds or list(KINDS)
    found = {(kind, preset): list_documents(kind, preset) for kind in kinds for preset in PRESETS}
    if asked.dump:
        rows = [
            f"{kind} {preset} {i} {text!r}\n" for kind, preset in found for i, text in enumerate(found[kind, preset])
        ]
        asked.dump.write_text("".join(rows), encoding="utf-8")
    if asked.write:
        FROZEN.write_text("\n\n".join(digest(*key, texts) for key, texts in found.items()) + "\n", encoding="utf-8")
        SAMPLE.write_text("\n\n".join(f"{kind}\n{found[kind, 'house'][99]}" for kind in kinds) + "\n")
    frozen = read_frozen()
    complaints = [line for key, texts in found.items() for line in compare(*key, texts, frozen)]
    print("\n".join(complaints) or f"{sum(map(len, found.values())):,} documents are as they were")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
