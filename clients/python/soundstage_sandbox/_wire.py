"""Requests and responses, without the network: what the synchronous and the asynchronous client share."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, cast
from urllib.parse import quote, urlencode, urlsplit

from .errors import ApiError, ConnectionFailed, SoundstageError

Query = Mapping[str, object]
"""Parameters by name: texts, numbers, booleans, lists of texts, and None for those that aren't sent."""


@dataclass(frozen=True)
class Address:
    """Where a sandbox is."""

    url: str
    control_token: str = ""

    def control_headers(self, world: str = "") -> Dict[str, str]:
        """Return the headers that give access to the control API, and name the world."""
        headers: Dict[str, str] = {}
        if world:
            headers["X-Soundstage-World"] = world
        if self.control_token:
            headers["X-Soundstage-Token"] = self.control_token
        return headers


@dataclass(frozen=True)
class Request:
    """A request to send."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def target(self) -> str:
        """The path with its query."""
        parts = urlsplit(self.url)
        return (parts.path or "/") + ("?" + parts.query if parts.query else "")

    @property
    def host(self) -> Tuple[str, int, bool]:
        """The host, the port, and whether TLS is needed."""
        wrong = SoundstageError(f"{self.url!r} is not an address of a sandbox. Addresses look like http://127.0.0.1:8765.")
        try:
            parts = urlsplit(self.url)
            port = parts.port
        except ValueError as error:  # of brackets and ports
            raise wrong from error
        tls = parts.scheme == "https"
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise wrong
        return parts.hostname, port or (443 if tls else 80), tls

    @property
    def all_headers(self) -> Dict[str, str]:
        """The headers with those that every request has. Each request has a connection of its own, so none is stale."""
        headers = {"Host": urlsplit(self.url).netloc, "Connection": "close", "Accept": "*/*", **self.headers}
        if self.body or self.method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = str(len(self.body))
        return headers

    def failed(self, why: object) -> ConnectionFailed:
        """Return the error for a connection that broke."""
        return ConnectionFailed(f"{self.method} {urlsplit(self.url).path}: the connection to {urlsplit(self.url).netloc} failed: {why}")

    def cut(self, received: int) -> ConnectionFailed:
        """Return the error for a response without its end."""
        return self.failed(f"it closed after {received} bytes of the response's body" if received else "it closed without a response")


@dataclass(frozen=True)
class Response:
    """A response. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def segment(value: object) -> str:
    """Quote a value for a path."""
    return quote(str(value), safe="")


def build(
    method: str, url: str, headers: Mapping[str, str], query: Optional[Query], body: Any, content_type: str
) -> Request:
    """Return the request for an operation. A body of text or bytes is sent as it is, any other as JSON."""
    given = {name: value for name, value in (query or {}).items() if value is not None}
    if given:
        url += "?" + urlencode({name: _parameter(value) for name, value in given.items()})
    sent = dict(headers)
    raw = b""
    if body is not None:
        sent["Content-Type"] = content_type if isinstance(body, (str, bytes)) else "application/json"
        raw = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return Request(method, url, sent, raw)


def _parameter(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(str(one) for one in cast(List[object], value))
    return str(value)


def decode(request: Request, response: Response, want: str) -> Any:
    """Return the body of a response as JSON, text, or bytes, or raise ApiError if it isn't a success."""
    if not 200 <= response.status < 300:
        raise _refused(request, response)
    if want == "json":
        try:
            return json.loads(response.body)
        except ValueError as error:
            raise request.failed(f"the body of the response is not JSON ({error})") from error
    return response.body.decode() if want == "text" else response.body


def _refused(request: Request, response: Response) -> ApiError:
    error, hint = response.body[:500].decode(errors="replace").strip(), ""
    try:
        found = json.loads(response.body)
        error, hint = str(found["error"]), str(found.get("hint", ""))
    except (ValueError, KeyError, TypeError):  # an error of the storage is XML, and a fault's body can be anything
        pass
    reason = response.headers.get("x-soundstage-reason", "")
    path = urlsplit(request.url).path
    return ApiError(request.method, path, response.status, error or "The response has no body.", hint, reason, response.body)
