# Copied from _async without async and await by clients/python/generate; don't edit.
"""The clock of a world."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Optional, Union

from ..errors import TimedOut
from ..types import control as t
from .control import Control

__all__ = ["Clock"]


class Clock:
    """Reads, advances, and changes a world's clock. In the modes `scaled` and `real`, it can't be advanced."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def get(self) -> t.Clock:
        """Return the mode, the time, and the unfinished jobs."""
        return self._control.get_clock()

    def now(self) -> datetime:
        """Return the time in UTC."""
        return parse((self.get())["now"])

    def advance(self, by: Union[str, timedelta]) -> t.Advanced:
        """Advance the clock by a duration, such as `15m`, and return what happened until then, webhooks included."""
        if isinstance(by, timedelta):
            by = f"{round(by / timedelta(milliseconds=1))}ms"
        return self._advance({"by": by})

    def advance_to(self, time: Union[str, datetime]) -> t.Advanced:
        """Advance the clock to a time. A string is RFC 3339; a datetime needs a time zone."""
        return self._advance({"to": rfc3339(time)})

    def advance_until(self, resource: str, status: str) -> t.Advanced:
        """Advance the clock until a recording, render, or other resource has a status."""
        return self._advance({"until": {"resource": resource, "status": status}})

    def advance_to_next_event(self) -> t.Advanced:
        """Advance the clock to the time of the next event."""
        return self._advance({"next_event": True})

    def set(
        self, *, mode: Optional[t.ClockMode] = None, now: Union[None, str, datetime] = None, rate: Optional[float] = None
    ) -> t.Clock:
        """Change the mode or the time; `rate` is for the mode `scaled`."""
        change: t.ClockSetting = {}
        if mode is not None:
            change["mode"] = mode
        if now is not None:
            change["now"] = rfc3339(now)
        if rate is not None:
            change["rate"] = rate
        return self._control.set_clock(change)

    def _advance(self, how: t.Advance) -> t.Advanced:
        done = self._control.advance_clock(how)
        if not done["settled"]:
            slow = ", ".join(f"{job['kind']} of {job['resource']}" for job in done.get("running", []))
            raise TimedOut(f"The clock stopped at {done['now']}, because jobs work for too long: {slow or 'unknown ones'}.")
        return done


def parse(time: str) -> datetime:
    """Return an RFC 3339 time in UTC, as the sandbox sends it."""
    whole, _, fraction = time[:-1].partition(".")
    return datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(microsecond=int((fraction + "000000")[:6]), tzinfo=timezone.utc)


def rfc3339(time: Union[str, datetime]) -> str:
    """Return a time as the sandbox reads it."""
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError(f"{time!r} has no time zone. Add one, such as tzinfo=timezone.utc.")
    return time.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
