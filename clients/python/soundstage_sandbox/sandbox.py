"""A running sandbox, and the worlds in it."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Mapping, Optional, Type, Union

from ._async.world import AsyncWorld
from ._sync.control import Control
from ._sync.world import Fixture, World
from ._wire import Address
from .errors import ApiError, ConnectionFailed, SoundstageError
from .process import Process
from .types import control as c

__all__ = ["Sandbox"]


class Sandbox:
    """A sandbox that this process starts, and that stops with it.

    `args` are more flags of `soundstage serve`, such as `--allow-private-urls`. `port` is 0 for a free one. `timeout` is for the start, in
    seconds. `env` has variables for the sandbox; SOUNDSTAGE_ variables of this process don't reach it.
    """

    def __init__(
        self,
        *args: str,
        binary: Union[None, str, "os.PathLike[str]"] = None,
        port: int = 0,
        timeout: float = 30,
        env: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._process: Optional[Process] = Process(args, binary=binary, port=port, timeout=timeout, env=env or {})
        self._address = Address(self._process.ready["url"], _token(args) or (env or {}).get("SOUNDSTAGE_CONTROL_TOKEN", ""))

    @classmethod
    def connect(cls, url: str, *, control_token: str = "") -> Sandbox:
        """Return a sandbox that runs already. `stop` leaves it running."""
        sandbox = cls.__new__(cls)
        sandbox._process = None
        sandbox._address = Address(url.rstrip("/"), control_token)
        try:
            sandbox.health()
        except ApiError as refused:
            raise SoundstageError(f"The server at {url} is not a sandbox: {refused}") from refused
        return sandbox

    @property
    def url(self) -> str:
        """The base URL of `/v1`."""
        return self._address.url

    @property
    def pid(self) -> Optional[int]:
        """The ID of the process; None after `connect`."""
        return None if self._process is None else int(self._process.ready["pid"])

    @property
    def stderr(self) -> str:
        """What the sandbox wrote to standard error; add the argument `--log=text` for a line for each request."""
        return "" if self._process is None else self._process.stderr()

    def health(self) -> c.Health:
        """Return the state of the server."""
        return self._control().get_health()

    def world(
        self,
        name: Optional[str] = None,
        *,
        clock: Optional[str] = None,
        seed: Optional[int] = None,
        snapshot: Optional[str] = None,
        fixture: Optional[Fixture] = None,
    ) -> World:
        """Create a world. `clock` is a mode of `--clock`, `snapshot` the name of one that the server keeps."""
        return self._with_fixture(World(self._address, self._create(name, clock, seed, snapshot)), fixture)

    def async_world(
        self,
        name: Optional[str] = None,
        *,
        clock: Optional[str] = None,
        seed: Optional[int] = None,
        snapshot: Optional[str] = None,
        fixture: Optional[Fixture] = None,
    ) -> AsyncWorld:
        """Create a world with methods that are coroutines. Creating it takes a millisecond, for which it blocks."""
        state = self._create(name, clock, seed, snapshot)
        self._with_fixture(World(self._address, state), fixture)
        return AsyncWorld(self._address, state)

    def stop(self) -> None:
        """Stop the sandbox. Everything in it is gone."""
        if self._process is not None:
            self._process.stop()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Sandbox {self.url}>"

    def _control(self) -> Control:
        return Control(self._address.url, self._address.control_headers())

    def _create(self, name: Optional[str], clock: Optional[str], seed: Optional[int], snapshot: Optional[str]) -> c.World:
        wanted: c.NewWorld = {}
        if name is not None:
            wanted["name"] = name
        if clock is not None:
            wanted["clock"] = clock
        if seed is not None:
            wanted["seed"] = seed
        if snapshot is not None:
            wanted["from_snapshot"] = snapshot
        try:
            return self._control().create_world(wanted)
        except ConnectionFailed as failed:
            code = None if self._process is None else self._process.died()
            if code is None:
                raise
            raise SoundstageError(f"The sandbox has ended with exit code {code}. It wrote:\n{self.stderr or '(nothing)'}") from failed

    @staticmethod
    def _with_fixture(world: World, fixture: Optional[Fixture]) -> World:
        if fixture is not None:
            try:
                world.apply_fixture(fixture)
            except BaseException:
                world.delete()
                raise
        return world


def _token(args: "tuple[str, ...]") -> str:
    """Return the token of the control API among the flags of a sandbox. The last one counts."""
    token = ""
    for arg, following in zip(args, (*args[1:], "")):
        if arg == "--control-token":
            token = following
        elif arg.startswith("--control-token="):
            token = arg.split("=", 1)[1]
    return token
