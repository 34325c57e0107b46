// The whole workflow with fetch: upload → recording → webhook → transcript → render.
//
//   soundstage exec --allow-private-urls -- node --experimental-strip-types examples/flow.ts talk.mp4 out

import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname, join } from "node:path";

type Event = { type: string; timestamp: string; data: { recording_id: string } };
type Render = { id: string; status: "rendering" | "completed" | "failed"; message: string; asset_url: string | null };
type Received = { headers: IncomingHttpHeaders; body: Buffer };

const { SOUNDSTAGE_URL: url, SOUNDSTAGE_SECRET: secret } = process.env; // soundstage exec sets both
const [media, out = "."] = process.argv.slice(2);
if (!url || !secret || !media) throw new Error("usage: soundstage exec --allow-private-urls -- node flow.js MEDIA [FOLDER]");

// ok returns a successful response. An error includes the body, which says what is wrong.
async function ok(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}: ${await answer.text()}`);
  return answer;
}

// api sends a request to the API.
async function api(method: string, path: string, body?: object): Promise<Response> {
  return ok(await fetch(url + path, { method, headers: { Authorization: `Bearer ${secret}` }, body: body && JSON.stringify(body) }));
}

// verified returns the event of a webhook if its signature is valid and its timestamp is recent (Standard Webhooks).
function verified(secret: string, { headers, body }: Received): Event {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const want = Buffer.from("v1," + createHmac("sha256", key).update(signed).update(body).digest("base64"));
  const right = String(headers["webhook-signature"]).split(" ").some((s) => {
    const got = Buffer.from(s);
    return got.length === want.length && timingSafeEqual(got, want);
  });
  if (!right) throw new Error("the signature is invalid");
  if (Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) > 300) throw new Error("the webhook's timestamp is more than 5 minutes off");
  return JSON.parse(body.toString());
}

// 1. Start a webhook receiver that passes on the headers and the exact body. In production, this is your web server.
let passOn: (r: Received) => void;
const received = new Promise<Received>((resolve) => (passOn = resolve));
const receiver = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  passOn({ headers: req.headers, body: Buffer.concat(chunks) });
  res.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo;

// 2. Subscribe the receiver. The response is the only one with the webhook's secret.
const hook = await api("POST", "/v1/webhooks", { url: `http://127.0.0.1:${port}/hook`, events: ["transcript.completed"] });
const { webhook } = (await hook.json()) as { webhook: { id: string; secret: string } };
console.log("webhook:", webhook.id);

// 3. Upload: reserve an object, then PUT the bytes to the signed URL with the declared type and without the secret.
const types: Record<string, string> = { ".mp4": "video/mp4", ".m4a": "audio/mp4", ".mp3": "audio/mpeg" };
const type = types[extname(media)] ?? "audio/wav";
const content = await readFile(media);
const reserved = await api("POST", "/v1/uploads", { filename: basename(media), content_type: type, content_size: content.length });
const upload = (await reserved.json()) as { object_id: string; upload_url: string };
await ok(await fetch(upload.upload_url, { method: "PUT", headers: { "Content-Type": type }, body: content }));
console.log("uploaded:", upload.object_id);

// 4. Create a recording, which starts the transcription.
const made = await api("POST", "/v1/recordings", { object_id: upload.object_id });
const { recording } = (await made.json()) as { recording: { id: string } };
console.log("recording:", recording.id);

// 5. Wait for the webhook, and verify it before use.
const late = setTimeout(() => { throw new Error("no webhook received within 2 minutes"); }, 120_000);
const event = verified(webhook.secret, await received);
clearTimeout(late);
if (event.data.recording_id !== recording.id) throw new Error("the webhook is about another recording");
console.log("verified:", event.type);

// 6. Save the transcript as captions.
await mkdir(out, { recursive: true });
const captions = await api("GET", `/v1/recordings/${recording.id}/transcript?format=vtt`);
await writeFile(join(out, "talk.vtt"), await captions.text());
console.log("transcript:", join(out, "talk.vtt"));

// 7. Render a captioned clip of the first 12 s.
let answer = await api("POST", "/v1/renders", { recording_id: recording.id, start_ms: 0, end_ms: 12_000, aspect_ratio: "1:1" });
let { render } = (await answer.json()) as { render: Render };
while (render.status === "rendering") {
  await new Promise((resolve) => setTimeout(resolve, 200));
  answer = await api("GET", `/v1/renders/${render.id}`);
  ({ render } = (await answer.json()) as { render: Render });
}
if (render.status !== "completed" || !render.asset_url) throw new Error(`the render failed: ${render.message}`);
const clip = await ok(await fetch(render.asset_url));
await writeFile(join(out, "clip.mp4"), Buffer.from(await clip.arrayBuffer()));
console.log("render:", join(out, "clip.mp4"));
receiver.close();
receiver.closeAllConnections();
