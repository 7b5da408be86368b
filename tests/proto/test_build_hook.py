"""The stubs' generator on small trees of its own."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[2] / "proto" / "build_hook.py"
PROTO = """syntax = "proto3";
package ziggurat.v1;
message Ping {}
message Pong {}
service EchoService { rpc Echo(Ping) returns (Pong); }
"""


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_hook", SOURCE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    protos = tmp_path / "proto" / "ziggurat" / "v1"
    protos.mkdir(parents=True)
    (protos / "echo.proto").write_text(PROTO)
    return tmp_path


def stubs(tree: Path) -> list[str]:
    return sorted(file.name for file in (tree / "clients" / "python" / "ziggurat" / "v1").iterdir())


def test_stubs_with_types_become_a_package(hook: ModuleType, tree: Path) -> None:
    hook.generate(tree)
    names = ["__init__.py", "echo_pb2.py", "echo_pb2.pyi", "echo_pb2_grpc.py", "echo_pb2_grpc.pyi"]
    assert stubs(tree) == names


def test_unchanged_stubs_are_left_alone(hook: ModuleType, tree: Path) -> None:
    made = [file for file in hook.generate(tree) if file.name != "__init__.py"]
    before = [file.stat().st_mtime_ns for file in made]
    hook.generate(tree)
    assert [file.stat().st_mtime_ns for file in made] == before


def test_stubs_of_a_removed_proto_go(hook: ModuleType, tree: Path) -> None:
    hook.generate(tree)
    protos = tree / "proto" / "ziggurat" / "v1"
    (protos / "echo.proto").rename(protos / "other.proto")
    hook.generate(tree)
    assert "echo_pb2.py" not in stubs(tree) and "other_pb2.py" in stubs(tree)


def test_no_proto_is_no_error(hook: ModuleType, tmp_path: Path) -> None:
    assert hook.generate(tmp_path) == []
    assert not (tmp_path / "clients").exists()


def test_a_faulty_proto_fails_the_build_and_keeps_the_old_stubs(hook: ModuleType, tree: Path) -> None:
    hook.generate(tree)
    before = stubs(tree)
    (tree / "proto" / "ziggurat" / "v1" / "echo.proto").write_text("syntax = 'proto3'; message {")
    with pytest.raises(SystemExit, match="protoc refused"):
        hook.generate(tree)
    assert stubs(tree) == before
