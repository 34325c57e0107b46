"""The whole workflow with Python's standard library: upload → recording → webhook → transcript → render.

    soundstage exec --allow-private-urls -- python3 examples/flow.py talk.mp4 out
"""

import base64
import hashlib
import hmac
import json
import mimetypes
import os
import pathlib
import queue
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

URL = os.environ["SOUNDSTAGE_URL"]  # soundstage exec sets both
SECRET = os.environ["SOUNDSTAGE_SECRET"]


def request(method, url, body=None, headers=None):
    """Sends a request and returns the body of the response. On an error, prints the body, which says what is wrong, and exits."""
    req = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(req) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {url}: {error.code}: {error.read().decode()}")


def api(method, path, body=None):
    """Sends a request to the API."""
    headers = {"Authorization": "Bearer " + SECRET, "Content-Type": "application/json"}
    return request(method, URL + path, None if body is None else json.dumps(body).encode(), headers)


def verified(secret, headers, body):
    """Returns the event of a webhook, or exits if its signature is invalid or its timestamp is not recent (Standard Webhooks)."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    want = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(want, got) for got in headers["webhook-signature"].split(" ")):
        sys.exit("the signature is invalid")
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        sys.exit("the webhook's timestamp is more than 5 minutes off")
    return json.loads(body)


# 1. Start a webhook receiver that passes on the headers and the exact body. In production, this is your web server.
received = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        received.put((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

# 2. Subscribe the receiver. The response is the only one with the webhook's secret.
hook = json.loads(api("POST", "/v1/webhooks", {
    "url": f"http://127.0.0.1:{receiver.server_port}/hook",
    "events": ["transcript.completed"],
}))["webhook"]
print("webhook:", hook["id"])

# 3. Upload: reserve an object, then PUT the bytes to the signed URL with the declared type and without the secret.
media = pathlib.Path(sys.argv[1])
out = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
out.mkdir(parents=True, exist_ok=True)
content_type = mimetypes.guess_type(media.name)[0] or "audio/wav"
content = media.read_bytes()
upload = json.loads(api("POST", "/v1/uploads", {"filename": media.name, "content_type": content_type, "content_size": len(content)}))
request("PUT", upload["upload_url"], content, {"Content-Type": content_type})
print("uploaded:", upload["object_id"])

# 4. Create a recording, which starts the transcription.
recording = json.loads(api("POST", "/v1/recordings", {"object_id": upload["object_id"]}))["recording"]
print("recording:", recording["id"])

# 5. Wait for the webhook, and verify it before use.
event = verified(hook["secret"], *received.get(timeout=120))
if event["data"]["recording_id"] != recording["id"]:
    sys.exit("the webhook is about another recording")
print("verified:", event["type"])

# 6. Save the transcript as captions.
(out / "talk.vtt").write_bytes(api("GET", f"/v1/recordings/{recording['id']}/transcript?format=vtt"))
print("transcript:", out / "talk.vtt")

# 7. Render a captioned clip of the first 12 s.
render = json.loads(api("POST", "/v1/renders", {
    "recording_id": recording["id"], "start_ms": 0, "end_ms": 12_000, "aspect_ratio": "1:1",
}))["render"]
while render["status"] == "rendering":
    time.sleep(0.2)
    render = json.loads(api("GET", f"/v1/renders/{render['id']}"))["render"]
if render["status"] != "completed":
    sys.exit(f"the render failed: {render['message']}")
(out / "clip.mp4").write_bytes(request("GET", render["asset_url"]))
print("render:", out / "clip.mp4")
