"""The pytest plugin, in runs of pytest of its own."""

import pytest

from soundstage_sandbox import Sandbox

GREEN = "def test_green(soundstage):\n    assert soundstage.api.list_spaces()['count'] == 1\n"


def test_world_per_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from soundstage_sandbox import tone

        @pytest.mark.parametrize("turn", [1, 2])
        def test_alone(soundstage, async_soundstage, turn):
            assert soundstage.name == async_soundstage.name and soundstage.name.startswith(f"test-alone-{turn}-")
            soundstage.record(tone(1))
            assert soundstage.api.list_recordings()["count"] == 1

        def test_deleted(soundstage_sandbox):
            assert soundstage_sandbox.health()["worlds"] == 1
        """
    )
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=3)


def test_marker(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("show.yaml").write_text("spaces: [{id: default, recordings: [{title: Pilot, transcript: {text: Hello.}}]}]\n")
    pytester.makepyfile(
        """
        import pytest

        pytestmark = pytest.mark.soundstage(clock="manual", seed=3)

        @pytest.mark.soundstage(clock="steps", fixture="show.yaml")
        def test_closest(soundstage):
            assert (soundstage.state["clock"], soundstage.state["seed"]) == ("steps", 3)
            assert soundstage.api.list_recordings()["count"] == 1

        @pytest.mark.soundstage(colour="red")
        def test_unknown(soundstage): pass

        @pytest.mark.soundstage("manual")
        def test_positional(soundstage): pass

        @pytest.mark.soundstage(clock="backwards")
        def test_invalid(soundstage): pass
        """
    )
    result = pytester.runpytest("--strict-markers")
    result.assert_outcomes(passed=1, errors=3)
    result.stdout.fnmatch_lines_random(
        ["*doesn't take 'colour'. It takes clock, seed, fixture, snapshot.*", "*doesn't take positional arguments*", "*backwards*"]
    )


def test_failure_shows_requests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from soundstage_sandbox import ApiError

        def test_red(soundstage):
            soundstage.api.list_spaces()
            try: soundstage.api_as("none").list_spaces()
            except ApiError: pass
            assert False
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*- soundstage requests -*", "GET /v1/spaces 200", 'GET /v1/spaces 403 (rule: *) {"error":"Your plan does not include API access."}']
    )


def test_unfired_fault_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_unfired(soundstage):\n    soundstage.faults.add('listSpaces', status=503)\n")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*Unfired faults: fault-1 (listSpaces: status 503, 0 matching requests)*"])


def test_arguments(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nsoundstage_args = --clock manual --rate-limit=1,2,3\n")
    pytester.makepyfile("def test_clock(soundstage):\n    assert soundstage.state['clock'] == 'manual'\n")
    pytester.runpytest().assert_outcomes(passed=1)
    result = pytester.runpytest("--soundstage-url=http://127.0.0.1:9")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*soundstage_args has no effect*"])


def test_running_sandbox(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, soundstage_sandbox: Sandbox) -> None:
    pytester.makepyfile(GREEN)
    monkeypatch.setenv("SOUNDSTAGE_URL", soundstage_sandbox.url)
    monkeypatch.setenv("SOUNDSTAGE_BINARY", "/nothing")  # so no other one can start
    pytester.runpytest().assert_outcomes(passed=1)
    monkeypatch.setenv("SOUNDSTAGE_URL", "http://127.0.0.1:9")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ConnectionFailed: GET /_soundstage/health: the connection to 127.0.0.1:9 failed*"])


def test_plugin_is_cheap_when_unused(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import sys\ndef test_plain():\n    assert {'soundstage_sandbox.process', 'soundstage_sandbox.types'}.isdisjoint(sys.modules)\n")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
