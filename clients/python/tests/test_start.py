"""The start and the end of a sandbox, and what goes wrong then."""

import importlib.metadata
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from soundstage_sandbox import ApiError, BinaryError, ConnectionFailed, Sandbox, SoundstageError, StartFailed, __version__, find_binary, tone


def test_stops(tmp_path: Path) -> None:
    with Sandbox(f"--capsule={tmp_path / 'run.json'}") as sandbox:
        assert sandbox.health()["status"] == "ok"
        assert sandbox.pid is not None and alive(sandbox.pid)
    assert not alive(sandbox.pid)
    assert (tmp_path / "run.json").exists(), "it was stopped gracefully"
    sandbox.stop()
    assert "draining" in sandbox.stderr
    with pytest.raises(ConnectionFailed, match="refused"):
        sandbox.health()


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "os._exit(3)", "sys.exit()", "raise KeyError", "if os.fork(): os.waitpid(-1, 0)"])
def test_stops_when_its_process_ends(end: str, tmp_path: Path) -> None:
    code = f"import os, sys\nfrom soundstage_sandbox import Sandbox\ns = Sandbox()\nprint(s.pid, flush=True)\n{end}\n"
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, env=env)
    until = time.monotonic() + 30
    while alive(int(run.stdout)):
        assert time.monotonic() < until, "the sandbox outlived the process that started it"
        time.sleep(0.01)
    assert list(tmp_path.iterdir()) == [], "temporary files are left"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_forked_child_does_not_stop_it() -> None:
    with Sandbox() as sandbox:
        child = os.fork()
        if child == 0:
            sandbox.stop()
            os._exit(0)
        os.waitpid(child, 0)
        assert sandbox.health()["status"] == "ok"


def test_interrupt_is_for_the_tests() -> None:
    code = (
        "import os, signal\nfrom soundstage_sandbox import Sandbox\n"
        "with Sandbox() as s:\n  try:\n    os.killpg(0, signal.SIGINT)\n  except KeyboardInterrupt: print(s.health()['status'])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True, timeout=60)
    assert run.stdout == b"ok\n"


def test_environment_does_not_change_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOUNDSTAGE_CLOCK", "manual")
    monkeypatch.setenv("SOUNDSTAGE_DATA", str(tmp_path))
    with Sandbox() as sandbox:
        assert (sandbox.health()["clock"], sandbox.health()["ephemeral"]) == ("auto", True)
    with Sandbox(env={"SOUNDSTAGE_CLOCK": "manual"}) as sandbox:
        assert sandbox.health()["clock"] == "manual"


def test_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(BinaryError, match="of the argument binary is not a file"):
        Sandbox(binary=tmp_path / "nothing")
    monkeypatch.setenv("SOUNDSTAGE_BINARY", str(tmp_path))
    with pytest.raises(BinaryError, match="of SOUNDSTAGE_BINARY is not a file"):
        Sandbox()
    monkeypatch.delenv("SOUNDSTAGE_BINARY")
    monkeypatch.setattr("soundstage_sandbox.binary.__file__", str(tmp_path / "binary.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    script = tmp_path / "soundstage"
    script.write_text("#!/usr/bin/python3\n")  # the script of this package would start itself
    script.chmod(0o755)
    with pytest.raises(BinaryError, match="no program for .* set SOUNDSTAGE_BINARY"):
        Sandbox()
    script.write_bytes(b"\x7fELF")
    assert find_binary() == script


def test_program_of_another_platform(tmp_path: Path) -> None:
    other = tmp_path / "soundstage"
    other.write_bytes(b"\xcf\xfa\xed\xfe" + bytes(60))
    other.chmod(0o755)
    with pytest.raises(BinaryError, match="can't run on this machine, .* Exec format error. Install the wheel for this platform"):
        Sandbox(binary=other)
    run = subprocess.run(
        [sys.executable, "-m", "soundstage_sandbox", "version"], env={"SOUNDSTAGE_BINARY": str(other)}, capture_output=True, text=True
    )
    assert run.returncode == 127 and "can't run on this machine" in run.stderr


def test_port_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(StartFailed, match="in use by another program") as failed:
            Sandbox(port=taken.getsockname()[1])
    assert failed.value.exit_code == 4


def test_no_ffmpeg(tmp_path: Path) -> None:
    with pytest.raises(StartFailed, match="Install FFmpeg"):
        Sandbox(env={"PATH": str(tmp_path)})


def test_ffmpeg_optional(tmp_path: Path) -> None:
    with Sandbox("--ffmpeg-optional", env={"PATH": str(tmp_path)}) as sandbox:
        assert sandbox.world().transcribe(tone())["utterances"]


def test_wrong_flag() -> None:
    with pytest.raises(StartFailed, match="unknown flag: --nothing") as failed:
        Sandbox("--nothing")
    assert failed.value.exit_code == 2 and "--nothing" in failed.value.stderr


def test_program_that_is_never_ready(tmp_path: Path) -> None:
    slow = tmp_path / "soundstage"
    slow.write_text(f"#!/bin/sh\necho 'still thinking' >&2\necho $$ >{tmp_path / 'pid'}\nexec sleep 600\n")
    slow.chmod(0o755)
    with pytest.raises(StartFailed, match="not ready after 1 s. It wrote:\nstill thinking") as failed:
        Sandbox(binary=slow, timeout=1)
    assert failed.value.exit_code is None
    assert not alive(int((tmp_path / "pid").read_text()))


def test_sandbox_that_dies() -> None:
    with Sandbox() as sandbox:
        assert sandbox.pid is not None
        os.kill(sandbox.pid, signal.SIGKILL)  # its socket may accept the request before it has ended
        with pytest.raises(SoundstageError, match="has ended with exit code -9"):
            sandbox.world()


def test_connect() -> None:
    with Sandbox("--control-token=sesame") as sandbox:
        other = Sandbox.connect(sandbox.url, control_token="sesame")
        with other.world() as world:
            assert world.api.list_spaces()["count"] == 1
        other.stop()
        assert sandbox.health()["status"] == "ok"
        with pytest.raises(ApiError, match="token"):
            Sandbox.connect(sandbox.url).world()


@pytest.mark.parametrize("url", ["127.0.0.1:8765", "http://[::1", "http://localhost:port", "http://localhost:99999", "http://"])
def test_connect_to_no_address(url: str) -> None:
    with pytest.raises(SoundstageError, match="not an address"):
        Sandbox.connect(url)


def test_token_of_the_environment() -> None:
    with Sandbox(env={"SOUNDSTAGE_CONTROL_TOKEN": "sesame"}) as sandbox, sandbox.world() as world:
        assert world.api.list_spaces()["count"] == 1


def test_module_runs_the_program() -> None:
    run = subprocess.run([sys.executable, "-m", "soundstage_sandbox", "version"], capture_output=True, text=True)
    assert run.returncode == 0 and re.match(rf"soundstage {re.escape(__version__)}[+ ]", run.stdout), "the program has another version"
    assert importlib.metadata.version("soundstage-sandbox") == __version__
    wrong = subprocess.run([sys.executable, "-m", "soundstage_sandbox", "serve", "--nothing"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "unknown flag" in wrong.stderr


def alive(pid: int) -> bool:
    """Return whether a process runs. A zombie doesn't."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return sys.platform != "linux"
