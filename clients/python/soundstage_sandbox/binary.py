"""Finds the program `soundstage`, which the wheels contain."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Optional, Union

from .errors import BinaryError

__all__ = ["VARIABLE", "find_binary", "unusable"]

VARIABLE = "SOUNDSTAGE_BINARY"
"""Environment variable with the path of another program."""


def find_binary(binary: Union[None, str, "os.PathLike[str]"] = None) -> Path:
    """Return the path of the program: the argument, or else SOUNDSTAGE_BINARY, or else the wheel's, or else one in PATH."""
    for named, source in ((binary, "the argument binary"), (os.environ.get(VARIABLE), VARIABLE)):
        if named:
            path = Path(named)
            if not path.is_file():
                raise BinaryError(f"{path} of {source} is not a file. Set it to the program soundstage.")
            return path
    name = "soundstage.exe" if sys.platform == "win32" else "soundstage"
    path = Path(__file__).parent / "bin" / name
    if path.is_file():
        return path
    found = _in_path(name)
    if found is None:
        raise BinaryError(
            f"This installation of soundstage-sandbox has no program for {_machine()}, and there is none in PATH. "
            f"Install a wheel for this platform, or set {VARIABLE} to a program that you downloaded or built "
            "(go install github.com/soundstage-dev/soundstage/cmd/soundstage@latest)."
        )
    return found


def unusable(path: Path, error: OSError) -> BinaryError:
    """Return the error for a program that the system refuses to run."""
    return BinaryError(
        f"{path} can't run on this machine, {_machine()}: {error.strerror or error}. "
        f"Install the wheel for this platform, or set {VARIABLE} to a program for it."
    )


def _in_path(name: str) -> Optional[Path]:
    """Return the program in PATH, unless that is the script of this package, which would start itself."""
    found = shutil.which(name)
    if found is None:
        return None
    path = Path(found)
    with path.open("rb") as file:
        return None if file.read(2) == b"#!" else path


def _machine() -> str:
    return f"{platform.system()} {platform.machine()}"
