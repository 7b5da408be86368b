"""TOML text of plain values: what an event file holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml_text(table: Mapping[str, Any]) -> str:
    """A document: plain keys first, then tables, then lists of tables."""
    return "\n".join(_lines(table, "")).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], prefix: str) -> list[str]:
    plain, tables = [], []
    for key, value in table.items():
        name = prefix + _key(key)
        if isinstance(value, Mapping):
            tables += ["", f"[{name}]", *_lines(value, f"{name}.")]
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for item in value:
                tables += ["", f"[[{name}]]", *_lines(item, f"{name}.")]
        else:
            plain.append(f"{_key(key)} = {_value(value)}")
    return plain + tables


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)
