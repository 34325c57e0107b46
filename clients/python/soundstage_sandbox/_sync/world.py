# Copied from _async without async and await by clients/python/generate; don't edit.
"""A world: an isolated service in the sandbox, with its own data, clock, secrets, faults, and logs."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Optional, Type, TypeVar, Union

from .._wire import Address, Request, decode
from ..errors import ApiError, TimedOut
from ..media import Media, load
from ..types import control as c
from ..types import v1 as t
from .clock import Clock
from .control import Control
from .faults import Faults
from .http import send
from .requests import Requests
from .transcripts import Transcripts
from .v1 import Api
from .webhooks import Webhooks

__all__ = ["World"]

Self = TypeVar("Self", bound="World")

Fixture = Union[str, Dict[str, Any], "os.PathLike[str]"]
"""YAML text, the same as a dict, or the path of a file."""


class World:
    """An isolated service in the sandbox. As a context manager, it is deleted at the end."""

    def __init__(self, address: Address, state: c.World) -> None:
        self.address = address
        self.state = state
        self.name = state["world"]
        self.url = address.url
        """Base URL of `/v1`, for the program under test."""
        self.secrets = state["secrets"]
        """The secrets by tier: none, core, automation, and platform; `other` is a second user's."""
        self.control = Control(address.url, address.control_headers(self.name))
        """Every operation of the control API."""
        self.clock = Clock(self.control)
        self.faults = Faults(self.control)
        self.requests = Requests(self.control)
        self.webhooks = Webhooks(self.control)
        self.api = self.api_as("platform")
        """Every operation of `/v1`, with the secret of the highest tier."""
        # The waits of this package are not in the log, and no fault hits them: both are for the program under test.
        observer = Api(self.url, {"Authorization": "Bearer " + self.secret, "X-Soundstage-Observer": "test"})
        self.transcripts = Transcripts(self.api, observer, self.control)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} of {self.url}>"

    @property
    def secret(self) -> str:
        """The secret of the highest tier, for the program under test."""
        return self.secrets["platform"]

    def api_as(self, who: str) -> Api:
        """Return a client of `/v1` with another of the `secrets`."""
        if who not in self.secrets:
            raise ValueError(f"{who!r} is none of the secrets of this world: {', '.join(self.secrets)}")
        return Api(self.url, {"Authorization": "Bearer " + self.secrets[who]})

    def apply_fixture(self, fixture: Fixture) -> c.Applied:
        """Apply a fixture: spaces, recordings, words of media, URLs, and timelines of jobs."""
        if isinstance(fixture, os.PathLike):
            fixture = Path(fixture).read_text(encoding="utf-8")
        return self.control.apply_fixture(fixture)

    def upload(self, media: Media, *, filename: str = "") -> str:
        """Upload media, and return the ID of the object. Bytes without a file name are `talk.wav`."""
        raw, filename, kind = load(media, filename)
        made = self.api.create_upload({"filename": filename, "content_type": kind, "content_size": len(raw)})
        request = Request("PUT", made["upload_url"], {"Content-Type": kind}, raw)
        decode(request, send(request, self.api.timeout), "bytes")
        return made["object_id"]

    def record(
        self, media: Media, *, filename: str = "", title: Optional[str] = None, language: Optional[str] = None
    ) -> t.Recording:
        """Upload media, and create a recording from it. Its transcription begins, and nobody waits for its end."""
        wanted: t.NewRecording = {"object_id": self.upload(media, filename=filename)}
        if title is not None:
            wanted["title"] = title
        if language is not None:
            wanted["language"] = language
        made = self.api.create_recording(wanted)
        return made["recording"]

    def transcribe(
        self,
        media: Media,
        *,
        filename: str = "",
        title: Optional[str] = None,
        language: Optional[str] = None,
        timeout: float = 30,
    ) -> t.RecordingTranscript:
        """Make a recording from media, and return its transcript."""
        made = self.record(media, filename=filename, title=title, language=language)
        return self.transcripts.get(made["id"], timeout=timeout)

    def download(self, url: str) -> bytes:
        """Return what a signed URL leads to, such as the `asset_url` of a render."""
        request = Request("GET", url)
        raw: bytes = decode(request, send(request, self.api.timeout), "bytes")
        return raw

    def wait_idle(self, timeout: float = 10) -> List[c.Pending]:
        """Return when no job is running, with the jobs that wait for the clock. Raise TimedOut after `timeout` seconds of real time."""
        try:
            idle = self.control.wait_idle({"timeout_ms": max(1, round(timeout * 1000))}, timeout=timeout + 10)
        except ApiError as refused:
            if refused.status != 504:
                raise
            raise TimedOut(refused.error) from None
        return idle["pending"]

    def reset(self) -> None:
        """Remove all data, faults, and logs."""
        self.control.reset_world()

    def fork(self, name: Optional[str] = None) -> World:
        """Return a copy of the world, however much data it has."""
        wanted: c.NewWorld = {"fork_of": self.name}
        if name is not None:
            wanted["name"] = name
        return World(self.address, self.control.create_world(wanted))

    def delete(self) -> None:
        """Delete the world and everything in it."""
        self.control.delete_world(self.name)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.delete()
        except ApiError as refused:
            if refused.status != 404:  # it was deleted before
                raise
