"""The page's types are those of the server's models, and what the server sends fits them."""

from __future__ import annotations

from tools.contract import TARGET, make_types


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    assert TARGET.read_text(encoding="utf-8") == make_types(), "run make frontend"


def test_fields_that_had_drifted_are_there() -> None:
    types = make_types()
    [view] = [part for part in types.split("export ") if part.startswith("interface View ")]
    [seat] = [part for part in types.split("export ") if part.startswith("interface SeatOut ")]
    [entry] = [part for part in types.split("export ") if part.startswith("interface EventOut ")]
    assert "last_color: Color | null;" in view
    assert "level: string;" in seat
    assert "hands?: Record<string, string[]> | null;" in entry
