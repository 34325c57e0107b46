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
from .clock import AsyncClock
from .control import AsyncControl
from .faults import AsyncFaults
from .http import send
from .requests import AsyncRequests
from .transcripts import AsyncTranscripts
from .v1 import AsyncApi
from .webhooks import AsyncWebhooks

__all__ = ["AsyncWorld"]

Self = TypeVar("Self", bound="AsyncWorld")

Fixture = Union[str, Dict[str, Any], "os.PathLike[str]"]
"""YAML text, the same as a dict, or the path of a file."""


class AsyncWorld:
    """An isolated service in the sandbox. As a context manager, it is deleted at the end."""

    def __init__(self, address: Address, state: c.World) -> None:
        self.address = address
        self.state = state
        self.name = state["world"]
        self.url = address.url
        """Base URL of `/v1`, for the program under test."""
        self.secrets = state["secrets"]
        """The secrets by tier: none, core, automation, and platform; `other` is a second user's."""
        self.control = AsyncControl(address.url, address.control_headers(self.name))
        """Every operation of the control API."""
        self.clock = AsyncClock(self.control)
        self.faults = AsyncFaults(self.control)
        self.requests = AsyncRequests(self.control)
        self.webhooks = AsyncWebhooks(self.control)
        self.api = self.api_as("platform")
        """Every operation of `/v1`, with the secret of the highest tier."""
        # The waits of this package are not in the log, and no fault hits them: both are for the program under test.
        observer = AsyncApi(self.url, {"Authorization": "Bearer " + self.secret, "X-Soundstage-Observer": "test"})
        self.transcripts = AsyncTranscripts(self.api, observer, self.control)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} of {self.url}>"

    @property
    def secret(self) -> str:
        """The secret of the highest tier, for the program under test."""
        return self.secrets["platform"]

    def api_as(self, who: str) -> AsyncApi:
        """Return a client of `/v1` with another of the `secrets`."""
        if who not in self.secrets:
            raise ValueError(f"{who!r} is none of the secrets of this world: {', '.join(self.secrets)}")
        return AsyncApi(self.url, {"Authorization": "Bearer " + self.secrets[who]})

    async def apply_fixture(self, fixture: Fixture) -> c.Applied:
        """Apply a fixture: spaces, recordings, words of media, URLs, and timelines of jobs."""
        if isinstance(fixture, os.PathLike):
            fixture = Path(fixture).read_text(encoding="utf-8")
        return await self.control.apply_fixture(fixture)

    async def upload(self, media: Media, *, filename: str = "") -> str:
        """Upload media, and return the ID of the object. Bytes without a file name are `talk.wav`."""
        raw, filename, kind = load(media, filename)
        made = await self.api.create_upload({"filename": filename, "content_type": kind, "content_size": len(raw)})
        request = Request("PUT", made["upload_url"], {"Content-Type": kind}, raw)
        decode(request, await send(request, self.api.timeout), "bytes")
        return made["object_id"]

    async def record(
        self, media: Media, *, filename: str = "", title: Optional[str] = None, language: Optional[str] = None
    ) -> t.Recording:
        """Upload media, and create a recording from it. Its transcription begins, and nobody waits for its end."""
        wanted: t.NewRecording = {"object_id": await self.upload(media, filename=filename)}
        if title is not None:
            wanted["title"] = title
        if language is not None:
            wanted["language"] = language
        made = await self.api.create_recording(wanted)
        return made["recording"]

    async def transcribe(
        self,
        media: Media,
        *,
        filename: str = "",
        title: Optional[str] = None,
        language: Optional[str] = None,
        timeout: float = 30,
    ) -> t.RecordingTranscript:
        """Make a recording from media, and return its transcript."""
        made = await self.record(media, filename=filename, title=title, language=language)
        return await self.transcripts.get(made["id"], timeout=timeout)

    async def download(self, url: str) -> bytes:
        """Return what a signed URL leads to, such as the `asset_url` of a render."""
        request = Request("GET", url)
        raw: bytes = decode(request, await send(request, self.api.timeout), "bytes")
        return raw

    async def wait_idle(self, timeout: float = 10) -> List[c.Pending]:
        """Return when no job is running, with the jobs that wait for the clock. Raise TimedOut after `timeout` seconds of real time."""
        try:
            idle = await self.control.wait_idle({"timeout_ms": max(1, round(timeout * 1000))}, timeout=timeout + 10)
        except ApiError as refused:
            if refused.status != 504:
                raise
            raise TimedOut(refused.error) from None
        return idle["pending"]

    async def reset(self) -> None:
        """Remove all data, faults, and logs."""
        await self.control.reset_world()

    async def fork(self, name: Optional[str] = None) -> AsyncWorld:
        """Return a copy of the world, however much data it has."""
        wanted: c.NewWorld = {"fork_of": self.name}
        if name is not None:
            wanted["name"] = name
        return AsyncWorld(self.address, await self.control.create_world(wanted))

    async def delete(self) -> None:
        """Delete the world and everything in it."""
        await self.control.delete_world(self.name)

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            await self.delete()
        except ApiError as refused:
            if refused.status != 404:  # it was deleted before
                raise
