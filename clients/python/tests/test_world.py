"""What a world does, with the synchronous client."""

import contextlib
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import List

import pytest

from soundstage_sandbox import ApiError, ClockFrozen, ConnectionFailed, JobFailed, Sandbox, TimedOut, UnfiredFaults, World, tone


def test_transcript_has_the_words_that_were_set(soundstage: World) -> None:
    soundstage.transcripts.set("show.wav", [("Ada", "Welcome to the show."), ("Ben", "Thanks.")])
    recording = soundstage.record(tone(3), filename="show.wav", title="Pilot")
    said = soundstage.transcripts.get(recording["id"])["utterances"]
    assert [(u["speaker"], u["text"]) for u in said] == [("Speaker 0", "Welcome to the show."), ("Speaker 1", "Thanks.")]
    assert recording["title"] == "Pilot"
    captions = soundstage.transcripts.export(recording["id"], "vtt")
    assert captions.startswith(b"WEBVTT\n") and b"Welcome to the show." in captions


def test_media_can_be_a_file(soundstage: World, tmp_path: Path) -> None:
    path = tmp_path / "talk.wav"
    path.write_bytes(tone(1))
    soundstage.transcripts.set("talk.wav", "Exactly these words.")
    assert soundstage.transcribe(path)["utterances"][0]["text"] == "Exactly these words."


def test_failed_transcription_says_why(soundstage: World) -> None:
    with pytest.raises(JobFailed, match="'magic-no-speech.wav' failed: .*speech"):
        soundstage.transcribe(tone(1), filename="magic-no-speech.wav")


def test_frozen_clock_is_named(soundstage_sandbox: Sandbox) -> None:
    with soundstage_sandbox.world(clock="manual") as world:
        recording = world.record(tone(1))
        with pytest.raises(ClockFrozen, match="advance_until"):
            world.transcripts.get(recording["id"])
        begin = world.clock.now()
        done = world.clock.advance_until(recording["id"], "completed")
        assert done["settled"] and world.clock.now() > begin
        assert world.transcripts.get(recording["id"])["utterances"]


@pytest.mark.soundstage(clock="manual")
def test_clock(soundstage: World) -> None:
    begin = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert soundstage.clock.now() == begin
    soundstage.clock.advance("15m")
    soundstage.clock.advance(timedelta(hours=1, milliseconds=250))
    assert soundstage.clock.now() == begin + timedelta(hours=1, minutes=15, milliseconds=250)
    soundstage.clock.advance_to(begin + timedelta(days=1))
    assert soundstage.clock.now() == begin + timedelta(days=1)
    with pytest.raises(ValueError, match="has no time zone"):
        soundstage.clock.advance_to(datetime(2027, 1, 1))
    with pytest.raises(ApiError) as refused:
        soundstage.clock.advance("soon")
    assert refused.value.status == 400
    assert soundstage.clock.set(mode="auto")["mode"] == "auto"


def test_faults(soundstage: World) -> None:
    soundstage.faults.add("listSpaces", nth=2, status=503, headers={"Retry-After": "1"})
    assert soundstage.api.list_spaces()["count"] == 1
    with pytest.raises(UnfiredFaults, match="listSpaces: status 503"):
        soundstage.faults.verify()
    with pytest.raises(ApiError, match="503"):
        soundstage.api.list_spaces()
    soundstage.faults.verify()
    soundstage.faults.add("listSpaces", truncate=5)
    with pytest.raises(ConnectionFailed, match="closed after 5 bytes"):
        soundstage.api.list_spaces()
    soundstage.faults.add("listSpaces", commit_then_drop=True)
    with pytest.raises(ConnectionFailed, match="closed without a response"):
        soundstage.api.list_spaces()
    soundstage.faults.add("listSpaces", latency_ms=5000)
    with pytest.raises(TimedOut, match="within 0.2 s"):
        soundstage.api.list_spaces(timeout=0.2)
    assert len(soundstage.faults.list()["fired"]) == 4
    soundstage.faults.clear()
    for body, said in ((["no", "object"], '["no", "object"]'), ("<Error/>", "<Error/>"), ({"wrong": 1}, '{"wrong": 1}')):
        soundstage.faults.add("listSpaces", status=500, body=body)
        with pytest.raises(ApiError) as failed:
            soundstage.api.list_spaces()
        assert failed.value.error == said
    soundstage.faults.clear()
    assert soundstage.faults.list() == {"remaining": [], "fired": []}


@pytest.mark.parametrize("clock", ["auto", "steps", "scaled:1000"])
def test_waits_are_not_what_a_client_sends(soundstage_sandbox: Sandbox, clock: str) -> None:
    with soundstage_sandbox.world(clock=clock) as world:
        for op in ("getRecordingTranscript", "getRecording")[: 1 if clock == "steps" else 2]:
            world.faults.add(op, status=503)
        assert world.transcribe(tone(1))["language"] == "en"
        polls = world.requests.count("getRecording")
        assert (polls > 0) == (clock == "steps")
        assert world.requests.count("getRecordingTranscript") == 0


def test_faults_by_chance(soundstage: World) -> None:
    def hits() -> List[int]:
        soundstage.requests.clear()
        soundstage.faults.add("listSpaces", status=503, probability=0.5, seed=7)
        for _ in range(20):
            with contextlib.suppress(ApiError):
                soundstage.api.list_spaces()
        soundstage.faults.clear()
        return [request["status"] for request in soundstage.requests.list("listSpaces")]

    first = hits()
    assert {200, 503} == set(first)
    assert first == hits()


def test_requests(soundstage: World) -> None:
    soundstage.api.list_spaces()
    with pytest.raises(ApiError) as refused:
        soundstage.api_as("none").list_spaces()
    assert refused.value.status == 403 and "plan" in refused.value.error and refused.value.reason
    assert soundstage.requests.count("listSpaces") == 2
    assert [r["status"] for r in soundstage.requests.list(status="4xx")] == [403]
    assert len(soundstage.requests.wait("listSpaces", count=2)) == 2
    with pytest.raises(TimedOut, match="Received 0 of 1 requests"):
        soundstage.requests.wait("getUsage", timeout=0.05)
    soundstage.requests.clear()
    assert soundstage.requests.list() == []
    with pytest.raises(ValueError, match="none of the secrets"):
        soundstage.api_as("owner")


def test_sink_receives_signed_webhooks(soundstage: World) -> None:
    sink = soundstage.webhooks.sink(events=["transcript.completed"], status=[500, 200])
    soundstage.webhooks.sink()  # what this one receives is not the other's
    recording = soundstage.record(tone(1))
    soundstage.transcripts.get(recording["id"])
    soundstage.wait_idle()
    (event,) = sink.wait()
    assert event["type"] == "transcript.completed" and event["data"]["recording_id"] == recording["id"]
    (message,) = sink.messages()
    answers = [a["response"]["status"] for a in message["attempts"] or [] if a["response"]]
    assert answers == [500, 200]
    soundstage.webhooks.hold("transcript.completed")
    soundstage.webhooks.trigger("transcript.completed", resource=recording["id"])
    with pytest.raises(TimedOut):
        sink.wait(2, timeout=0.1)
    assert soundstage.webhooks.release() == 2
    assert len(sink.wait(2)) == 2
    assert sink.messages()[0]["id"] == message["id"]
    assert len(soundstage.webhooks.wait(4, event="transcript.completed")) == 4
    sink.delete()


def test_worlds_are_isolated(soundstage_sandbox: Sandbox) -> None:
    with soundstage_sandbox.world(seed=7) as one, soundstage_sandbox.world(seed=7) as other:
        one.record(tone(1))
        assert (len(one.api.list_recordings()["recordings"]), len(other.api.list_recordings()["recordings"])) == (1, 0)
        with one.fork() as copy:
            assert copy.api.list_recordings()["count"] == 1
        one.reset()
        assert one.api.list_recordings()["count"] == 0
        name, api = one.name, one.api
    with pytest.raises(ApiError) as gone:
        api.list_spaces()
    assert gone.value.status == 401
    assert name not in [w["world"] for w in soundstage_sandbox.world(fixture="version: 1\n").control.list_worlds()["worlds"]]


def test_deleted_world_can_end(soundstage: World) -> None:
    soundstage.delete()


def test_fixture(soundstage_sandbox: Sandbox) -> None:
    fixture = {"spaces": [{"id": "default", "recordings": [{"title": "Pilot", "transcript": {"text": "Hello."}}]}]}
    with soundstage_sandbox.world(fixture=fixture) as world:
        assert [r["title"] for r in world.api.list_recordings()["recordings"]] == ["Pilot"]
        with pytest.raises(ApiError, match="fixture.yaml:1:9: spaces must be a list"):
            world.apply_fixture("spaces: 7\n")
    before = soundstage_sandbox.health()["worlds"]
    with pytest.raises(ApiError):
        soundstage_sandbox.world(fixture="spaces: 7\n")
    assert soundstage_sandbox.health()["worlds"] == before


def test_render(soundstage: World) -> None:
    recording = soundstage.record(tone(3))
    soundstage.transcripts.get(recording["id"])
    made = soundstage.api.create_render({"recording_id": recording["id"], "start_ms": 0, "end_ms": 1000, "aspect_ratio": "1:1"})
    soundstage.wait_idle(timeout=60)
    done = soundstage.api.get_render(made["render"]["id"])["render"]
    assert done["status"] == "completed"
    url = done["asset_url"]
    assert url is not None and soundstage.download(url)[4:8] == b"ftyp"
