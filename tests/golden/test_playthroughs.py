"""The playthroughs: whole rounds, every ply with all that can be said of it, as they were when last looked over."""

import pytest

from lastcard.rules import PRESETS
from tests.golden.make_playthroughs import playthrough
from tests.golden.seeded import HERE


@pytest.mark.parametrize("preset", PRESETS)
def test_a_round_goes_as_written(preset: str) -> None:
    """Run `python -m tests.golden.make_playthroughs` after an intended change, and read the difference."""
    expected = (HERE / f"playthrough_{preset}.txt").read_text(encoding="utf-8")
    for number, (now, then) in enumerate(zip(playthrough(preset).splitlines(), expected.splitlines(), strict=False), 1):
        assert now == then, f"line {number}"
    assert playthrough(preset) == expected


def test_the_rounds_show_what_the_rules_are_about() -> None:
    whole = {preset: (HERE / f"playthrough_{preset}.txt").read_text(encoding="utf-8") for preset in PRESETS}
    for words in ("challenges", "guilty", "innocent", "catches", "calls uno", "accepts"):
        assert words in whole["tournament"] + whole["house"], words
    for words in ("jumps in", "swaps with", "hands pass", "passes"):
        assert words in whole["house"], words
    assert any("; reshuffled" in text for text in whole.values())
    for preset, text in whole.items():
        assert text.startswith(f"rules {preset}"), preset
        assert text.count("\nply ") > 3
        assert "outcome" in text
