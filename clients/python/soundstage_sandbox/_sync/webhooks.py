# Copied from _async without async and await by clients/python/generate; don't edit.
"""The webhooks of a world."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from ..errors import ApiError, SignatureInvalid, TimedOut
from ..signature import verify
from ..types import control as t
from .control import Control

__all__ = ["Sink", "Webhooks"]


class Sink:
    """A webhook that the sandbox itself receives, so that a test needs no server."""

    def __init__(self, control: Control, made: t.Subscription) -> None:
        self._control = control
        self.id = made["webhook_id"]
        self.url = made["url"]
        self.secret = made["secret"]
        self.events = made["events"]

    def messages(self) -> List[t.Message]:
        """Return the messages so far, oldest first, with every attempt byte for byte."""
        found = self._control.list_messages(webhook=self.id)
        return found["messages"][::-1]

    def wait(self, count: int = 1, *, event: Optional[t.EventType] = None, timeout: float = 10) -> List[Dict[str, Any]]:
        """Return the events when `count` of them have been sent, each with its signature verified.

        Raise TimedOut after `timeout` seconds of real time, and SignatureInvalid if a signature is wrong.
        """
        return [signed_event(self.secret, m) for m in wait_for_messages(self._control, count, timeout, event, self.id)]

    def delete(self) -> None:
        """Receive nothing from now on."""
        self._control.delete_sink(self.id)


class Webhooks:
    """Sends, holds, and receives the webhooks of a world."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def sink(
        self, *, events: Optional[List[t.EventType]] = None, status: Optional[List[int]] = None, secret: Optional[str] = None
    ) -> Sink:
        """Make a receiver in the sandbox. It answers with these statuses in turn, the last one again and again; by default 200."""
        wanted: t.CreateSink = {}
        if events is not None:
            wanted["events"] = events
        if status is not None:
            wanted["status"] = status
        if secret is not None:
            wanted["secret"] = secret
        return Sink(self._control, self._control.create_sink(wanted))

    def wait(self, count: int = 1, *, event: Optional[t.EventType] = None, timeout: float = 10) -> List[t.Message]:
        """Return the messages to all webhooks when `count` of them have been attempted. Raise TimedOut after `timeout` seconds."""
        return wait_for_messages(self._control, count, timeout, event, None)

    def trigger(
        self, event: t.EventType, *, resource: Optional[str] = None, overrides: Optional[Dict[str, Any]] = None
    ) -> t.Triggered:
        """Send an event that did not happen to the webhooks that are subscribed to it."""
        wanted: t.TriggerEvent = {"event": event}
        if resource is not None:
            wanted["resource"] = resource
        if overrides is not None:
            wanted["overrides"] = overrides
        return self._control.trigger_event(wanted)

    def hold(self, event: Optional[t.EventType] = None) -> t.HoldState:
        """Hold the messages that have not been sent, until `release`."""
        return self._control.hold_messages({} if event is None else {"event": event})

    def release(self) -> int:
        """Send the held messages, and return how many there were."""
        found = self._control.release_messages()
        return found["released"]


def wait_for_messages(
    control: Control, count: int, timeout: float, event: Optional[t.EventType], webhook: Optional[str]
) -> List[t.Message]:
    """Return messages when enough of them have been attempted."""
    wanted: t.WaitForMessages = {"count": count, "timeout_ms": round(timeout * 1000)}
    if event is not None:
        wanted["event"] = event
    if webhook is not None:
        wanted["webhook"] = webhook
    try:
        found = control.wait_for_messages(wanted, timeout=timeout + 10)
    except ApiError as refused:
        if refused.status != 408:
            raise
        raise TimedOut(refused.error) from None
    return found["messages"]


def signed_event(secret: str, message: t.Message) -> Dict[str, Any]:
    """Return the event of a message whose newest attempt has a valid signature. Its time may be that of a frozen clock."""
    attempts = message["attempts"]
    if not attempts:
        raise SignatureInvalid(f"The message {message['id']} was not sent yet.")
    sent = attempts[-1]["request"]
    return verify(secret, {line["name"]: line["value"] for line in sent["headers"]}, sent["body"], tolerance=None)
