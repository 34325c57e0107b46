# Copied from _async without async and await by clients/python/generate; don't edit.
"""The requests that clients have sent to a world's /v1."""

from __future__ import annotations

from typing import List, Optional, Union

from ..errors import ApiError, TimedOut
from ..types import control as t
from .control import Control

__all__ = ["Requests"]


class Requests:
    """Reads the log of requests. It has those of every client, also those that this package sends through `api`."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def list(self, op: Optional[str] = None, *, status: Union[None, int, str] = None) -> List[t.Request]:
        """Return the requests with their responses, oldest first. `status` is a number, or a class such as `4xx`."""
        found = self._control.find_requests({"match": _match(op, status)})
        return found["requests"]

    def count(self, op: Optional[str] = None, *, status: Union[None, int, str] = None) -> int:
        """Return how many requests there were."""
        found = self._control.count_requests({"match": _match(op, status)})
        return found["count"]

    def wait(
        self, op: Optional[str] = None, *, status: Union[None, int, str] = None, count: int = 1, timeout: float = 10
    ) -> List[t.Request]:
        """Return when `count` requests have come, earlier ones included. Raise TimedOut after `timeout` seconds of real time."""
        try:
            found = self._control.wait_for_requests(
                {"match": _match(op, status), "count": count, "timeout_ms": round(timeout * 1000)}, timeout=timeout + 10
            )
        except ApiError as refused:
            if refused.status != 408:
                raise
            raise TimedOut(refused.error) from None
        return found["requests"]

    def clear(self) -> None:
        """Empty the log."""
        self._control.clear_requests()


def _match(op: Optional[str], status: Union[None, int, str]) -> t.Match:
    match: t.Match = {}
    if op is not None:
        match["op"] = op
    if status is not None:
        match["status"] = status
    return match
