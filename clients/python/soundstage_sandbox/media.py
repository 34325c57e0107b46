"""Media to upload. The sandbox's transcriber hears speech in any sound, so a tone is enough."""

from __future__ import annotations

import array
import io
import math
import mimetypes
import os
import sys
import wave
from typing import Tuple, Union

__all__ = ["Media", "tone"]

Media = Union[bytes, str, "os.PathLike[str]"]
"""Bytes, or the path of a file."""

_RATE = 16000


def tone(seconds: float = 2.0, hertz: float = 220.0) -> bytes:
    """Return a WAV file with a tone."""
    if not 0 < seconds <= 3600:
        raise ValueError(f"seconds must be more than 0 and at most 3600 (got {seconds})")
    samples = array.array("h", (int(12000 * math.sin(2 * math.pi * hertz * i / _RATE)) for i in range(int(seconds * _RATE))))
    if sys.byteorder == "big":
        samples.byteswap()
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(samples.tobytes())
    return out.getvalue()


def load(media: Media, filename: str) -> Tuple[bytes, str, str]:
    """Return the bytes of media, their file name, and their MIME type."""
    if not isinstance(media, bytes):
        filename = filename or os.path.basename(media)
        with open(media, "rb") as file:
            media = file.read()
    filename = filename or "talk.wav"
    return media, filename, mimetypes.guess_type(filename)[0] or "application/octet-stream"
