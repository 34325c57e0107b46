"""The platforms that a wheel can be for, and the tags that the program's file proves."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import List

PLATFORMS = ("linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64")

_LINUX = {"amd64": ("x86_64", 62), "arm64": ("aarch64", 183)}
_DARWIN = {"amd64": ("x86_64", 0x01000007), "arm64": ("arm64", 0x0100000C)}
_WINDOWS = {"amd64": ("win_amd64", 0x8664), "arm64": ("win_arm64", 0xAA64)}
_INTERPRETER = 3  # of program headers of ELF: the dynamic linker, which is the system's
_BUILD_VERSION = 0x32  # of load commands of Mach-O: the oldest system


class WrongProgram(Exception):
    """A file isn't a program for the platform."""


def program(cross: Path, platform: str) -> Path:
    """Return where `make cross` writes the program for a platform."""
    return cross / platform / ("soundstage.exe" if platform.startswith("windows/") else "soundstage")


def tags(platform: str, path: Path) -> List[str]:
    """Return the platform tags of a wheel with the program. Raise WrongProgram if they would promise too much."""
    if platform not in PLATFORMS:
        raise WrongProgram(f"{platform!r} is none of the platforms {', '.join(PLATFORMS)}.")
    system, _, cpu = platform.partition("/")
    raw = path.read_bytes()
    try:
        return {"linux": _linux, "darwin": _darwin, "windows": _windows}[system](raw, cpu)
    except (WrongProgram, struct.error) as error:
        raise WrongProgram(f"{path} is not a program for {platform}: {error}. Run make cross.") from error


def _linux(raw: bytes, cpu: str) -> List[str]:
    name, machine = _LINUX[cpu]
    if raw[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", raw, 18)[0] != machine:
        raise WrongProgram(f"it is not an ELF file for {name}")
    offset, size, count = *struct.unpack_from("<Q", raw, 32), *struct.unpack_from("<HH", raw, 54)
    if any(struct.unpack_from("<I", raw, offset + i * size)[0] == _INTERPRETER for i in range(count)):
        raise WrongProgram("it is linked to the C library of the system that built it")
    # A static program needs neither glibc nor musl, so both families of tags are true. These have the oldest versions that installers meet.
    return [f"manylinux_2_17_{name}", f"manylinux2014_{name}", f"musllinux_1_1_{name}"]


def _darwin(raw: bytes, cpu: str) -> List[str]:
    name, machine = _DARWIN[cpu]
    magic, kind = struct.unpack_from("<II", raw)
    if magic != 0xFEEDFACF or kind != machine:
        raise WrongProgram(f"it is not a Mach-O file for {name}")
    offset = 32
    for _ in range(struct.unpack_from("<I", raw, 16)[0]):
        command, size = struct.unpack_from("<II", raw, offset)
        if command == _BUILD_VERSION:
            oldest = struct.unpack_from("<I", raw, offset + 12)[0]
            return [f"macosx_{oldest >> 16}_{oldest >> 8 & 0xFF}_{name}"]
        offset += size
    raise WrongProgram("it doesn't say which macOS it needs")


def _windows(raw: bytes, cpu: str) -> List[str]:
    name, machine = _WINDOWS[cpu]
    header = struct.unpack_from("<I", raw, 60)[0]
    if raw[:2] != b"MZ" or raw[header : header + 4] != b"PE\0\0" or struct.unpack_from("<H", raw, header + 4)[0] != machine:
        raise WrongProgram(f"it is not a PE file for {name}")
    return [name]
