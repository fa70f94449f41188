"""Sentences that the page makes of events: its own code, run by Node on what the server sends."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lastcard.events import EventKind, describe_event, parse_event

FRONTEND = Path(__file__).parents[2] / "frontend"
SENTENCES = {
    "0 is dealt 2 (r5 w)": "You are dealt 2 cards (red 5, Wild).",
    "1 is dealt 7": "Ada is dealt 7 cards.",
    "turned up yS": "Yellow Skip is turned up.",
    "reshuffled 20": "The discard pile is shuffled into a new draw pile.",
    "0 plays w+4:b": "You play Wild Draw Four and name blue.",
    "1 plays gR": "Ada plays green Reverse.",
    "1 jumps in r5": "Ada jumps in with red 5.",
    "0 draws 1 (b2)": "You draw a card (blue 2).",
    "1 draws 2": "Ada draws 2 cards.",
    "1 draws 0": "Ada has no card left to draw.",
    "1 keeps": "Ada keeps the drawn card.",
    "0 keeps": "You keep the card you drew.",
    "1 names g": "Ada names green.",
    "0 accepts 4": "You accept the 4 cards.",
    "1 calls uno": "Ada calls UNO.",
    "1 catches 0": "Ada catches you, who forgot to call UNO.",
    "0 challenges 1: guilty (r5)": "You challenge Ada: guilty (red 5).",
    "1 challenges 0: innocent": "Ada challenges you: innocent.",
    "0 passes": "You pass.",
    "1 swaps with 0 (0: r5 / 1: g1)": "Ada swaps hands with you (red 5).",
    "hands pass (0: r5 / 1: g1)": "Every hand moves to the next player (red 5).",
    "1 is skipped": "Ada is skipped.",
}

STUDY_SENTENCES = {
    "1 draws 2 (r5 w)": "Ben draws 2 cards (red 5, Wild).",
    "0 plays w:r": "Ada plays Wild and names red.",
    "1 swaps with 0 (0: r5 / 1: )": "Ben swaps hands with Ada (to Ada: red 5; to Ben: nothing).",
    "0 challenges 1: innocent ()": "Ada challenges Ben: innocent.",
}


def tell(events: Iterable[object], names: list[str], you: int | None) -> list[str]:
    """Returns the page's sentences for these events."""
    reader = json.dumps({"names": names, "you": you})
    program = f"""
        import {{ webcrypto }} from "node:crypto";
        globalThis.crypto ??= webcrypto;  // which Vite needs, and Node 18 does not have
        const {{ createServer }} = await import("vite");
        const server = await createServer({{ server: {{ middlewareMode: true, ws: false }}, logLevel: "error" }});
        const {{ tellEvent }} = await server.ssrLoadModule("/src/lib/narration.ts");
        const told = {json.dumps(list(events))}.map((event) => tellEvent(event, {reader}));
        await server.close();
        console.log(JSON.stringify(told));
    """
    node = ["node", "--input-type=module", "-"]
    told = subprocess.run(node, input=program, cwd=FRONTEND, capture_output=True, text=True, check=True).stdout
    said: list[str] = json.loads(told)
    return said


def test_an_event_is_a_sentence_for_its_reader() -> None:
    told = map(parse_event, SENTENCES)
    events = [describe_event(replace(each, hands=tuple(hand for hand in each.hands if hand[0] == 0))) for each in told]
    assert tell(events, ["You", "Ada"], 0) == list(SENTENCES.values())


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {parse_event(event).kind for event in SENTENCES} == set(EventKind)


def test_in_a_study_nobody_is_you_and_all_cards_that_were_seen_are_named() -> None:
    events = [describe_event(event) for event in map(parse_event, STUDY_SENTENCES)]
    assert tell(events, ["Ada", "Ben"], None) == list(STUDY_SENTENCES.values())
