"""Generates the Python stubs of proto/ziggurat/v1: hatchling's build hook, and a script for `make proto`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    BuildHookInterface = object
else:
    try:
        from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    except ModuleNotFoundError:  # as a script, where only the generator is installed
        BuildHookInterface = object

ROOT = Path(__file__).resolve().parent.parent
INIT = '"""Stubs generated from proto/ziggurat/v1: not in version control, not to be edited."""\n'


class StubsHook(BuildHookInterface):
    """Brings the stubs up to date before each build, the editable one too."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        generate(ROOT)


def generate(root: Path) -> list[Path]:
    """Makes clients/python/ziggurat/v1 hold exactly what the protos say; without protos it does nothing."""
    protos = sorted((root / "proto" / "ziggurat" / "v1").glob("*.proto"))
    if not protos:
        return []
    target = root / "clients" / "python" / "ziggurat" / "v1"
    with tempfile.TemporaryDirectory() as scratch:
        compile_protos(root / "proto", protos, Path(scratch))
        made = Path(scratch) / "ziggurat" / "v1"
        (made / "__init__.py").write_text(INIT)
        return publish(made, target)


def compile_protos(include: Path, protos: list[Path], out: Path) -> None:
    """Runs protoc; its complaints go to standard error and a failure ends the build."""
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={include}"]
    command += [f"--{kind}_out={out}" for kind in ("python", "grpc_python", "pyi")]
    plugin = shutil.which("protoc-gen-mypy_grpc") or shutil.which(
        "protoc-gen-mypy_grpc", path=sysconfig.get_path("scripts")
    )
    if plugin is not None:
        command += [f"--plugin=protoc-gen-mypy_grpc={plugin}", f"--mypy_grpc_out=quiet:{out}"]
    if subprocess.run([*command, *map(str, protos)], check=False).returncode != 0:
        raise SystemExit("protoc refused proto/ziggurat/v1: see its message above")


def publish(made: Path, target: Path) -> list[Path]:
    """Moves each changed file into place in one step, so that a running import never sees half of one."""
    target.mkdir(parents=True, exist_ok=True)
    fresh = sorted(made.iterdir())
    for old in target.iterdir():
        if old.is_file() and not (made / old.name).exists():
            old.unlink()
    for file in fresh:
        place = target / file.name
        if place.exists() and place.read_bytes() == file.read_bytes():
            continue
        draft = target / f".{file.name}.{os.getpid()}"
        shutil.copyfile(file, draft)
        draft.replace(place)
    (target / "__init__.py").touch()
    return [target / file.name for file in fresh]


if __name__ == "__main__":
    files = generate(ROOT)
    print(
        f"{len(files)} files in clients/python/ziggurat/v1" if files else "no .proto files yet: nothing to do"
    )
