"""Writes the playthroughs: for each preset one whole round, every ply with all that can be said of it.

python -m tests.golden.make_playthroughs
"""

import textwrap
from collections.abc import Iterator

from lastcard.cards import format_cards
from lastcard.events import format_event
from lastcard.observation import Observation, observe
from lastcard.rules import PRESETS, Rules, format_rules
from lastcard.state import State, deal, deck_order
from tests.golden.seeded import HERE, Dice, play_on

# Rounds in which as much happens as a round can hold.
SEEDS = {"official": 2976, "family": 790, "tournament": 1471, "house": 745, "study": 927, "numbers": 26, "mini": 2}


def indented(label: str, text: str) -> str:
    """One labeled paragraph."""
    return textwrap.fill(
        f"{label:8}{text}",
        width=118,
        initial_indent="  ",
        subsequent_indent=" " * 10,
        break_long_words=False,
        break_on_hyphens=False,
    ).rstrip()


def describe(state: State) -> Iterator[str]:
    """The truth."""
    color, last, drawn, outcome = state.active_color, state.last_color, state.drawn_card, state.outcome
    yield indented(
        "state",
        f"seat {state.seat}, {state.phase.value}, top {state.top_card}, color {color and color.word}, before that"
        f" {last and last.word}, direction {state.direction}, sum {state.draw_sum}, drawn {drawn},"
        f" last actor {state.last_actor}, declared {list(state.declared_uno)}, stuck {state.stuck_passes},"
        f" pending {state.command_pending}, reshuffles {state.reshuffles}, scores {list(state.scores)}",
    )
    for seat in range(state.rules.players):
        yield indented(f"hand {seat}", format_cards(state.hand(seat)))
    yield indented("pile", f"{len(state.draw_pile)}, on top {format_cards(state.draw_pile[-3:])}")
    if outcome:
        yield indented("outcome", f"{outcome.to_dict()}")


def told(observation: Observation) -> Iterator[str]:
    """Yields a seat's view, without the legal actions and the events, which are printed below."""
    facts = observation.facts()
    facts["discards"] = observation.discards[-3:] and format_cards(observation.discards[-3:])
    facts["hand"] = format_cards(observation.hand)
    del facts["legal_actions"]
    yield indented("sees", ", ".join(f"{name} {value}" for name, value in facts.items()))


def playthrough(preset: str) -> str:
    """The round as text."""
    rules, seed = Rules.preset(preset), SEEDS[preset]
    state = deal(rules, seed)
    lines = [f"rules {format_rules(rules)}, seed {seed}", indented("deck", format_cards(deck_order(rules, seed)))]
    lines += [indented("events", "; ".join(map(format_event, state.history)))]
    heard = [0] * rules.players
    for before, action, after in play_on(state, Dice(seed)):
        seat = before.seat
        assert seat is not None
        seen = observe(before, seat)
        lines += ["", f"ply {before.ply}", *describe(before)]
        lines.append(indented("legal", " ".join(map(str, before.legal_actions))))
        lines += told(seen)
        lines.append(indented("hears", "; ".join(map(format_event, seen.history[heard[seat] :]))))
        heard[seat] = len(seen.history)
        lines.append(indented("action", str(action)))
        lines.append(indented("events", "; ".join(map(format_event, after.history[len(before.history) :]))))
        state = after
    lines += ["", f"ply {state.ply}", *describe(state)]
    for seat in range(rules.players):
        lines += told(observe(state, seat))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in PRESETS:
        path = HERE / f"playthrough_{name}.txt"
        path.write_text(playthrough(name), encoding="utf-8")
        print(f"{path.name}: {path.read_text(encoding='utf-8').count('ply ')} plies")
