// Runs through the life of a recording with openapi-fetch and the types that openapi-typescript generates from the contract into
// contract.ts, which is not committed. The environment is the same as for the Go scenario. Prints each step and exits with 1 at the
// first unexpected response.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

type Schemas = components["schemas"];

const env = (name: string): string => {
  const value = process.env[name];
  assert(value, `${name} is not set`);
  return value;
};
const clientOf = (secret: string) =>
  createClient<paths>({ baseUrl: env("BASE_URL"), headers: { Authorization: `Bearer ${secret}` } });
const api = clientOf(env("SECRET"));
const patience = 90_000;
const pause = 20;

// answered returns the body of a successful response.
function answered<T>(reply: { data?: T; error?: unknown; response: Response }): T {
  assert(reply.data !== undefined, `${reply.response.url} status ${reply.response.status}: ${JSON.stringify(reply.error)}`);
  return reply.data;
}

// refused returns the body of an error response.
function refused<E>(reply: { error?: E; response: Response }, status: number): E {
  assert.equal(reply.response.status, status, reply.response.url);
  assert(reply.error !== undefined);
  return reply.error;
}

// until polls until get returns a value.
async function until<T>(what: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + patience; ; ) {
    const got = await poll();
    if (got !== undefined) return got;
    assert(Date.now() < deadline, `${what}: timed out after ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function firstSpace(): Promise<string> {
  const { spaces, count } = answered(await api.GET("/v1/spaces"));
  assert.equal(count, spaces.length);
  const space = spaces[0];
  assert(space);
  return space.id;
}

async function upload(space_id: string): Promise<string> {
  const media = await readFile(env("MEDIA"));
  const content_type = "audio/mp4";
  const up = answered(await api.POST("/v1/uploads", { body: { filename: "talk.m4a", content_type, content_size: media.length, space_id } }));
  const put = await fetch(up.upload_url, { method: "PUT", body: media, headers: { "Content-Type": content_type } });
  assert.equal(put.status, 200, await put.text());
  return up.object_id;
}

async function record(object_id: string): Promise<string> {
  const { recording } = answered(await api.POST("/v1/recordings", { body: { object_id, title: "A conversation" } }));
  assert.equal(recording.title, "A conversation");
  assert.equal(recording.rss, null);
  await transcribed(recording.id);
  const page = answered(await api.GET("/v1/recordings", { params: { query: { query: "CONVERSATION", limit: 1 } } }));
  assert.equal(page.recordings[0]?.id, recording.id);
  return recording.id;
}

const transcribed = (id: string) =>
  until("the transcript", async () => {
    const { recording } = answered(await api.GET("/v1/recordings/{id}", { params: { path: { id } } }));
    assert.notEqual(recording.transcript_status, "error");
    return recording.has_transcript ? recording : undefined;
  });

// read returns the longest word of the first utterance.
async function read(id: string): Promise<string> {
  const path = "/v1/recordings/{id}/transcript";
  const original = answered(await api.GET(path, { params: { path: { id } } }));
  const translated = answered(await api.GET(path, { params: { path: { id }, query: { language: "de" } } }));
  assert(typeof original === "object" && typeof translated === "object");
  assert.equal(original.language, "en");
  assert.equal(translated.language, "de");
  assert.equal(translated.utterances.length, original.utterances.length);
  assert.match(await captions(id), /^WEBVTT/);
  const words = (original.utterances[0]?.words ?? []).map((w) => w.text.replace(/[.,!?]/g, ""));
  return words.reduce((longest, w) => (w.length > longest.length ? w : longest), "");
}

async function captions(id: string): Promise<string> {
  const reply = await api.GET("/v1/recordings/{id}/transcript", { params: { path: { id }, query: { format: "vtt" } }, parseAs: "text" });
  const text: unknown = answered(reply);
  assert(typeof text === "string");
  return text;
}

async function nameSpeakers(space_id: string, id: string): Promise<void> {
  const inSpace = { params: { path: { space_id } } };
  const { speaker } = answered(await api.POST("/v1/spaces/{space_id}/speakers", { ...inSpace, body: { name: "Joan Example", role: "Guest" } }));
  assert.equal(speaker.role, "Guest");
  assert.equal(speaker.email, null);
  const changed = answered(await api.PATCH("/v1/speakers/{id}", { params: { path: { id: speaker.id } }, body: { pronouns: "she/her", emoji: "🎙️" } }));
  assert.equal(changed.speaker.emoji, "🎙️");
  const list = answered(await api.GET("/v1/spaces/{space_id}/speakers", inSpace));
  const listed: Schemas["ListedSpeaker"] | undefined = list.speakers.find((s) => s.id === speaker.id);
  assert.equal(listed?.pronouns, "she/her");

  const ofRecording = { params: { path: { id } } };
  const labels = answered(await api.GET("/v1/recordings/{id}/speakers", ofRecording));
  const label = labels.speakers[0]?.label;
  assert(label);
  const pair = { ...ofRecording, body: { label, speaker_id: speaker.id } };
  assert.equal(answered(await api.POST("/v1/recordings/{id}/speakers/assign", pair)).speaker?.id, speaker.id);
  assert.match(await captions(id), /Joan Example/);
  assert.equal(answered(await api.POST("/v1/recordings/{id}/speakers/unassign", pair)).speaker, null);
  refused(await api.POST("/v1/recordings/{id}/speakers/unassign", pair), 404);
}

async function generate(id: string): Promise<void> {
  const { prompt } = answered(await api.POST("/v1/prompts", { body: { name: "Summary", prompt: "Summarize this recording." } }));
  const library = answered(await api.GET("/v1/prompts"));
  assert(library.prompts.some((p) => p.id === prompt.id) && library.prompts.some((p) => p.type === "episode_overview"));
  const queued = answered(await api.POST("/v1/recordings/{id}/generate", { params: { path: { id } }, body: { prompt_id: prompt.id } }));
  const output = await until("the output", async () => {
    const now = answered(await api.GET("/v1/outputs/{id}", { params: { path: { id: queued.output_id } } }));
    assert(now.status !== "failed" && now.status !== "canceled", now.error ?? "");
    return now.status === "completed" ? now : undefined;
  });
  assert(output.text);
  assert.equal(output.prompt_id, prompt.id);
  const list = answered(await api.GET("/v1/recordings/{id}/outputs", { params: { path: { id }, query: { type: "dynamic" } } }));
  assert(list.outputs.some((o) => o.output_id === output.output_id));
}

async function ask(id: string): Promise<void> {
  const { chat_id } = answered(await api.POST("/v1/chat", { body: { message: "What is this about?", recording_ids: [id] } }));
  const chat = await until("the answer", async () => {
    const now = answered(await api.GET("/v1/chat/{id}", { params: { path: { id: chat_id } } }));
    return now.status === "completed" ? now : undefined;
  });
  assert(chat.answer);
}

async function clip(id: string): Promise<void> {
  const suggestion = await until("the suggestions", async () => {
    const list = answered(await api.GET("/v1/recordings/{id}/clip-suggestions", { params: { path: { id }, query: { generate: true } } }));
    return list.suggestions.find((s) => s.kind === "clip");
  });
  const start_ms = suggestion.start_ms;
  assert(start_ms !== null);
  const made = answered(await api.POST("/v1/renders", { body: { recording_id: id, start_ms, end_ms: start_ms + 5000, aspect_ratio: "1:1" } }));
  const render = await until("the render", async () => {
    const now = answered(await api.GET("/v1/renders/{id}", { params: { path: { id: made.render.id } } })).render;
    assert.notEqual(now.status, "failed", now.message);
    return now.status === "completed" ? now : undefined;
  });
  assert(render.asset_url);
  const video = await fetch(render.asset_url, { headers: { Range: "bytes=4-7" } });
  assert.equal(video.status, 206);
  assert.equal(await video.text(), "ftyp");
}

async function search(id: string, word: string): Promise<void> {
  const found = answered(await api.GET("/v1/search", { params: { query: { query: word, category: "transcripts", limit: 25 } } }));
  const times = found.results.flatMap((hit) => (hit.kind === "transcript" && hit.recording_id === id ? [hit.start_ms] : []));
  assert(times.length > 0, `${word} is not found in the transcript`);
}

async function measure(): Promise<void> {
  const usage = answered(await api.GET("/v1/usage"));
  assert.equal(usage.api_tier, "platform");
  assert(usage.storage.used_bytes > 0);
}

async function fromURLs(url: string): Promise<void> {
  const queued = answered(await api.POST("/v1/imports", { body: { url } }));
  const imported = await until("the import", async () => {
    const now = answered(await api.GET("/v1/imports/{id}", { params: { path: { id: queued.import_id } } }));
    assert.equal(now.error, null);
    return now.status === "completed" ? now : undefined;
  });
  assert(imported.recording_id);
  const { id } = answered(await api.POST("/v1/transcripts", { body: { url, language_detection: true } }));
  const transcript = await until("the transcription", async () => {
    const now = answered(await api.GET("/v1/transcripts/{id}", { params: { path: { id } } }));
    assert(now.status !== "error", now.status === "error" ? now.error : "");
    return now.status === "completed" ? now : undefined;
  });
  assert(transcript.utterances.length);
}

async function subscribe(url: string): Promise<void> {
  const { webhook } = answered(await api.POST("/v1/webhooks", { body: { url, events: ["output.completed"] } }));
  assert.match(webhook.secret, /^whsec_/);
  const one = { params: { path: { id: webhook.id } } };
  const sent = answered(await api.POST("/v1/webhooks/{id}/test", one)).delivery;
  const arrived = await until("the delivery", async () => {
    const log = answered(await api.GET("/v1/webhooks/{id}/deliveries", one));
    return log.deliveries.find((d) => d.id === sent.id && d.status === "delivered");
  });
  assert.equal(arrived.attempts[0]?.status_code, 200);
  const path = { id: webhook.id, delivery_id: sent.id };
  const again = answered(await api.POST("/v1/webhooks/{id}/deliveries/{delivery_id}/replay", { params: { path } }));
  assert.equal(again.delivery.event_id, sent.event_id);
  assert.notEqual(answered(await api.POST("/v1/webhooks/{id}/rotate-secret", one)).webhook.secret, webhook.secret);
  assert.equal(answered(await api.PATCH("/v1/webhooks/{id}", { ...one, body: { disabled: true } })).webhook.disabled, true);
  assert(answered(await api.GET("/v1/webhooks")).webhooks.some((w) => w.id === webhook.id && w.disabled));
  assert.equal((await api.DELETE("/v1/webhooks/{id}", one)).response.status, 204);
  assert(refused(await api.GET("/v1/webhooks/{id}", one), 404).error);
}

async function beRefused(object_id: string, id: string): Promise<void> {
  assert(refused(await clientOf("sk_of_nobody").GET("/v1/spaces"), 401).error);
  const tier = refused(await clientOf(env("CORE_SECRET")).GET("/v1/usage"), 403);
  assert("required_tier" in tier && tier.required_tier === "platform" && tier.current_tier === "core");
  assert(refused(await api.POST("/v1/recordings", { body: { object_id } }), 409).error);
  const many = refused(await api.POST("/v1/chat", { body: { message: "Who?", recording_ids: Array<string>(11).fill(id) } }), 400);
  assert("error" in many);
  assert.equal(many.error, "recording_ids is capped at 10 recordings");
  const bad = refused(await api.POST("/v1/transcripts", { body: { url: "ftp://media.example/a.wav", language_code: "xx" } }), 400);
  assert("valid" in bad);
  assert.deepEqual(Object.keys(bad.errors).sort(), ["language_code", "url"]);
}

async function step<T>(name: string, done: Promise<T>): Promise<T> {
  console.log(name);
  return done;
}

const space = await step("spaces", firstSpace());
const object = await step("upload", upload(space));
const recording = await step("recording", record(object));
const word = await step("transcript", read(recording));
await step("speakers", nameSpeakers(space, recording));
await step("prompts and outputs", generate(recording));
await step("chat", ask(recording));
await step("clip suggestions and render", clip(recording));
await step("search", search(recording, word));
await step("usage", measure());
await step("import and transcription of a URL", fromURLs(env("MEDIA_URL")));
await step("webhooks", subscribe(env("HOOK_URL")));
await step("errors", beRefused(object, recording));
