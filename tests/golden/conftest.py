"""Options of `make golden`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("golden playthroughs")
    group.addoption("--rewrite-golden", action="store_true", help="rewrite the golden playthroughs")
    group.addoption("--unreleased", action="store_true", help="also those whose rules_version is the same")
