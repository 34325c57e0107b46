"""The transcripts of a world."""

from __future__ import annotations

import asyncio
import time
from typing import Literal, Sequence, Tuple, Union

from ..errors import ApiError, ClockFrozen, JobFailed, TimedOut
from ..types import v1 as t
from .control import AsyncControl
from .v1 import AsyncApi

__all__ = ["AsyncTranscripts"]

Words = Union[str, Sequence[Tuple[str, str]]]
"""What one speaker says, or pairs of a speaker and what they say."""


class AsyncTranscripts:
    """Decides what media says, and reads transcripts."""

    def __init__(self, api: AsyncApi, observer: AsyncApi, control: AsyncControl) -> None:
        self._api = api
        self._observer = observer
        self._control = control

    async def set(self, filename: str, words: Words) -> None:
        """Decide the words of media that is uploaded under a file name. Without it, they are invented."""
        lines = [("Speaker", words)] if isinstance(words, str) else words
        said = [{"speaker": speaker, "text": text} for speaker, text in lines]
        await self._control.apply_fixture({"transcripts": [{"match": {"filename": filename}, "utterances": said}]})

    async def get(self, recording_id: str, *, timeout: float = 30) -> t.RecordingTranscript:
        """Wait for the transcript of a recording, and return it.

        Raise JobFailed if the transcription ends with an error, ClockFrozen if the clock must be advanced first, and TimedOut after `timeout`
        seconds of real time.
        """
        await self._wait(recording_id, timeout)
        return await self._observer.get_recording_transcript(recording_id)

    async def export(
        self, recording_id: str, format: Literal["txt", "vtt", "srt", "csv", "pdf", "docx"], *, timeout: float = 30
    ) -> bytes:
        """Wait for the transcript of a recording, and return it as a file."""
        await self._wait(recording_id, timeout)
        return await self._observer.export_recording_transcript(recording_id, format=format)

    async def _wait(self, recording_id: str, timeout: float) -> None:
        end = time.monotonic() + timeout
        pause = 0.01
        mode = (await self._control.get_clock())["mode"]
        while True:
            found = await self._recording(recording_id, self._api if mode == "steps" else self._observer)  # a poll is a step
            status = found["transcript_status"]
            if status == "completed":
                return
            if status == "error":
                raise JobFailed(f"The transcription of {found['title']!r} failed: {await self._why(recording_id)}")
            if time.monotonic() > end:
                raise TimedOut(f"The transcript of {found['title']!r} is still {status} after {timeout:g} s.")
            if mode == "manual":
                await self._advanceable(recording_id, status)
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.25)

    @staticmethod
    async def _recording(recording_id: str, api: AsyncApi) -> t.Recording:
        return (await api.get_recording(recording_id))["recording"]

    async def _why(self, recording_id: str) -> str:
        failed = (await self._control.list_jobs(resource=recording_id, status=["failed", "canceled"]))["jobs"]
        return next(filter(None, (job.get("last_error") for job in failed)), "the sandbox doesn't say why")

    async def _advanceable(self, recording_id: str, status: str) -> None:
        """Let work end that the clock doesn't hold back. If the status stays the same, only the clock can change it: raise ClockFrozen."""
        try:
            await self._control.wait_idle({"timeout_ms": 1000})
        except ApiError as refused:
            if refused.status != 504:
                raise
            return
        if (await self._recording(recording_id, self._observer))["transcript_status"] == status:
            raise ClockFrozen(
                f"The transcript is {status}, and the clock of the world is frozen. "
                f'Advance it first: world.clock.advance_until("{recording_id}", "completed").'
            )
