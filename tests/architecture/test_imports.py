"""What the import contracts can't say: which outside packages are the only ones."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STANDARD = sys.stdlib_module_names
ALLOWED = {
    "server/ziggurat_rules": {"ziggurat_rules"} | STANDARD,
    "clients/python/ziggurat": {"ziggurat", "grpc", "google"} | STANDARD,
}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_a_pure_package_imports_only_what_it_may(package: str) -> None:
    strays = {
        (str(file.relative_to(ROOT)), name)
        for file in (ROOT / package).rglob("*.py")
        for name in imports(file)
        if name not in ALLOWED[package]
    }
    assert strays == set()
