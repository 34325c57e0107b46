"""One HTTP/1.1 request on an event loop. A canceled request closes its connection."""

from __future__ import annotations

import asyncio
from typing import Dict, List, Tuple

from .._wire import Request, Response
from ..errors import TimedOut

__all__ = ["send"]


async def send(request: Request, timeout: float) -> Response:
    """Send a request on a new connection, and return the whole response."""
    try:
        return await asyncio.wait_for(_exchange(request), timeout)
    except asyncio.TimeoutError as error:
        raise TimedOut(f"{request.method} {request.target}: no response within {timeout:g} s") from error
    except asyncio.IncompleteReadError as error:
        raise request.cut(len(error.partial)) from error
    except (OSError, ValueError, asyncio.LimitOverrunError) as error:
        raise request.failed(error) from error


async def _exchange(request: Request) -> Response:
    host, port, tls = request.host
    reader, writer = await asyncio.open_connection(host, port, ssl=tls or None)
    try:
        lines = [f"{request.method} {request.target} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in request.all_headers.items()]
        writer.write("\r\n".join(lines + ["", ""]).encode("latin-1"))
        writer.write(request.body)
        status, headers = await _head(reader)
        while status < 200:  # 1xx responses come before the real one
            status, headers = await _head(reader)
        return Response(status, headers, await _body(reader, request.method, status, headers))
    finally:
        writer.close()


async def _head(reader: asyncio.StreamReader) -> Tuple[int, Dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    version, _, rest = lines[0].partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError(f"{lines[0]!r} is not the beginning of an HTTP response")
    headers: Dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(rest[:3]), headers


async def _body(reader: asyncio.StreamReader, method: str, status: int, headers: Dict[str, str]) -> bytes:
    if method == "HEAD" or status in (204, 304):
        return b""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await _chunks(reader)
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    return await reader.read()


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found: List[bytes] = []
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            while (await reader.readline()).strip():  # trailers
                pass
            return b"".join(found)
        found.append(await reader.readexactly(size))
        await reader.readexactly(2)
