"""What can go wrong. Each message says what is wrong, and then what to do."""

from __future__ import annotations

from typing import Optional

__all__ = [
    "ApiError",
    "BinaryError",
    "ClockFrozen",
    "ConnectionFailed",
    "JobFailed",
    "SignatureInvalid",
    "SoundstageError",
    "StartFailed",
    "TimedOut",
    "UnfiredFaults",
]


class SoundstageError(Exception):
    """The base of all errors of this package."""


class BinaryError(SoundstageError):
    """There is no program, or this machine can't run it."""


class StartFailed(SoundstageError):
    """The sandbox ended, or wasn't ready in time. The message has what it wrote to standard error."""

    def __init__(self, message: str, exit_code: Optional[int] = None, stderr: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        """Exit code of the program; None if it was still running."""
        self.stderr = stderr


class ApiError(SoundstageError):
    """A response that isn't a success."""

    def __init__(self, method: str, path: str, status: int, error: str, hint: str, reason: str, body: bytes) -> None:
        text = f"{method} {path}: {status}: {error}"
        if hint:
            text += f" {hint}"
        if reason:
            text += f" (rule: {reason})"
        super().__init__(text)
        self.method = method
        self.path = path
        self.status = status
        self.error = error
        """The sentence of the response, or the beginning of its body."""
        self.hint = hint
        """What to do about it, if the server says so."""
        self.reason = reason
        """The rule that refused the request, from `X-Soundstage-Reason`."""
        self.body = body


class ConnectionFailed(SoundstageError):
    """There was no response, or only a part of one."""


class TimedOut(SoundstageError, TimeoutError):
    """Something took longer than it was given."""


class ClockFrozen(SoundstageError):
    """What was waited for can't happen, because the clock of the world is frozen."""


class JobFailed(SoundstageError):
    """A transcription ended with an error."""


class SignatureInvalid(SoundstageError):
    """A webhook isn't signed with the secret, or its signature is too old."""


class UnfiredFaults(SoundstageError, AssertionError):
    """A fault has not fired as often as it should: the program under test never sent the request."""
