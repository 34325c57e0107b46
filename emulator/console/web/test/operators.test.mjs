// The console of those who run a node, on a real node: every page at three widths, light and dark. What a person does there on PostgreSQL and
// S3 is in node/operators_test.go.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBrowser, folder, looked, media, open, program, sandbox, until } from './harness.mjs';

const token = '0123456789abcdef0123456789abcdef';
const place = folder('node');
const database = `sqlite:${join(place, 'rows.db')}`;
const file = (name, text) => (writeFileSync(join(place, name), `${text}\n`, { mode: 0o600 }), join(place, name));
const flags = ['--database', database, '--objects', `file:${join(place, 'blobs')}`, '--signing-key-file', file('signing', 'k'.repeat(32)), '--control-token-file', file('token', token), '--allow-private-urls'];

const secret = /sk_\S+/.exec(execFileSync(program(), ['keys', 'create', '--database', database, '--tier', 'platform', '--name', 'test'], { encoding: 'utf8' }))[0];

let node;
let receiver;
let healthy = false;
const get = async (path) => (await fetch(`${node.url}/_soundstage/${path}`, { headers: { 'X-Soundstage-Token': token } })).json();
before(async () => {
  node = await sandbox(...flags);
  receiver = createServer((_, response) => response.writeHead(healthy ? 200 : 418).end());
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  await closeBrowser();
  await node?.stop();
  receiver?.close();
});

const allowed = [/401/, /net::ERR_|Failed to load resource/];

test('operators', async () => {
  const tab = await open(`${node.url}/_soundstage/console/`, { allowed });
  const { page } = tab;
  await page.getByLabel('Control token').waitFor();
  await looked(page, 'operators-token');
  await page.getByLabel('Control token').fill(token);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No recordings yet').waitFor();
  await looked(page, 'operators-empty');

  const v1 = (method, path, body) => node.v1(method, path, body, secret);
  await v1('POST', '/v1/webhooks', { url: `http://127.0.0.1:${receiver.address().port}/hook`, events: ['transcript.completed'] });
  const ids = [];
  for (const [name, bytes, type] of [['conversation.mp4', readFileSync(media('conversation.mp4')), 'video/mp4'], ['broken.wav', Buffer.from('no sound'), 'audio/wav']]) {
    const reserved = await v1('POST', '/v1/uploads', { filename: name, content_type: type, content_size: bytes.length, title: `A recording named ${name}` });
    assert.ok(reserved.upload_url, JSON.stringify(reserved));
    await fetch(reserved.upload_url, { method: 'PUT', body: bytes, headers: { 'Content-Type': type } });
    ids.push((await v1('POST', '/v1/recordings', { object_id: reserved.object_id })).recording.id);
  }
  await until(async () => (await get('recordings')).recordings.filter((r) => ['completed', 'error'].includes(r.transcript_status)).length === 2, 60_000);
  await until(async () => (await get('deliveries?status=retrying')).deliveries.length === 1, 60_000);

  await page.getByRole('option', { name: /broken\.wav/ }).waitFor();
  await looked(page, 'operators-recordings');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('option', { name: /broken\.wav/ }).click();
  await page.getByRole('region', { name: 'Recording', exact: true }).getByText('not audio or video').waitFor();
  await looked(page, 'operators-recording');

  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('option', { name: /retrying transcript/ }).click();
  await page.getByRole('link', { name: 'of this delivery' }).waitFor();
  await looked(page, 'operators-delivery');
  await page.getByRole('link', { name: 'of this delivery' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  healthy = true;
  await page.getByRole('option', { name: /retrying webhook\.deliver/ }).click();
  await page.getByRole('button', { name: 'Run now' }).waitFor();
  await looked(page, 'operators-job');
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.locator('.detail-head').getByText('completed').waitFor();

  await page.goto(`${node.url}/_soundstage/console/#/nowhere`);
  await page.getByText('There is no such page').waitFor();
  await node.stop();
  await page.goto('about:blank').catch(() => undefined);
  node = await sandbox(...flags, '--addr', `127.0.0.1:${new URL(node.url).port}`);
  await page.goto(`${node.url}/_soundstage/console/#/jobs`);
  await page.getByRole('option', { name: /transcript\.transcribe/ }).first().waitFor();
  await node.stop();
  await page.getByText('The node does not respond').waitFor({ timeout: 15_000 });
  assert.ok((await page.getByRole('option').count()) > 0, 'what was known stays');
  await looked(page, 'operators-lost');
  await tab.close();
});
