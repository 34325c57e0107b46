"""The files and the metadata of the package."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "soundstage_sandbox"
EARLIEST = 315532800
"""1980, the first time that a zip file can have: the time of every file unless SOURCE_DATE_EPOCH is set."""


def epoch() -> int:
    """Return the time of every file in the archives."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdecimal():
        raise SystemExit(f"SOURCE_DATE_EPOCH must be a number of seconds (got {given!r}).")
    return max(int(given or 0), EARLIEST)


def zip_time() -> "tuple[int, int, int, int, int, int]":
    """Return the same time as zip files have it."""
    t = time.gmtime(epoch())
    return t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec


def sources() -> List[Path]:
    """Return the modules of the package, without what a build or a run left there."""
    folder = ROOT / PACKAGE
    return sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".typed") and "__pycache__" not in p.parts)


def licences() -> List[Path]:
    """Return the licence, and the list of licences of what the program contains. A checkout has them in other folders than an sdist."""
    here = [ROOT / "LICENSE", ROOT / "licences.md"]
    return here if here[0].exists() else [ROOT.parent.parent / "LICENSE", ROOT.parent.parent / "docs" / "licences.md"]


def metadata() -> Tuple[str, str]:
    """Return the files METADATA and entry_points.txt. An sdist has both; in a checkout, they come from pyproject.toml."""
    if (ROOT / "PKG-INFO").exists():
        return (ROOT / "PKG-INFO").read_text(encoding="utf-8"), (ROOT / "entry_points.txt").read_text(encoding="utf-8")
    if sys.version_info < (3, 11):
        raise SystemExit("Building from a checkout needs Python 3.11 or newer. Build from the sdist instead.")
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return _core(project), _entry_points(project)


def version() -> str:
    """Return the version of the package."""
    return next(line for line in metadata()[0].splitlines() if line.startswith("Version: ")).split(" ", 1)[1]


def _core(project: Dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"Author: {', '.join(author['name'] for author in project['authors'])}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {path.name}" for path in licences()),
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {dependency}" for dependency in project["dependencies"]),
        *(f"Project-URL: {label}, {url}" for label, url in project["urls"].items()),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text(encoding="utf-8")


def _entry_points(project: Dict[str, Any]) -> str:
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items()) for group, entries in groups.items()
    )
