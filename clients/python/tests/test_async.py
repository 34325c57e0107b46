"""The asynchronous client. The same methods are tested in test_world.py, from which they differ by async and await only."""

import asyncio
from typing import Any

import pytest

from soundstage_sandbox import ApiError, AsyncWorld, ConnectionFailed, Sandbox, TimedOut, tone


@pytest.mark.asyncio
async def test_transcript(async_soundstage: AsyncWorld) -> None:
    await async_soundstage.transcripts.set("talk.wav", "Exactly these words.")
    sink = await async_soundstage.webhooks.sink()
    found = await async_soundstage.transcribe(tone(1))
    assert found["utterances"][0]["text"] == "Exactly these words."
    (event,) = await sink.wait(event="transcript.completed")
    assert event["data"]["recording_id"] == found["recording_id"]


@pytest.mark.asyncio
async def test_waits_leave_room_for_what_they_wait_for(async_soundstage: AsyncWorld) -> None:
    waits = [asyncio.ensure_future(async_soundstage.requests.wait("listSpaces", count=50)) for _ in range(50)]
    await asyncio.gather(*(async_soundstage.api.list_spaces() for _ in range(50)))
    assert {len(found) for found in await asyncio.gather(*waits)} == {50}


@pytest.mark.asyncio
async def test_canceled_wait_closes_its_connection(async_soundstage: AsyncWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    connect = asyncio.open_connection

    async def remember(*args: Any, **more: Any) -> "tuple[asyncio.StreamReader, asyncio.StreamWriter]":
        opened.append(await connect(*args, **more))
        return opened[-1]

    monkeypatch.setattr(asyncio, "open_connection", remember)
    waiting = asyncio.ensure_future(async_soundstage.requests.wait("listSpaces", timeout=600))
    while not opened:
        await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    ((_, writer),) = opened
    assert writer.is_closing()


@pytest.mark.asyncio
async def test_failures(async_soundstage: AsyncWorld) -> None:
    world = async_soundstage
    await world.faults.add("listSpaces", status=503, body={"error": "Broken."})
    with pytest.raises(ApiError, match="503: Broken."):
        await world.api.list_spaces()
    await world.faults.add("listSpaces", status=103)  # an informational response comes before the real one
    assert (await world.api.list_spaces())["count"] == 1
    await world.faults.add("listSpaces", truncate=5)
    with pytest.raises(ConnectionFailed, match="closed after 5 bytes"):
        await world.api.list_spaces()
    await world.faults.add("listSpaces", commit_then_drop=True)
    with pytest.raises(ConnectionFailed, match="closed without a response"):
        await world.api.list_spaces()
    await world.faults.add("listSpaces", latency_ms=5000)
    with pytest.raises(TimedOut, match="within 0.2 s"):
        await world.api.list_spaces(timeout=0.2)


def test_world_without_the_plugin(soundstage_sandbox: Sandbox) -> None:
    async def main() -> int:
        async with soundstage_sandbox.async_world(clock="manual") as world:
            await world.record(tone(1))
            await world.clock.advance("1h")
            return (await world.api.list_recordings())["count"]

    assert asyncio.run(main()) == 1
