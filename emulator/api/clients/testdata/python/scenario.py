"""Uploads a recording, reads its transcript, and downloads a render of it, with the classes that quicktype generates from the contracts.

The classes are in the modules v1 and control, which are not committed. The environment is the same as for the other scenarios.
"""

import json
import os
import time
import urllib.error
import urllib.request
from typing import Any, Optional

import control
import v1

CONTENT_TYPE = "audio/mp4"


def call(method: str, path: str, body: Optional[Any] = None, secret: str = "SECRET", want: int = 200) -> Any:
    """Calls the API, and returns the decoded JSON of a response with the wanted status."""
    request = urllib.request.Request(os.environ["BASE_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ[secret])
    if body is not None:
        request.data = json.dumps(body.to_dict()).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request) as response:
            status, raw = response.status, response.read()
    except urllib.error.HTTPError as refusal:
        status, raw = refusal.code, refusal.read()
    assert status == want, (method, path, status, raw)
    return json.loads(raw)


def until(what: str, poll: Any) -> Any:
    """Polls until a value is there."""
    deadline = time.monotonic() + 90
    while True:
        got = poll()
        if got is not None:
            return got
        assert time.monotonic() < deadline, what + ": timed out"
        time.sleep(0.02)


def upload() -> str:
    """Uploads the media, and returns the ID of the object."""
    with open(os.environ["MEDIA"], "rb") as file:
        media = file.read()
    new = v1.NewUpload(filename="talk.m4a", content_type=CONTENT_TYPE, content_size=len(media))
    made = v1.Upload.from_dict(call("POST", "/v1/uploads", new, want=201))
    put = urllib.request.Request(made.upload_url, data=media, method="PUT", headers={"Content-Type": CONTENT_TYPE})
    with urllib.request.urlopen(put) as response:
        assert response.status == 200
    return made.object_id


def transcribed(recording_id: str) -> Optional[v1.RecordingTranscript]:
    """Returns the transcript of a recording when it is completed."""
    now = v1.RecordingBody.from_dict(call("GET", "/v1/recordings/" + recording_id)).recording
    assert now.transcript_status is not v1.TranscriptStatus.ERROR
    if not now.has_transcript:
        return None
    return v1.RecordingTranscript.from_dict(call("GET", "/v1/recordings/" + recording_id + "/transcript"))


def rendered(render_id: str) -> Optional[str]:
    """Returns the URL of a render's video when it is completed."""
    now = v1.RenderBody.from_dict(call("GET", "/v1/renders/" + render_id)).render
    assert now.status is not v1.RenderStatus.FAILED, now.message
    return now.asset_url


def main() -> None:
    """Runs all steps."""
    new = v1.NewRecording(object_id=upload())
    recording = v1.RecordingBody.from_dict(call("POST", "/v1/recordings", new, want=201)).recording
    assert recording.rss is None
    recording_id = str(recording.id)
    transcript = until("the transcript", lambda: transcribed(recording_id))
    assert len(transcript.utterances) > 1 and transcript.utterances[0].words[0].text, transcript
    segment = v1.NewRender(recording_id=recording_id, start_ms=0, end_ms=5000, aspect_ratio="1:1")
    render = v1.RenderBody.from_dict(call("POST", "/v1/renders", segment, want=202)).render
    with urllib.request.urlopen(until("the render", lambda: rendered(str(render.id)))) as response:
        video = response.read()
    assert video[4:8] == b"ftyp" and len(video) > 1000
    tier = v1.TierError.from_dict(call("GET", "/v1/usage", secret="CORE_SECRET", want=403))
    assert tier.required_tier is v1.Tier.PLATFORM and tier.current_tier is v1.Tier.CORE
    log = control.Requests.from_dict(call("GET", "/_soundstage/requests?op=putObject"))
    assert log.count >= 0
    print("done")


main()
