"""Documents of every kind, as they were frozen."""

import pytest

from lastcard.rules import PRESETS
from tests.golden.documents import KINDS, compare, list_documents, read_frozen


@pytest.mark.parametrize("kind", KINDS)
def test_documents_are_as_they_were(kind: str) -> None:
    """Run `python -m tests.golden.documents --write` after an intended change; its `--dump` shows the difference."""
    frozen = read_frozen()
    for preset in PRESETS:
        assert not list(compare(kind, preset, list_documents(kind, preset), frozen))
