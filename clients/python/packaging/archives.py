"""Writes wheels and the sdist. The same content gives the same bytes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from project import PACKAGE, ROOT, epoch, licences, metadata, sources, version, zip_time

Files = Dict[str, Tuple[bytes, int]]
"""Content and mode, by path in the archive."""


def wheel(folder: Path, tags: List[str], program: Optional[Path] = None, extra: Optional[Files] = None) -> Path:
    """Write a wheel with these platform tags, and return its path. Without a program, it works on every platform that has one."""
    files: Files = extra or {path.relative_to(ROOT).as_posix(): (path.read_bytes(), 0o644) for path in sources()}
    if program is not None:
        name = "soundstage.exe" if tags[0].startswith("win") else "soundstage"
        files[f"{PACKAGE}/bin/{name}"] = (program.read_bytes(), 0o755)
    info = f"{PACKAGE}-{version()}.dist-info"
    core, entry_points = metadata()
    files[f"{info}/METADATA"] = (core.encode(), 0o644)
    files[f"{info}/entry_points.txt"] = (entry_points.encode(), 0o644)
    files[f"{info}/WHEEL"] = (_wheel_file(tags, pure=program is None).encode(), 0o644)
    for path in licences():
        files[f"{info}/licenses/{path.name}"] = (path.read_bytes(), 0o644)
    files[f"{info}/RECORD"] = (_record(files, f"{info}/RECORD").encode(), 0o644)
    out = folder / f"{PACKAGE}-{version()}-py3-none-{'.'.join(tags)}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path_in, (content, mode) in files.items():
            entry = zipfile.ZipInfo(path_in, zip_time())
            entry.create_system = 3  # Unix, whose modes make the program executable
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return out


def sdist(folder: Path) -> Path:
    """Write the source distribution, and return its path. It has no program."""
    name = f"{PACKAGE}-{version()}"
    core, entry_points = metadata()
    files: Files = {"PKG-INFO": (core.encode(), 0o644), "entry_points.txt": (entry_points.encode(), 0o644)}
    for path in [ROOT / "README.md", ROOT / "pyproject.toml", *sorted((ROOT / "packaging").glob("*.py")), *sources()]:
        files[path.relative_to(ROOT).as_posix()] = (path.read_bytes(), 0o644)
    for path in licences():
        files[path.name] = (path.read_bytes(), 0o644)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path_in, (content, mode) in files.items():
            entry = tarfile.TarInfo(f"{name}/{path_in}")
            entry.size, entry.mode, entry.mtime = len(content), mode, epoch()
            archive.addfile(entry, io.BytesIO(content))
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"{name}.tar.gz"
    out.write_bytes(gzip.compress(raw.getvalue(), 9, mtime=epoch()))
    return out


def _wheel_file(tags: List[str], pure: bool) -> str:
    lines = ["Wheel-Version: 1.0", f"Generator: soundstage-sandbox {version()}", f"Root-Is-Purelib: {'true' if pure else 'false'}"]
    return "\n".join(lines + [f"Tag: py3-none-{tag}" for tag in tags]) + "\n"


def _record(files: Files, itself: str) -> str:
    lines = []
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{itself},,"]) + "\n"
