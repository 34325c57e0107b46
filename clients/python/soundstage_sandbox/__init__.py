"""The Soundstage sandbox for tests in Python.

With pytest, the fixture `soundstage` is an isolated service for each test:

    def test_lists_spaces(soundstage):
        assert soundstage.api.list_spaces()["count"] == 1

Elsewhere, a `Sandbox` is a running server, and its worlds are isolated services:

    from soundstage_sandbox import Sandbox, tone

    with Sandbox() as sandbox, sandbox.world() as world:
        print(world.transcribe(tone(2)))

`AsyncWorld` has the same methods as `World`, as coroutines.
"""

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from ._async.v1 import AsyncApi
    from ._async.world import AsyncWorld
    from ._sync.v1 import Api
    from ._sync.world import World
    from .binary import find_binary
    from .errors import (
        ApiError,
        BinaryError,
        ClockFrozen,
        ConnectionFailed,
        JobFailed,
        SignatureInvalid,
        SoundstageError,
        StartFailed,
        TimedOut,
        UnfiredFaults,
    )
    from .media import tone
    from .sandbox import Sandbox
    from .signature import sign, verify

__version__ = "0.1.0"

__all__ = [
    "Api",
    "ApiError",
    "AsyncApi",
    "AsyncWorld",
    "BinaryError",
    "ClockFrozen",
    "ConnectionFailed",
    "JobFailed",
    "Sandbox",
    "SignatureInvalid",
    "SoundstageError",
    "StartFailed",
    "TimedOut",
    "UnfiredFaults",
    "World",
    "__version__",
    "find_binary",
    "sign",
    "tone",
    "verify",
]

_MODULES = {
    "Api": "_sync.v1",
    "AsyncApi": "_async.v1",
    "AsyncWorld": "_async.world",
    "Sandbox": "sandbox",
    "World": "_sync.world",
    "find_binary": "binary",
    "sign": "signature",
    "tone": "media",
    "verify": "signature",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is used, because every run of pytest imports the plugin of this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module("." + _MODULES.get(name, "errors"), __name__)
    globals()[name] = found = getattr(module, name)
    return found


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
