# Copied from _async without async and await by clients/python/generate; don't edit.
"""Failures that a test injects into a world's /v1."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ..errors import ApiError, UnfiredFaults
from ..types import control as t
from .control import Control

__all__ = ["Faults"]


class Faults:
    """Adds, lists, and checks the faults of a world."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def add(
        self,
        op: Optional[str] = None,
        *,
        nth: Optional[int] = None,
        resource: Optional[str] = None,
        event: Optional[t.EventType] = None,
        times: Optional[int] = None,
        probability: Optional[float] = None,
        seed: Optional[int] = None,
        status: Optional[int] = None,
        headers: Optional[Dict[str, str]] = None,
        body: Any = None,
        latency_ms: Optional[int] = None,
        reset_after_bytes: Optional[int] = None,
        commit_then_drop: Optional[bool] = None,
        truncate: Optional[int] = None,
        duplicate_webhook: Optional[bool] = None,
    ) -> t.FaultState:
        """Add a fault: what it hits, and what happens then.

        `op` is an operation of the contract, such as `createRecording`. With `nth`, the fault waits for the nth matching request; `times` is
        how many it hits, by default one. With a `probability`, it hits some of all requests; the same `seed`, which it needs, the same ones.
        `status`, `headers`, and `body` replace the response. `commit_then_drop` does the work and closes the connection. `reset_after_bytes`
        and `truncate` break the connection in the body of the request or of the response.
        """
        match: Dict[str, Any] = {"op": op, "nth": nth, "resource": resource, "event": event}
        do: Dict[str, Any] = {
            "status": status,
            "headers": headers,
            "body": body,
            "latency_ms": latency_ms,
            "reset_after_bytes": reset_after_bytes,
            "commit_then_drop": commit_then_drop,
            "truncate": truncate,
            "duplicate_webhook": duplicate_webhook,
        }
        fault: t.Fault = {"match": _given(match), "do": _given(do)}
        if times is not None:
            fault["times"] = times
        if probability is not None:
            fault["probability"] = probability
        if seed is not None:
            fault["seed"] = seed
        return self._control.add_fault(fault)

    def list(self) -> t.Faults:
        """Return the faults that can still fire, and those that have."""
        return self._control.list_faults()

    def clear(self) -> None:
        """Remove all faults."""
        self._control.remove_faults()

    def verify(self) -> None:
        """Raise UnfiredFaults, which is an AssertionError, unless every fault has fired as often as it should."""
        try:
            self._control.verify_faults()
        except ApiError as refused:
            if refused.status != 409:
                raise
            raise UnfiredFaults(refused.error) from None


def _given(members: Dict[str, Any]) -> Any:
    return {name: value for name, value in members.items() if value is not None}
