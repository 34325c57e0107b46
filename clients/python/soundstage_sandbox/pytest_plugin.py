"""The pytest plugin: a sandbox for the session, and a world for each test.

Fixtures: `soundstage` and `async_soundstage` are the test's world, `soundstage_sandbox` is the session's sandbox. The marker
`@pytest.mark.soundstage(clock="manual", seed=7, fixture="podcast.yaml", snapshot="seeded")` configures the world of a test.

When a test fails, its report lists the requests that its world has received. A test whose faults have not fired ends with an error: the
program under test never sent the request.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Generator, Iterator, List, cast

import pytest

if TYPE_CHECKING:  # the plugin is imported by every run of pytest, so it imports the rest when a test needs it
    from . import AsyncWorld, Sandbox, World

_SETTINGS = ("clock", "seed", "fixture", "snapshot")
_MARKER = 'soundstage(clock="manual", seed=7, fixture="podcast.yaml", snapshot="seeded"): settings of the test\'s world'
_world: "pytest.StashKey[World]" = pytest.StashKey()
_passed: "pytest.StashKey[bool]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting."""
    parser.getgroup("soundstage").addoption(
        "--soundstage-url",
        default=os.environ.get("SOUNDSTAGE_URL", ""),
        help="use the sandbox at this address instead of starting one (default: SOUNDSTAGE_URL)",
    )
    parser.addini("soundstage_args", "flags for soundstage serve, such as --allow-private-urls", type="args")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session")
def soundstage_sandbox(pytestconfig: pytest.Config) -> Iterator[Sandbox]:
    """Return the sandbox of the session. It starts with the first test that needs it."""
    from . import Sandbox

    url = str(pytestconfig.getoption("--soundstage-url"))
    args = [str(arg) for arg in cast(List[Any], pytestconfig.getini("soundstage_args"))]
    if url and args:
        raise pytest.UsageError("soundstage_args has no effect on the sandbox of --soundstage-url. Remove one of them.")
    token = os.environ.get("SOUNDSTAGE_CONTROL_TOKEN", "")
    with Sandbox.connect(url, control_token=token) if url else Sandbox(*args) as sandbox:
        yield sandbox


@pytest.fixture
def soundstage(request: pytest.FixtureRequest, soundstage_sandbox: Sandbox) -> Iterator[World]:
    """Return the world of the test: an isolated service with its own data, clock, secrets, faults, and logs."""
    world = soundstage_sandbox.world(_name(request.node.name), **_settings(request.node))
    request.node.stash[_world] = world
    with world:
        yield world
        if request.node.stash.get(_passed, False):
            _verify(world)


@pytest.fixture
def async_soundstage(soundstage: World) -> AsyncWorld:
    """Return the world of the test, with methods that are coroutines."""
    from . import AsyncWorld

    return AsyncWorld(soundstage.address, soundstage.state)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    """Add the requests of the world to the report of a test that failed."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    if report.when == "call":
        item.stash[_passed] = report.passed
    if report.when == "call" and report.failed and _world in item.stash:
        report.sections.append(("soundstage requests", _requests(item.stash[_world])))


def _verify(world: World) -> None:
    from . import ApiError

    try:
        world.faults.verify()
    except ApiError as refused:
        if refused.status != 404:  # the test has deleted its world
            raise


def _requests(world: World) -> str:
    from . import SoundstageError

    try:
        found = world.requests.list()[-50:]
    except SoundstageError as error:
        return f"The sandbox doesn't answer: {error}"
    lines: List[str] = []
    for r in found:
        line = f"{r['method']} {r['path']} {r['status'] or 'no response'}"
        if "reason" in r:
            line += f" (rule: {r['reason']})"
        if r["status"] >= 400:
            line += " " + r["response_body"].get("text", "").strip()
        lines.append(line)
    return "\n".join(lines) or "none"


def _settings(node: Any) -> Dict[str, Any]:
    """Return the arguments of the marker. The closest marker wins; a fixture is a path from the folder of the test."""
    found: Dict[str, Any] = {}
    for mark in node.iter_markers("soundstage"):
        unknown = set(mark.kwargs) - set(_SETTINGS)
        if mark.args or unknown:
            what = repr(sorted(unknown)[0]) if unknown else "positional arguments"
            raise pytest.UsageError(f"The marker soundstage doesn't take {what}. It takes {', '.join(_SETTINGS)}.")
        found = {**mark.kwargs, **found}
    if isinstance(found.get("fixture"), (str, os.PathLike)):
        found["fixture"] = Path(node.path).parent / found["fixture"]
    return found


def _name(test: str) -> str:
    """Return a name for the test's world, which the console shows."""
    words = re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")
    return f"{words[:48]}-{secrets.token_hex(4)}".lstrip("-")
