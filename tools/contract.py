"""Writes the page's types from the server's models: `python tools/contract.py`, which `make frontend` runs."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, TypeAdapter

from lastcard.web import contract
from lastcard.web.contract.base import Input, Output
from lastcard.web.contract.messages import ClientMessage, ServerMessage

TARGET: Final = Path(__file__).parents[1] / "frontend" / "src" / "lib" / "contract.ts"
HEAD: Final = """/**
 * What travels between the server and this page; docs/reference/web-api.md describes it.
 *
 * Made by tools/contract.py from the models in src/lastcard/web/contract: change those and run `make frontend`.
 */
"""
_SIMPLE: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def make_types() -> str:
    """The file as it should be."""
    _, schema = TypeAdapter.json_schemas(list(_inputs()), ref_template="{model}")
    definitions: dict[str, Any] = schema["$defs"]
    return HEAD + "".join("\n" + _declare(name, definitions[name]) for name in sorted(definitions))


def _inputs() -> Iterator[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]]:
    """Every model of the contract, as clients write it or as the server does."""
    for module in pkgutil.iter_modules(contract.__path__, f"{contract.__name__}."):
        for name, model in vars(importlib.import_module(module.name)).items():
            if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module.name:
                if issubclass(model, Input) and model is not Input:
                    yield name, "validation", TypeAdapter(model)
                elif issubclass(model, Output) and model is not Output:
                    yield name, "serialization", TypeAdapter(model)
    yield "ClientMessage", "validation", TypeAdapter(ClientMessage)
    yield "ServerMessage", "serialization", TypeAdapter(ServerMessage)


def _declare(name: str, schema: Mapping[str, Any]) -> str:
    name = _name(name)
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    required = schema.get("required", ())
    lines = [_comment(schema), f"export interface {name} {{\n"]
    for field, value in schema["properties"].items():
        mark = "" if field in required else "?"
        lines += [_comment(value, "  "), f"  {field}{mark}: {_type(value)};\n"]
    return "".join([*lines, "}\n"])


def _comment(schema: Mapping[str, Any], indent: str = "") -> str:
    text = schema.get("description")
    return f"{indent}/** {text} */\n" if text else ""


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(map(_type, schema[several])))  # integers and numbers are one type there
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(_type, schema['prefixItems']))}]"
        items = _type(schema["items"])
        return f"({items})[]" if "|" in items else f"{items}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return _SIMPLE[schema["type"]]


def _name(name: str) -> str:
    """A name without the dash that pydantic puts between a model and its mode."""
    return re.sub(r"\W", "", name)


if __name__ == "__main__":
    TARGET.write_text(make_types(), encoding="utf-8")
