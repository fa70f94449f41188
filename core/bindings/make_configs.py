"""Writes the options of beliefs and searches as dataclasses: `make_configs.py FILE`, where `_core` can be imported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import _core

HEAD = '''"""The options of beliefs and searches: made from the tables in core/search when the core is built."""

from dataclasses import dataclass
from typing import Any, ClassVar

from lastcard import _core
from lastcard.options import Options, option'''


def name_config(record: type[Any]) -> str:
    """Returns the name of the dataclass for a record of the core."""
    return record.__name__.replace("Settings", "Config")


def format_config(record: Any) -> str:
    """Returns the source of the dataclass, each option with its default and help."""
    lines = ["@dataclass(frozen=True)", f"class {name_config(record)}(Options):", f'    """{record.__doc__}"""', ""]
    lines.append(f"    RECORD: ClassVar[Any] = _core.{record.__name__}")
    for name, (default, limits, told) in record.OPTIONS.items():
        is_record = isinstance(limits, type)
        kind = name_config(limits) if is_record else type(default).__name__
        value = f"{kind}()" if is_record else repr(default)
        lines += [f"    {name}: {kind} = option({value}, {told!r})", f'    """{told}"""']
    return "\n".join(lines)


records = [each for each in vars(_core).values() if hasattr(each, "OPTIONS")]
Path(sys.argv[1]).write_text("\n\n\n".join([HEAD, *map(format_config, records)]) + "\n", encoding="utf-8")
