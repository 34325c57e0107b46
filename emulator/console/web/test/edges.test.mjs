// What people do that nobody expects: they go to another world in the middle of something, ask for a world that is gone, paste a hidden token,
// open many tabs, drop a folder, and have more rows than a page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBrowser, dropFile, folder, media, open, openBrowser, sandbox, sleep, until } from './harness.mjs';

let s;
before(async () => {
  s = await sandbox('--allow-private-urls');
});
after(async () => {
  await closeBrowser();
  await s?.stop();
});
const choose = (page, world) => page.locator('nav').getByRole('combobox', { name: 'World' }).selectOption(world);
const world = (name, more = {}) => s.control('POST', '/worlds', { name, ...more });

// An upload ends in the world where it began, and a receiver answers to its own.
test('another world in the middle', async () => {
  await world('first');
  const tab = await open(s.console('webhooks?world=first'));
  const { page } = tab;
  await page.getByRole('button', { name: 'Receive here' }).click();
  await page.getByText('This page receives').waitFor();
  await page.route('**/storage/**', async (route) => (await sleep(800), await route.continue()));
  await page.goto(s.console('recordings?world=first'));
  await dropFile(page, media('conversation.wav'), '.zone');
  await page.getByText('conversation.wav').waitFor();
  await choose(page, 'default');
  await page.getByText('conversation.wav is in the world “first” now.').waitFor();
  const { recordings } = await s.v1('GET', '/v1/recordings', undefined, 'sk_sandbox_platform_first');
  assert.deepEqual(recordings.map((r) => r.title), ['conversation.wav']);

  await page.goto(s.console('webhooks'));
  await page.getByText('This page receives those of the world “first”').waitFor();
  const sent = await s.control('POST', '/webhooks/trigger?world=first', { event: 'transcript.completed' });
  await until(async () => (await s.control('GET', `/webhooks/outbox/${sent.messages[0]}?world=first`)).message.status === 'delivered');
  await tab.close();
});

// A message about a text leads to its recording.
test('message about a text', async () => {
  await world('texts');
  await s.control('POST', '/webhooks/sink?world=texts', {});
  const tab = await open(null);
  const { page } = tab;
  const { messages: [id] } = await s.control('POST', '/webhooks/trigger?world=texts', { event: 'output.completed', overrides: { recording_id: '0195d3a0-0000-4000-8000-000000000001' } });
  await page.goto(s.console(`webhooks/${id}?world=texts`));
  await page.getByRole('link', { name: '0195d3a0-0000-4000-8000-000000000001' }).waitFor();
  assert.equal(await page.locator('.detail dd a.mono').count(), 1, 'the text itself has no page');
  await tab.close();
});

// A world that doesn't exist is named, and comes when it is created.
test('world that is gone', async () => {
  const tab = await open(s.console('requests?world=late'), { allowed: [/404/] });
  const { page } = tab;
  await page.getByRole('heading', { name: 'There is no world “late”' }).waitFor();
  assert.equal(await page.getByText('No connection to the sandbox').count(), 0);
  await world('late');
  await page.getByText('No requests yet').waitFor({ timeout: 15_000 });
  await tab.close();
});

// A token or a secret that can't be sent is refused at once: the form remains.
test('hidden token', async (t) => {
  const guarded = await sandbox('--control-token', 'open sesame');
  t.after(guarded.stop);
  const tab = await open(guarded.console('jobs'), { allowed: [/401/] });
  const { page } = tab;
  await page.getByLabel('Control token').fill('••••••');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('It can’t have the character “•”.').waitFor();
  await page.getByLabel('Control token').fill('open sesame');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No jobs yet').waitFor();
  await tab.close();
});

// Tabs that nobody sees leave their connections to others: a browser has six for a server.
test('many tabs', async () => {
  const tab = await open(null);
  await tab.page.clock.install();
  const hide = (page, hidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const streams = [];
  await tab.page.context().route('**/_soundstage/events*', (route) => (streams.push(route.request()), route.continue()));
  await tab.page.goto(s.console('requests'));
  await tab.page.getByText('Live', { exact: true }).waitFor();
  await hide(tab.page, true);
  const ended = new Promise((resolve) => tab.page.on('requestfailed', (r) => r.url().includes('/events') && resolve()));
  await tab.page.clock.runFor(11_000);
  await ended;
  await tab.page.clock.resume();
  await s.v1('GET', '/v1/usage'); // while nobody looks
  await sleep(400);
  assert.equal(streams.length, 1, 'a hidden tab has no stream');
  await hide(tab.page, false);
  await tab.page.getByRole('option', { name: /GET \/v1\/usage/ }).waitFor();
  await until(() => streams.length === 2);
  assert.ok(streams[1].headers()['last-event-id'], 'the stream is resumed');
  await tab.close();
});

// An answer that comes late doesn't replace what is newer, and nothing is lost before the stream is open.
test('late answers', async () => {
  await world('slow', { clock: 'manual' });
  const secret = 'sk_sandbox_platform_slow';
  const bytes = readFileSync(media('conversation.wav'));
  const reserved = await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: bytes.length }, secret);
  await fetch(reserved.upload_url, { method: 'PUT', body: bytes, headers: { 'Content-Type': 'audio/wav' } });
  await s.v1('POST', '/v1/recordings', { object_id: reserved.object_id }, secret);
  const { id } = (await s.control('GET', '/jobs?world=slow')).jobs.find((j) => j.kind === 'transcript.transcribe');
  // opened opens a page, of which one request waits until it is let pass. early says to wait with the request itself, not with its answer.
  const opened = async (page, path, early = false) => {
    const tab = await open(null);
    let arrived;
    let pass;
    const held = new Promise((resolve) => (arrived = resolve));
    const passing = new Promise((resolve) => (pass = resolve));
    const wait = async (route) => {
      const response = early ? undefined : await route.fetch();
      arrived();
      await passing;
      await (early ? route.continue() : route.fulfill({ response }));
    };
    await tab.page.route(path, wait, { times: 1 });
    await tab.page.goto(s.console(page));
    await held;
    return { ...tab, pass };
  };

  const list = await opened('requests?world=slow', '**/_soundstage/requests?*');
  await list.page.getByText('Live', { exact: true }).waitFor();
  await s.v1('GET', '/v1/usage', undefined, secret);
  await sleep(200); // the stream tells the page
  list.pass();
  await sleep(200);
  await list.page.getByRole('option', { name: /GET \/v1\/usage/ }).waitFor();
  await list.close();

  const stream = await opened('requests?world=slow', '**/_soundstage/events?*', true);
  await sleep(300); // the page would have its list by now
  await s.v1('GET', '/v1/spaces', undefined, secret);
  stream.pass();
  await stream.page.getByRole('option', { name: /GET \/v1\/spaces/ }).waitFor();
  await stream.close();

  // A page doesn't wait long for a stream, and learns what it missed.
  const slow = await opened('requests?world=slow', '**/_soundstage/events?*', true);
  await slow.page.getByRole('option', { name: /GET \/v1\/spaces/ }).waitFor();
  await s.v1('GET', '/v1/webhooks', undefined, secret);
  slow.pass();
  await slow.page.getByRole('option', { name: /GET \/v1\/webhooks/ }).waitFor();
  await slow.close();

  const job = await opened(`jobs/${id}?world=slow`, `**/_soundstage/jobs/${id}?*`);
  await job.page.getByText('Live', { exact: true }).waitFor();
  await s.control('POST', `/jobs/${id}/cancel?world=slow`);
  const head = job.page.locator('.detail-head');
  await head.getByText('canceled').waitFor();
  job.pass();
  await sleep(200);
  assert.match(await head.textContent(), /canceled/);
  await job.close();
});

// What can't be uploaded is said, with why.
test('nothing to upload', async () => {
  const tab = await open(s.console('recordings'), { allowed: [/ERR_/] });
  const { page } = tab;
  const place = folder('drop');
  writeFileSync(join(place, 'empty.wav'), '');
  mkdirSync(join(place, 'album'));
  await page.getByText('Drop audio or video here').waitFor();
  await dropFile(page, join(place, 'empty.wav'), '.zone');
  await page.getByRole('group', { name: 'Upload of empty.wav' }).getByText('The file is empty.').waitFor();
  await dropFile(page, join(place, 'album'), '.zone');
  await page.getByRole('group', { name: 'Upload of album' }).getByText('Choose files, not folders.').waitFor();
  await tab.close();
});

// A list that was made longer stays so when something happens, and has each row once.
test('more than a page', async () => {
  await world('long');
  const recordings = Array.from({ length: 130 }, (_, i) => ({ title: `Number ${i}`, media: { speech: '1s' }, transcript: { utterances: [{ speaker: 'A', text: `This is number ${i}.`, start: 50, end: 900 }] } }));
  await s.control('POST', '/fixtures?world=long', { version: 1, spaces: [{ id: 'default', recordings }] });
  const tab = await open(s.console('recordings?world=long'));
  const { page } = tab;
  const rows = page.locator('[role=option]');
  const total = async () => Number(await page.locator('.item').first().getAttribute('aria-setsize'));
  await page.getByRole('button', { name: 'Load more' }).dblclick();
  await until(async () => (await total()) === 130);
  await s.control('POST', '/fixtures?world=long', { version: 1, spaces: [{ id: 'default', recordings: [{ ...recordings[0], title: 'One more' }] }] });
  await rows.filter({ hasText: 'One more' }).waitFor();
  assert.equal(await total(), 131);

  // The first key of a list goes to the end that it names.
  await page.keyboard.press('Home');
  assert.equal(await page.locator('.item.active').getAttribute('aria-posinset'), '1');
  await page.keyboard.press('End');
  assert.equal(await page.locator('.item.active').getAttribute('aria-posinset'), '131');

  // A slow answer to what was typed before never replaces that to what is typed now.
  let first = true;
  await page.route('**/v1/search*', async (route) => {
    const slow = first;
    first = false;
    if (slow) await sleep(900);
    await route.continue();
  });
  const box = page.getByRole('searchbox', { name: 'Search recordings' });
  const asked = page.waitForRequest(/search/);
  await box.fill('number 7');
  await asked;
  await box.fill('number 123');
  await page.getByRole('link', { name: /Number 123/ }).first().waitFor();
  await sleep(1200);
  assert.match(await page.locator('.hits li').first().innerText(), /123/);
  await tab.close();
});

// A request copied as curl is the same request: curl takes nothing of it as an instruction.
test('copied as curl', async () => {
  await world('curl');
  const secret = { Authorization: 'Bearer sk_sandbox_platform_curl' };
  const sent = [
    ['GET', '/v1/recordings?query=[1-3]{a,b}'],
    ['HEAD', '/v1/recordings'],
    ['POST', '/v1/chat', `@${media('tone.wav')}`],
    ['POST', '/v1/chat', Uint8Array.from([0, 1, 255, 10, 13])],
    ['POST', '/v1/chat', '{"message": "it\'s `here` \\\\ $HOME"}\r\n'],
    ['GET', '/v1/spaces', undefined, { 'X-Empty': '' }],
  ];
  for (const [method, path, body, headers] of sent) await fetch(s.url + path, { method, body, headers: { ...secret, ...headers } });
  const tab = await open(null);
  const before = (await s.control('GET', '/requests?world=curl')).requests.map((r) => r.number);
  assert.equal(before.length, sent.length);
  for (const number of before) {
    await tab.page.goto('about:blank');
    await tab.page.goto(s.console(`requests/${number}?world=curl`));
    const code = await tab.page.getByRole('region', { name: 'As curl' }).textContent();
    execFileSync('sh', ['-c', code.replace('curl ', 'curl -s -m 5 ')]);
    const { requests } = await s.control('GET', '/requests?world=curl');
    const [was, is] = [requests.find((r) => r.number === number), requests.at(-1)];
    for (const member of ['method', 'path', 'query', 'status', 'request_body']) assert.deepEqual(is[member], was[member], `${member} of\n${code}`);
  }
  assert.equal((await s.control('GET', '/requests?world=curl')).requests.length, 2 * sent.length, 'one request for each');
  await tab.close();
});

// A recording shows the clips that were made of it, also those of a client, and after a reload.
test('clips of a client', async () => {
  const id = await s.transcribed('conversation.mp4', 'With clips');
  const tab = await open(s.console(`recordings/${id}`));
  const { page } = tab;
  await page.getByText('Make a clip', { exact: true }).waitFor();
  await s.v1('POST', '/v1/renders', { recording_id: id, start_ms: 0, end_ms: 4000, aspect_ratio: '1:1' });
  const clip = page.getByRole('article', { name: /^Clip 0:00/ });
  await clip.getByRole('link', { name: 'Download' }).waitFor({ timeout: 60_000 });
  await page.reload();
  await clip.getByRole('link', { name: 'Download' }).waitFor();
  assert.equal(await clip.count(), 1);
  await tab.close();
});

// A title or a name of any length is cut: nothing sticks out of the page.
test('long titles', async () => {
  const id = await s.upload('tone.wav', readFileSync(media('tone.wav')), 'word'.repeat(45));
  const speech = await s.transcribed('conversation.mp4', 'long words '.repeat(17).trim());
  const [{ id: space }] = (await s.v1('GET', '/v1/spaces')).spaces;
  const { speaker } = await s.v1('POST', `/v1/spaces/${space}/speakers`, { name: 'Name'.repeat(40) });
  await s.v1('POST', `/v1/recordings/${speech}/speakers/assign`, { label: 'Speaker 0', speaker_id: speaker.id });
  const tab = await open(null);
  const { page } = tab;
  for (const width of [1440, 800, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [`recordings/${speech}`, `recordings/${id}`, 'recordings', 'recordings?q=long']) {
      await page.goto('about:blank');
      await page.goto(s.console(path));
      await page.getByText(/long words|wordword/).first().waitFor();
      for (const name of path.includes(speech) ? ['Clips', 'Speakers', 'Details'] : []) {
        await page.getByRole('tab', { name }).click();
        const out = await page.evaluate(() => [...document.querySelectorAll('main, .panel')].map((e) => e.scrollWidth - e.clientWidth));
        assert.ok(Math.max(...out) <= 0, `${path}, ${name}, at ${width} px: ${out}`);
      }
      const out = await page.locator('main').evaluate((e) => e.scrollWidth - e.clientWidth);
      assert.ok(out <= 0, `${path} at ${width} px: ${out}`);
    }
  }
  await tab.close();
});
