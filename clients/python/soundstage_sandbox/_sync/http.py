"""One HTTP/1.1 request that blocks."""

from __future__ import annotations

import http.client
import socket

from .._wire import Request, Response
from ..errors import TimedOut

__all__ = ["send"]


def send(request: Request, timeout: float) -> Response:
    """Send a request on a new connection, and return the whole response."""
    host, port, tls = request.host
    kind = http.client.HTTPSConnection if tls else http.client.HTTPConnection
    connection = kind(host, port, timeout=timeout)
    try:
        connection.putrequest(request.method, request.target, skip_host=True, skip_accept_encoding=True)
        for name, value in request.all_headers.items():
            connection.putheader(name, value)
        connection.endheaders(request.body)
        answer = connection.getresponse()
        return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    except socket.timeout as error:
        raise TimedOut(f"{request.method} {request.target}: no response within {timeout:g} s") from error
    except http.client.IncompleteRead as error:
        raise request.cut(len(error.partial)) from error
    except http.client.RemoteDisconnected as error:
        raise request.cut(0) from error
    except (OSError, http.client.HTTPException) as error:
        raise request.failed(error) from error
    finally:
        connection.close()
