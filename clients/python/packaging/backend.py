"""The build backend (PEP 517 and 660), which pip calls for a checkout or the sdist. It needs only the standard library.

What it builds has no program: the package then uses SOUNDSTAGE_BINARY, or the program in PATH. The wheels with programs are written by
`clients/python/build`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Optional

import archives
from project import PACKAGE, ROOT

Settings = Optional[Dict[str, Any]]


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    """Write a wheel for every platform."""
    return archives.wheel(Path(wheel_directory), ["any"]).name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Write the source distribution."""
    return archives.sdist(Path(sdist_directory)).name


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    """Write a wheel that leads to this folder."""
    pointer = f"{ROOT}\n".encode()
    return archives.wheel(Path(wheel_directory), ["any"], extra={f"{PACKAGE}.pth": (pointer, 0o644)}).name
