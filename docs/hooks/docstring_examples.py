"""Doctests in docstrings are shown as code: each block of them is fenced before the docstring is read as Markdown."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

_BLOCK: Final = re.compile(r"^ *>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


class DocstringExamples(Extension):
    """An extension of griffe, which reads the docstrings."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Fences the doctests of a docstring."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(text: str) -> str:
    """The text with its doctests, each up to the next empty line, fenced."""
    return _BLOCK.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
