"""What both clients do: send a request, and decode the response."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._wire import Query, build, decode
from .http import send

__all__ = ["AsyncClient"]


class AsyncClient:
    """Sends requests to one server, with the same headers."""

    timeout = 60.0
    """Seconds to wait for a response, unless the method gets its own `timeout`."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url.rstrip("/")
        self._headers = dict(headers)

    async def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        body: Any = None,
        content_type: str = "application/json",
        want: str = "json",
        timeout: Optional[float] = None,
    ) -> Any:
        request = build(method, self._url + path, self._headers, query, body, content_type)
        return decode(request, await send(request, self.timeout if timeout is None else timeout), want)
