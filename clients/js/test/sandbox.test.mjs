// The helpers against the program at SOUNDSTAGE_BINARY.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ApiError, connectSandbox, SandboxError, startSandbox, tone, verifyWebhook, withWorld } from '../dist/index.js';
import { test as worldTest } from '../dist/node-test.js';
import { globalSetup } from '../dist/setup.js';

let sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

/** A test in a world of the sandbox. */
const inWorld = (name, run, options = {}) => test(name, () => withWorld(sandbox, options, run));
const until = async (what) => {
  for (const limit = Date.now() + 60_000; !(await what()); await new Promise((done) => setTimeout(done, 20))) assert.ok(Date.now() < limit, String(what));
};
const answers = (url) => fetch(`${url}/_soundstage/health`).then(() => true, () => false);

inWorld('worlds share no data, and end with their test', async (world) => {
  const other = await sandbox.world({ seed: 9, clock: 'manual' });
  const { recording_id: id } = await world.transcribe(tone(), { title: 'Mine' });
  assert.equal((await world.api.listRecordings({ query: 'mine', limit: 1 })).recordings[0].id, id);
  assert.equal((await other.api.listRecordings()).recordings.length, 0);
  assert.equal((await other.clock.state()).mode, 'manual');
  const copy = await world.fork();
  assert.equal((await copy.api.listRecordings()).recordings.length, 1);
  await copy.reset();
  assert.equal((await copy.api.listRecordings()).recordings.length, 0);
  await Promise.all([copy.delete(), other.delete()]);
  await assert.rejects(other.api.listSpaces(), { status: 401 });
});

test('a test fails if a fault did not happen, and its own error comes first', async () => {
  const add = (world) => world.faults.add('listSpaces', { status: 503 });
  await assert.rejects(withWorld(sandbox, {}, add), { name: 'ApiError', message: /Unfired faults: fault-1/ });
  await withWorld(sandbox, { unfiredFaults: true }, add);
  await withWorld(sandbox, {}, (world) => world.delete()); // it may be over already
  await assert.rejects(withWorld(sandbox, {}, async (world) => { await add(world); throw new Error('mine'); }), /^Error: mine$/);
});

inWorld('an error of the API has status, body, reason, and hint', async (world) => {
  const error = await world.as(world.secrets.core).getUsage().catch((e) => e);
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.operation, error.body.required_tier], [403, 'getUsage', 'platform']);
  assert.ok(error.reason);
  await assert.rejects(world.clock.advance('5 parsecs'), /advanceClock: 400: by must be a duration/);
  await assert.rejects(world.api.getRecording({}), /getRecording needs the argument id \(got undefined\)/);
  await assert.rejects(world.api.getRecording({ id: 'x', ids: 'y' }), /getRecording has no argument ids/);
  assert.equal((await world.fetch('/v1/nothing')).status, 404);
  const headers = { 'Content-Type': 'application/pdf' };
  for (const [fault, message] of [[{ status: 304 }, '304: The response has no body.'], [{ status: 500, headers, body: '%PDF' }, '500: The response has 4 bytes.']]) {
    await world.faults.add('getRecordingTranscript', fault);
    await assert.rejects(world.api.getRecordingTranscript({ id: 'x', format: 'pdf' }), { message: `getRecordingTranscript: ${message}` });
  }
});

inWorld('faults delay, cut, and lose answers', async (world) => {
  await world.faults.add({ op: 'listSpaces', nth: 2 }, { status: 503, headers: { 'Retry-After': '1' } }, { times: 2 });
  await world.api.listSpaces();
  const error = await world.api.listSpaces().catch((e) => e);
  assert.deepEqual([error.status, error.headers.get('retry-after')], [503, '1']);
  assert.equal((await world.faults.list()).remaining.length, 1);
  await world.faults.clear();
  await world.faults.add('createPrompt', { commit_then_drop: true });
  await assert.rejects(world.api.createPrompt({ name: 'Once', prompt: 'Say it once.' }), TypeError);
  assert.ok((await world.api.listPrompts()).prompts.some((p) => p.name === 'Once'));
  assert.equal(await world.requests.count(), 4);
  assert.equal((await world.requests.find({ status: '5xx' })).length, 1);
  assert.equal((await world.requests.har()).log.entries.length, 4);
  await assert.rejects(world.requests.wait('getUsage', 1, 20), { status: 408 });
});

inWorld('words, fixtures, and a manual clock decide what happens', async (world) => {
  const start = await world.clock.now();
  await world.transcripts.set('talk.wav', [{ speaker: 'Speaker 0', text: 'Exactly these.', start: 100, end: 900 }], 'en');
  await world.fixtures.apply('timelines:\n  - of: transcript\n    match: { filename: broken.wav }\n    steps: queued 2s → error no_speech\n');
  const [good, broken] = [await world.record(tone(), { filename: 'talk.wav', language: 'en' }), await world.record(tone(), { filename: 'broken.wav' })];
  await assert.rejects(world.transcripts.get(good.id), /is queued, and the clock is frozen. Advance it first: world.clock.advanceUntil\('/);
  const { fired } = await world.clock.advanceUntil(good.id, 'completed');
  assert.ok(fired.some((event) => event.resource === good.id && event.status === 'completed'));
  assert.ok((await world.clock.now()) > start);
  const { utterances } = await world.transcripts.get(good.id);
  assert.deepEqual([utterances[0].text, utterances[0].start], ['Exactly these.', 100]);
  assert.deepEqual([...(await world.transcripts.export(good.id, 'pdf')).subarray(0, 4)], [...Buffer.from('%PDF')]);
  await assert.rejects(world.clock.advanceUntil(broken.id, 'completed'), { status: 409 });
  await assert.rejects(world.transcripts.get(broken.id), /The transcription of "broken.wav" failed: .*speech/i);
  assert.equal((await world.fixtures.list()).transcripts.length, 1);
  await assert.rejects(world.fixtures.apply({ transcripts: 3 }), /fixture.json:1:28: transcripts must be a list/);
  await assert.rejects(world.upload(tone(), { filename: 'a.xyz' }), /The type of a.xyz is not known/);
}, { clock: 'manual' });

for (const clock of ['auto', 'steps', 'scaled:1000', 'real']) {
  inWorld(`a transcript comes with the clock ${clock}, or in time an error`, async (world) => {
    await world.transcripts.set('talk.wav', 'Exactly these words.');
    if (clock === 'real') return assert.rejects(world.transcribe(tone(), { timeout: 50 }), /The transcript of "audio.wav" is still \w+ after 50 ms/);
    const { utterances } = await world.transcribe(tone(), { filename: 'talk.wav' });
    assert.equal(utterances[0].text, 'Exactly these words.');
    assert.deepEqual((await world.requests.find('getRecording')).length > 0, clock === 'steps');
  }, { clock });
}

for (const clock of ['auto', 'steps']) {
  test(`a test that replaces timers gets its transcript with the clock ${clock}`, { timeout: 60_000 }, (t) => withWorld(sandbox, { clock }, async (world) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }); // such as one of a client that tries again
    await world.transcripts.set('talk.wav', 'Exactly these words.');
    const { utterances } = await world.transcribe(tone(), { filename: 'talk.wav' });
    assert.equal(utterances[0].text, 'Exactly these words.');
    await world.clock.idle();
  }));
}

for (const clock of ['auto', 'manual']) {
  inWorld(`a sink gets signed messages with the clock ${clock}`, async (world) => {
    const sink = await world.webhooks.sink({ events: ['transcript.completed'], status: [500, 200] });
    if (clock === 'manual') await world.webhooks.policy({ timestamp: 'virtual' });
    await world.webhooks.hold();
    await world.webhooks.trigger('transcript.completed', { overrides: { transcript_status: 'error' } });
    assert.equal((await sink.messages())[0].status, 'held');
    await assert.rejects(sink.verify((await sink.messages())[0]), /was not sent yet/);
    assert.equal(await world.webhooks.release(), 1);
    const [message] = await sink.wait();
    assert.equal((await sink.verify(message)).data.transcript_status, 'error');
    assert.equal((await world.webhooks.resend(message.id)).kind, 'resend');
    for (const what of ['signature', 'body', 'timestamp', 'id']) {
      const attempt = await world.webhooks.corrupt(message.id, what);
      assert.throws(() => verifyWebhook(sink.secret, attempt.request.headers, attempt.request.body), /not valid|s off/, what);
    }
    await world.webhooks.trigger('transcript.completed', { resource: 'second' });
    for (const messages of [await sink.wait(2), await sink.messages(), await world.webhooks.messages()]) assert.equal(messages.at(-1).resource, 'second');
    await sink.close();
  }, { clock });
}

test('verifyWebhook reads headers of every kind, and refuses what a receiver must refuse', async () => {
  await withWorld(sandbox, {}, async (world) => {
    const sink = await world.webhooks.sink();
    await world.webhooks.trigger('output.completed');
    const { request } = (await sink.wait())[0].attempts[0];
    const pairs = request.headers.map(({ name, value }) => [name.toLowerCase(), value]);
    const object = Object.fromEntries(pairs);
    const others = { get: (name) => object[name] ?? null }; // Headers of another realm, as those of a request are with jsdom
    for (const headers of [object, new Headers(pairs), others, request.headers]) assert.equal(verifyWebhook(sink.secret, headers, request.body).type, 'output.completed');
    assert.equal(verifyWebhook(sink.secret, object, Buffer.from(request.body)).type, 'output.completed');
    assert.throws(() => verifyWebhook(`whsec_${btoa('another')}`, object, request.body), /Check that the secret is the webhook's/);
    assert.throws(() => verifyWebhook(sink.secret, object, `${request.body} `), /not valid/);
    assert.throws(() => verifyWebhook(sink.secret, {}, request.body), /is no webhook/);
    assert.throws(() => verifyWebhook(sink.secret, object, request.body, { tolerance: -1 }), /s off/);
    for (const signature of ['v1,', 'v2,x', 'v1', '', 'v1,é']) {
      assert.throws(() => verifyWebhook(sink.secret, { ...object, 'webhook-signature': signature }, request.body), /not valid|is no webhook/);
    }
  });
});

worldTest.todo('a test without a function is for later');

test('a sandbox that can not start says why', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const fails = (options, message) => assert.rejects(startSandbox(options), { name: 'SandboxError', message });
  await fails({ port: taken.address().port }, /did not start: soundstage ended with exit code 4.+is in use by another program/s);
  await fails({ clock: 'sideways' }, /exit code 2.+"sideways" is not a clock mode/s);
  await fails({ env: { PATH: '/nowhere' } }, /exit code 5.+apt install ffmpeg/s);
  const folder = mkdtempSync(join(tmpdir(), 'soundstage-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const binary = join(folder, 'slow');
  writeFileSync(binary, '#!/bin/sh\necho "still reading the data" >&2\nexec sleep 600\n', { mode: 0o755 });
  await fails({ binary, timeout: 500 }, /was not ready within 500 ms. Set a longer timeout/);
  await fails({ binary: '/not/here' }, /\/not\/here can't be run.+Check the path/);
  await assert.rejects(startSandbox({ timeout: -1 }), /timeout must be a positive number/);
  await assert.rejects(startSandbox({ port: 70_000 }), /port must be an integer from 0 to 65535 \(got 70000\)/);
});

test('a sandbox can do without ffmpeg', async (t) => {
  const sandbox = await startSandbox({ ffmpegOptional: true, env: { PATH: '/nowhere' } });
  t.after(() => sandbox.stop());
  const { utterances } = await sandbox.transcribe(tone());
  assert.ok(utterances.length > 0);
});

test('variables that are flags of the program have no effect on tests', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'soundstage-test-'));
  Object.assign(process.env, { SOUNDSTAGE_DATA: folder, SOUNDSTAGE_CLOCK: 'manual', SOUNDSTAGE_CONTROL_TOKEN: 'sesame' });
  t.after(() => {
    for (const name of ['DATA', 'CLOCK', 'CONTROL_TOKEN']) delete process.env[`SOUNDSTAGE_${name}`];
    rmSync(folder, { recursive: true });
  });
  const own = await startSandbox();
  const world = await own.world().finally(() => own.stop()); // not with a folder for data
  assert.equal(world.name, 'world-1');
  assert.deepEqual(readdirSync(folder), []);
});

test('a sandbox whose control API needs a token is used with it', async () => {
  const ways = [{ args: ['--control-token', 'one'] }, { args: ['--control-token=two'] }, { env: { ...process.env, SOUNDSTAGE_CONTROL_TOKEN: 'three' } }];
  for (const way of ways) {
    const own = await startSandbox(way);
    const world = await own.world().finally(() => own.stop());
    assert.equal(world.name, 'world-1');
  }
});

test('a sandbox that dies is named in the errors of requests', async () => {
  const own = await startSandbox();
  process.kill(own.pid, 'SIGKILL');
  await until(async () => !(await answers(own.url)));
  await assert.rejects(own.api.listSpaces(), (e) => e instanceof SandboxError && /does not run any more: soundstage ended with signal SIGKILL/.test(e.message));
  await own.stop();
});

test('a sandbox ends with the process that started it, even if that is killed', async () => {
  const script = `import { startSandbox } from '${new URL('../dist/index.js', import.meta.url)}'; console.log((await startSandbox()).url); setInterval(() => {}, 1000)`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = String((await once(parent.stdout, 'data'))[0]).trim();
  assert.ok(await answers(url));
  parent.kill('SIGKILL');
  await until(async () => !(await answers(url)));
});

test('a process that only starts a sandbox can end', async () => {
  const script = `import { startSandbox } from '${new URL('../dist/index.js', import.meta.url)}'; await (await startSandbox()).api.listSpaces()`;
  const child = execFile(process.execPath, ['--input-type=module', '-e', script]);
  assert.equal((await once(child, 'exit'))[0], 0);
});

test('the global setup shares one sandbox', async () => {
  const teardown = await globalSetup();
  const shared = await connectSandbox();
  assert.equal(shared.url, process.env.SOUNDSTAGE_URL);
  assert.equal((await shared.api.listSpaces()).count, 1);
  await teardown();
  assert.equal(process.env.SOUNDSTAGE_URL, undefined);
  await assert.rejects(connectSandbox({ url: shared.url }), /No sandbox answers at http:.+Start it there with `soundstage serve`/);
  await assert.rejects(connectSandbox({ url: 'nonsense' }), /needs the address of a sandbox \(got "nonsense"\)/);
});
