"""Signatures of webhooks, as the service makes them (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Union, cast

from .errors import SignatureInvalid

__all__ = ["sign", "verify"]


def sign(secret: str, message_id: str, timestamp: Union[int, str], body: bytes) -> str:
    """Return the header `webhook-signature` of a message."""
    if not secret.startswith("whsec_"):
        raise SignatureInvalid("The secret of a webhook begins with whsec_.")
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except binascii.Error as error:
        raise SignatureInvalid("The secret of the webhook is not base64 after whsec_.") from error
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def verify(
    secret: str, headers: Mapping[str, str], body: Union[bytes, str], *, tolerance: Optional[float] = 300, now: Optional[float] = None
) -> Dict[str, Any]:
    """Return the event of a webhook whose signature is right and recent, or raise SignatureInvalid.

    `body` is the exact body of the request. `tolerance` is the greatest difference to the time of the signature in seconds, or None if the
    time doesn't matter. `now` is the time to compare with, in seconds since 1970, such as that of a world's clock.
    """
    raw = body.encode() if isinstance(body, str) else body
    found = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if name not in found]
    if missing:
        raise SignatureInvalid(f"The webhook has no header {missing[0]}.")
    stamp = found["webhook-timestamp"]
    want = sign(secret, found["webhook-id"], stamp, raw)
    if not any(hmac.compare_digest(want.encode(), got.encode()) for got in found["webhook-signature"].split()):
        raise SignatureInvalid("The signature of the webhook is not that of its secret and body.")
    if tolerance is not None:
        if not stamp.isdecimal() or abs((time.time() if now is None else now) - int(stamp)) > tolerance:
            raise SignatureInvalid(f"The webhook's time, {stamp}, is more than {tolerance:g} s off.")
    try:
        event: Any = json.loads(raw)
    except ValueError as error:
        raise SignatureInvalid(f"The body of the webhook is not JSON: {error}.") from error
    if not isinstance(event, dict):
        raise SignatureInvalid("The body of the webhook is not a JSON object.")
    return cast(Dict[str, Any], event)
