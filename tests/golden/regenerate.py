"""`python -m tests.golden.regenerate [--unreleased]`: rewrite the playthroughs, like `make golden`."""

from __future__ import annotations

import sys

from tests.golden.playthrough import Golden, goldens, render, version_in


class NeedsBump(Exception):
    """Rewriting would change a playthrough though the rules version is the same."""


def rewrite(golden: Golden, unreleased: bool) -> bool:
    """Write a playthrough; whether it changed. `unreleased`: also where the rules version is the same."""
    lines = render(golden)
    old = golden.path.read_text().splitlines() if golden.path.exists() else None
    if old == lines:
        return False
    version = golden.game.rules_version
    if old is not None and version_in(old) == version and not unreleased:
        raise NeedsBump(
            f"{golden} changed but rules_version is still {version}: records would replay differently. "
            "Raise it in the game, or say --unreleased if no record of that version can exist."
        )
    golden.path.parent.mkdir(exist_ok=True)
    golden.path.write_text("\n".join(lines) + "\n")
    return True


def main() -> None:
    """Rewrite all; names what changed."""
    try:
        for golden in goldens():
            if rewrite(golden, "--unreleased" in sys.argv[1:]):
                print(golden)
    except NeedsBump as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
