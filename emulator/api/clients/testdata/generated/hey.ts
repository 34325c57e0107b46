// Uploads a recording, reads its transcript, and downloads a render of it, with the clients that hey-api generates into hey. The environment
// is the same as for the other scenarios.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { client as controlClient } from "./hey/control/client.gen";
import { listRequests } from "./hey/control/sdk.gen";
import { client } from "./hey/v1/client.gen";
import {
  createRecording, createRender, createTranscript, createUpload, getObject, getRecording, getRecordingTranscript, getRender, getTranscript, getUsage, putObject,
} from "./hey/v1/sdk.gen";
import type { Transcript } from "./hey/v1/types.gen";
import { contentType, env, requireVideo, signed, until } from "./steps";

client.setConfig({ baseUrl: env("BASE_URL"), auth: () => env("SECRET") });
controlClient.setConfig({ baseUrl: env("BASE_URL") });

// words compiles only if `status` narrows the type.
const words = (t: Transcript): number => (t.status === "completed" ? t.utterances.length : t.status === "error" ? -t.error.length : 0);

function answered<T>(reply: { data?: T; error?: unknown; response?: Response }): T {
  assert(reply.data !== undefined, `${reply.response?.url} status ${reply.response?.status}: ${JSON.stringify(reply.error)}`);
  return reply.data;
}

async function main(): Promise<void> {
  const media = new Blob([await readFile(env("MEDIA"))]);
  const up = answered(await createUpload({ body: { filename: "talk.m4a", content_type: contentType, content_size: media.size } }));
  const { object_id, query } = signed(up.upload_url);
  const put = await putObject({ path: { object_id }, query, body: media, headers: { "Content-Type": contentType } });
  assert.equal(put.response?.status, 200, JSON.stringify(put.error));
  const { recording } = answered(await createRecording({ body: { object_id: up.object_id } }));
  const path = { id: recording.id };
  await until("the transcript", async () => (answered(await getRecording({ path })).recording.has_transcript ? true : undefined));
  const transcript = answered(await getRecordingTranscript({ path }));
  assert(typeof transcript === "object" && "utterances" in transcript && transcript.utterances.length > 1);
  const captions: unknown = answered(await getRecordingTranscript({ path, query: { format: "vtt" } }));
  assert(typeof captions === "string" && captions.startsWith("WEBVTT"), String(captions));
  const made = answered(await createRender({ body: { recording_id: recording.id, start_ms: 0, end_ms: 5000, aspect_ratio: "1:1" } })).render;
  const address = await until("the render", async () => answered(await getRender({ path: { id: made.id } })).render.asset_url ?? undefined);
  const asset = signed(address);
  const video: unknown = answered(await getObject({ path: { object_id: asset.object_id }, query: asset.query }));
  assert(video instanceof Blob);
  await requireVideo(video);
  const queued = answered(await createTranscript({ body: { url: env("MEDIA_URL") } }));
  const done = await until("the transcription", async () => {
    const now = answered(await getTranscript({ path: { id: queued.id } }));
    return now.status === "completed" ? now : undefined;
  });
  assert(words(done) > 1);
  const refused = await getUsage({ auth: () => env("CORE_SECRET") });
  assert(refused.error && "required_tier" in refused.error && refused.error.required_tier === "platform");
  assert(answered(await listRequests({ query: { op: "putObject" } })).count >= 0);
  console.log("done");
}

void main();
