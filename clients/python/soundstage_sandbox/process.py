"""Starts `soundstage serve`, and stops it."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .binary import find_binary, unusable
from .errors import StartFailed

__all__ = ["Process"]


class Process:
    """A running `soundstage serve`.

    Its standard input is a pipe from this process. The system closes the pipe when this process ends, even if it is killed, and then the
    sandbox stops.
    """

    def __init__(
        self,
        args: Sequence[str],
        *,
        binary: Union[None, str, "os.PathLike[str]"],
        port: int,
        timeout: float,
        env: Mapping[str, str],
    ) -> None:
        path = find_binary(binary)
        self._folder = tempfile.TemporaryDirectory(prefix="soundstage-")
        self._ready = Path(self._folder.name) / "ready.json"
        self._log = Path(self._folder.name) / "stderr.log"
        self._popen = self._start([str(path), *_flags(port, self._ready), *args], path, env)
        self._written = self._log.open("rb")
        self._last = ""
        atexit.register(self.stop)
        try:
            self.ready: Dict[str, Any] = self._wait(timeout)
        except BaseException:
            self.stop(timeout=1)
            raise
        if sys.platform != "win32":  # which keeps open files: then nothing is left if this process is killed
            self._folder.cleanup()

    def _start(self, command: List[str], path: Path, env: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        with self._log.open("wb") as log:
            try:
                return subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    env={**_environment(), **env},
                    # Ctrl-C is for the tests. They stop the sandbox when they have cleaned up.
                    start_new_session=sys.platform != "win32",
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )
            except OSError as error:
                self._folder.cleanup()
                raise unusable(path, error) from error

    def _wait(self, timeout: float) -> Dict[str, Any]:
        end = time.monotonic() + timeout
        while True:
            code = self._popen.poll()
            if self._ready.exists():  # it is written at once
                ready: Dict[str, Any] = json.loads(self._ready.read_text(encoding="utf-8"))
                return ready
            if code is not None:
                wrote = self.stderr()
                raise StartFailed(f"soundstage serve ended with exit code {code} before it was ready:\n{wrote}", code, wrote)
            if time.monotonic() > end:
                wrote = self.stderr()
                raise StartFailed(f"soundstage serve is not ready after {timeout:g} s. It wrote:\n{wrote or '(nothing)'}", None, wrote)
            time.sleep(0.002)

    def stderr(self) -> str:
        """Return the last 64 KiB of what the sandbox wrote to standard error."""
        if not self._written.closed:
            self._written.seek(max(0, self._written.seek(0, os.SEEK_END) - 65536))
            self._last = self._written.read().decode(errors="replace").strip()
        return self._last

    def died(self) -> Optional[int]:
        """Return the exit code after a request without a response, or None if it runs. The news of its end may come a moment after that."""
        try:
            return self._popen.wait(1)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, timeout: float = 10) -> None:
        """Close the sandbox's standard input, which stops it, and kill it if it takes too long. In a forked child, it goes on."""
        if self._written.closed:
            return
        atexit.unregister(self.stop)
        if self._popen.stdin is not None:
            self._popen.stdin.close()
        try:
            self._popen.wait(timeout)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self.stderr()
        self._written.close()
        self._folder.cleanup()


def _flags(port: int, ready: Path) -> List[str]:
    return ["serve", "--addr", f"127.0.0.1:{port}", "--ready-file", str(ready), "--log", "off", "--stop-on-eof"]


def _environment() -> Dict[str, str]:
    """Return this process's environment without the variables that are flags of the sandbox, so that a test is the same everywhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SOUNDSTAGE_")}
