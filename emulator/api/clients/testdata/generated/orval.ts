// Uploads a recording, reads its transcript, and downloads a render of it, with the clients that orval generates into orval. The environment
// is the same as for the other scenarios.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { listRequests } from "./orval/control";
import { createRecording, createRender, createUpload, getObject, getRecording, getRecordingTranscript, getRender, getUsage, putObject } from "./orval/v1";
import type { Transcript } from "./orval/v1";
import { contentType, env, requireVideo, signed, until } from "./steps";

// orval's clients call fetch with paths.
const request = globalThis.fetch;
globalThis.fetch = (input, init) => request(new URL(String(input), env("BASE_URL")), init);

// words compiles only if `status` narrows the type.
export const words = (t: Transcript): number => (t.status === "completed" ? t.utterances.length : t.status === "error" ? -t.error.length : 0);

const as = (name: string) => ({ headers: { Authorization: `Bearer ${env(name)}` } });

async function main(): Promise<void> {
  const secret = as("SECRET");
  const media = new Blob([await readFile(env("MEDIA"))]);
  const up = await createUpload({ filename: "talk.m4a", content_type: contentType, content_size: media.size }, secret);
  assert(up.status === 201, JSON.stringify(up.data));
  const { object_id, query } = signed(up.data.upload_url);
  const put = await putObject(object_id, media, query, { headers: { "Content-Type": contentType } });
  assert.equal(put.status, 200, JSON.stringify(put.data));
  const created = await createRecording({ object_id: up.data.object_id }, secret);
  assert(created.status === 201, JSON.stringify(created.data));
  const id = created.data.recording.id;
  await until("the transcript", async () => {
    const now = await getRecording(id, secret);
    assert(now.status === 200, JSON.stringify(now.data));
    return now.data.recording.has_transcript ? true : undefined;
  });
  const read = await getRecordingTranscript(id, undefined, secret);
  assert.equal(read.status, 200);
  const render = await createRender({ recording_id: id, start_ms: 0, end_ms: 5000, aspect_ratio: "1:1" }, secret);
  assert(render.status === 202, JSON.stringify(render.data));
  const address = await until("the render", async () => {
    const now = await getRender(render.data.render.id, secret);
    assert(now.status === 200, JSON.stringify(now.data));
    return now.data.render.asset_url ?? undefined;
  });
  const asset = signed(address);
  const video = await getObject(asset.object_id, asset.query);
  assert(video.status === 200);
  await requireVideo(video.data);
  const refused = await getUsage(as("CORE_SECRET"));
  assert(refused.status === 403 && refused.data.required_tier === "platform", JSON.stringify(refused.data));
  const log = await listRequests({ op: "putObject" });
  assert(log.status === 200 && log.data.count >= 0);
  console.log("done");
}

void main();
