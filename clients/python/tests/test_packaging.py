"""The archives that clients/python/build writes."""

import base64
import csv
import hashlib
import importlib
import io
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))

platforms: Any = importlib.import_module("platforms")

MACHO = struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 2, 2, 48, 0, 0) + struct.pack("<4I", 0x19, 16, 0, 0) + struct.pack("<6I", 0x32, 24, 1, 12 << 16, 0, 0)
PE = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", 0x8664) + bytes(18)


def elf(machine: int, *headers: int) -> bytes:
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0)
    return head + b"".join(struct.pack("<I", kind) + bytes(52) for kind in headers)


@pytest.mark.parametrize(
    "platform, content, want",
    [
        ("linux/amd64", elf(62, 1, 1), ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"]),
        ("linux/arm64", elf(183, 1), ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"]),
        ("darwin/arm64", MACHO, ["macosx_12_0_arm64"]),
        ("windows/amd64", PE, ["win_amd64"]),
    ],
)
def test_tags(tmp_path: Path, platform: str, content: bytes, want: "list[str]") -> None:
    program = tmp_path / "soundstage"
    program.write_bytes(content)
    assert platforms.tags(platform, program) == want


@pytest.mark.parametrize(
    "platform, content, why",
    [
        ("linux/amd64", elf(183, 1), "not an ELF file for x86_64"),
        ("linux/amd64", elf(62, 1, 3), "linked to the C library"),
        ("linux/amd64", b"\x7fELF\x02\x01", "not a program for linux/amd64"),
        ("darwin/amd64", MACHO, "not a Mach-O file for x86_64"),
        ("darwin/arm64", MACHO[:-24].replace(struct.pack("<I", 2) + struct.pack("<I", 48), struct.pack("<II", 1, 16)), "which macOS"),
        ("windows/arm64", PE, "not a PE file for win_arm64"),
        ("windows/amd64", b"", "not a program for windows/amd64"),
        ("plan9/amd64", b"", "none of the platforms"),
    ],
)
def test_wrong_program(tmp_path: Path, platform: str, content: bytes, why: str) -> None:
    program = tmp_path / "soundstage"
    program.write_bytes(content)
    with pytest.raises(platforms.WrongProgram, match=why):
        platforms.tags(platform, program)


def build(out: Path, *arguments: str, epoch: str = "1777890600") -> "list[Path]":
    """Run clients/python/build, and return what it wrote."""
    env = {"SOURCE_DATE_EPOCH": epoch, "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, str(ROOT / "build"), "--out", str(out), *arguments], check=True, capture_output=True, env=env)
    return sorted(out.iterdir())


@pytest.fixture
def cross(tmp_path: Path) -> Path:
    """Return a folder as make cross leaves it, with the beginning of a program for each platform."""
    folder = tmp_path / "cross"
    intel = MACHO.replace(struct.pack("<I", 0x0100000C), struct.pack("<I", 0x01000007))
    arm = PE.replace(struct.pack("<H", 0x8664), struct.pack("<H", 0xAA64))
    for platform, content in zip(platforms.PLATFORMS, [elf(62, 1), elf(183, 1), intel, MACHO, PE, arm]):
        program = platforms.program(folder, platform)
        program.parent.mkdir(parents=True)
        program.write_bytes(content)
    return folder


def test_archives(tmp_path: Path, cross: Path) -> None:
    made = build(tmp_path / "a", "--cross", str(cross))
    assert [path.suffix for path in made].count(".whl") == 6 and len(made) == 7
    assert [p.read_bytes() for p in made] == [p.read_bytes() for p in build(tmp_path / "b", "--cross", str(cross))], "not reproducible"
    for path in made:
        if path.suffix == ".whl":
            check_wheel(path)
    with tarfile.open(tmp_path / "a" / "soundstage_sandbox-0.1.0.tar.gz") as sdist:
        names = [name.split("/", 1)[1] for name in sdist.getnames()]
        assert {"PKG-INFO", "README.md", "LICENSE", "pyproject.toml", "packaging/backend.py", "soundstage_sandbox/py.typed"} <= set(names)
        assert not [name for name in names if "/bin/" in name or "__pycache__" in name]
        assert {member.mtime for member in sdist.getmembers()} == {1777890600}


def check_wheel(path: Path) -> None:
    name, version, python, abi, tags = path.stem.split("-")
    assert (name, version, python, abi) == ("soundstage_sandbox", "0.1.0", "py3", "none")
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        rows = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
        assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
        for entry, digest, size in rows[:-1]:
            content = wheel.read(entry)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert int(size) == len(content)
        assert rows[-1] == [f"{info}/RECORD", "", ""]
        lines = wheel.read(f"{info}/WHEEL").decode().splitlines()
        assert "Root-Is-Purelib: false" in lines
        assert [f"Tag: py3-none-{tag}" for tag in tags.split(".")] == [line for line in lines if line.startswith("Tag: ")]
        program = "soundstage_sandbox/bin/soundstage" + (".exe" if tags.startswith("win") else "")
        assert wheel.getinfo(program).external_attr >> 16 == 0o100755
        assert wheel.getinfo("soundstage_sandbox/py.typed").date_time == (2026, 5, 4, 10, 30, 0)
        assert b"soundstage = soundstage_sandbox.pytest_plugin" in wheel.read(f"{info}/entry_points.txt")
        assert f"{info}/licenses/LICENSE" in wheel.namelist()


def test_missing_program(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, str(ROOT / "build"), "--cross", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and "There is no program" in run.stderr and "Run make cross." in run.stderr


def test_sdist_builds_a_wheel_without_program(tmp_path: Path, cross: Path) -> None:
    build(tmp_path / "out", "--cross", str(cross))
    with tarfile.open(tmp_path / "out" / "soundstage_sandbox-0.1.0.tar.gz") as sdist:
        sdist.extractall(tmp_path)
    code = "import sys; sys.path.insert(0, 'packaging'); import backend; print(backend.build_wheel(sys.argv[1]))"
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=tmp_path / "soundstage_sandbox-0.1.0", capture_output=True, text=True, check=True
    )
    assert run.stdout == "soundstage_sandbox-0.1.0-py3-none-any.whl\n"
    with zipfile.ZipFile(tmp_path / run.stdout.strip()) as wheel:
        assert "Name: soundstage-sandbox" in wheel.read("soundstage_sandbox-0.1.0.dist-info/METADATA").decode()
        assert not [name for name in wheel.namelist() if "/bin/" in name]
