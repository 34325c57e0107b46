# Copied from _async without async and await by clients/python/generate; don't edit.
"""The transcripts of a world."""

from __future__ import annotations

import time
from typing import Literal, Sequence, Tuple, Union

from ..errors import ApiError, ClockFrozen, JobFailed, TimedOut
from ..types import v1 as t
from .control import Control
from .v1 import Api

__all__ = ["Transcripts"]

Words = Union[str, Sequence[Tuple[str, str]]]
"""What one speaker says, or pairs of a speaker and what they say."""


class Transcripts:
    """Decides what media says, and reads transcripts."""

    def __init__(self, api: Api, observer: Api, control: Control) -> None:
        self._api = api
        self._observer = observer
        self._control = control

    def set(self, filename: str, words: Words) -> None:
        """Decide the words of media that is uploaded under a file name. Without it, they are invented."""
        lines = [("Speaker", words)] if isinstance(words, str) else words
        said = [{"speaker": speaker, "text": text} for speaker, text in lines]
        self._control.apply_fixture({"transcripts": [{"match": {"filename": filename}, "utterances": said}]})

    def get(self, recording_id: str, *, timeout: float = 30) -> t.RecordingTranscript:
        """Wait for the transcript of a recording, and return it.

        Raise JobFailed if the transcription ends with an error, ClockFrozen if the clock must be advanced first, and TimedOut after `timeout`
        seconds of real time.
        """
        self._wait(recording_id, timeout)
        return self._observer.get_recording_transcript(recording_id)

    def export(
        self, recording_id: str, format: Literal["txt", "vtt", "srt", "csv", "pdf", "docx"], *, timeout: float = 30
    ) -> bytes:
        """Wait for the transcript of a recording, and return it as a file."""
        self._wait(recording_id, timeout)
        return self._observer.export_recording_transcript(recording_id, format=format)

    def _wait(self, recording_id: str, timeout: float) -> None:
        end = time.monotonic() + timeout
        pause = 0.01
        mode = (self._control.get_clock())["mode"]
        while True:
            found = self._recording(recording_id, self._api if mode == "steps" else self._observer)  # a poll is a step
            status = found["transcript_status"]
            if status == "completed":
                return
            if status == "error":
                raise JobFailed(f"The transcription of {found['title']!r} failed: {self._why(recording_id)}")
            if time.monotonic() > end:
                raise TimedOut(f"The transcript of {found['title']!r} is still {status} after {timeout:g} s.")
            if mode == "manual":
                self._advanceable(recording_id, status)
            time.sleep(pause)
            pause = min(2 * pause, 0.25)

    @staticmethod
    def _recording(recording_id: str, api: Api) -> t.Recording:
        return (api.get_recording(recording_id))["recording"]

    def _why(self, recording_id: str) -> str:
        failed = (self._control.list_jobs(resource=recording_id, status=["failed", "canceled"]))["jobs"]
        return next(filter(None, (job.get("last_error") for job in failed)), "the sandbox doesn't say why")

    def _advanceable(self, recording_id: str, status: str) -> None:
        """Let work end that the clock doesn't hold back. If the status stays the same, only the clock can change it: raise ClockFrozen."""
        try:
            self._control.wait_idle({"timeout_ms": 1000})
        except ApiError as refused:
            if refused.status != 504:
                raise
            return
        if (self._recording(recording_id, self._observer))["transcript_status"] == status:
            raise ClockFrozen(
                f"The transcript is {status}, and the clock of the world is frozen. "
                f'Advance it first: world.clock.advance_until("{recording_id}", "completed").'
            )
