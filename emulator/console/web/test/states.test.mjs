// What the console shows when something is missing: the connection, the token, a secret, ffmpeg.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, dragWords, folder, looked, media, open, sandbox, sandboxIn, until } from './harness.mjs';

after(closeBrowser);

// breakable returns the URL of a way to a sandbox, which cut closes and mend opens again.
async function breakable(t, s) {
  const to = new URL(s.url);
  const sockets = new Set();
  let broken = false;
  const proxy = createServer((client) => {
    if (broken) return client.destroy();
    const server = connect(Number(to.port), to.hostname);
    sockets.add(client);
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    broken = true;
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    cut();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${proxy.address().port}`, cut, mend: () => (broken = false) };
}

// A connection that is lost is said to be lost, and comes back by itself with what happened meanwhile, also to a page that was opened meanwhile.
for (const [name, first] of [
  ['lost and restored connection', 'requests'],
  ['page opened without a connection', 'jobs'],
]) {
  test(name, async (t) => {
    const s = await sandbox();
    t.after(s.stop);
    await s.v1('GET', '/v1/spaces');
    const way = await breakable(t, s);
    const tab = await open(`${way.url}/_soundstage/console/#/${first}`, { allowed: [/net::ERR_|Failed to load resource/] });
    const { page } = tab;
    await page.getByText('Live', { exact: true }).waitFor();
    way.cut();
    await page.getByText('No connection to the sandbox').waitFor();
    await page.getByText('Connection lost').waitFor();
    await page.evaluate(() => void (location.hash = '#/requests'));
    await s.v1('GET', '/v1/usage'); // while nobody could see it
    if (first !== 'requests') await page.getByText('This page of the console could not be loaded.').waitFor();
    way.mend();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('No connection to the sandbox').waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /GET \/v1\/usage/ }).waitFor();
    await page.getByRole('option', { name: /GET \/v1\/spaces/ }).waitFor();
    await tab.close();
  });
}

// A sandbox that stops and starts again on the same port is shown again, with its new state.
test('stopped sandbox', async (t) => {
  let s = await sandbox();
  const port = new URL(s.url).port;
  const tab = await open(s.console('recordings'), { allowed: [/net::ERR_|Failed to load resource/] });
  const { page } = tab;
  await page.getByText('Live', { exact: true }).waitFor();
  await s.stop();
  await page.getByText('No connection to the sandbox').waitFor();
  s = await sandbox('--addr', `127.0.0.1:${port}`);
  t.after(s.stop);
  await page.getByText('Live', { exact: true }).waitFor();
  await s.transcribed('conversation.mp4', 'After the restart');
  await page.getByRole('option', { name: /After the restart/ }).waitFor();
  await tab.close();
});

// A job says how many of its attempts failed only because a service was away.
test('service that is away', async (t) => {
  const s = await sandbox('--llm', 'openai', '--llm-url', 'http://127.0.0.1:9/v1', '--llm-model', 'small');
  t.after(s.stop);
  await s.transcribed('conversation.mp4', 'Waits for a service');
  const waiting = async () => (await s.control('GET', '/jobs')).jobs.find((j) => j.outages > 0);
  await until(waiting);
  const tab = await open(s.console(`jobs/${(await waiting()).id}`));
  await tab.page.getByText(/^\d+, \d+ of them while a service was away$/).waitFor();
  await tab.close();
});

// With a control token, the console asks for it, says when it is wrong, and then works, media included.
test('control token', async (t) => {
  const s = await sandbox('--control-token', 'open sesame');
  t.after(s.stop);
  const id = await s.transcribed('conversation.mp4', 'Behind a token');
  const tab = await open(s.console(`recordings/${id}`), { allowed: [/401/] });
  const { page } = tab;
  const field = page.getByLabel('Control token');
  await field.fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The sandbox did not accept the token.').waitFor();
  await field.fill('open sesame');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.words [data-w]').nth(4).click();
  await until(() => page.evaluate(() => document.querySelector('video').currentTime > 0.3 && document.querySelector('video').src.startsWith('blob:')));
  await page.getByText('Live', { exact: true }).waitFor();
  await tab.close();
});

// With secrets of its own, the sandbox shows none, and the console asks for one.
test('own secrets', async (t) => {
  const file = join(folder('secret'), 'secrets');
  writeFileSync(file, 'platform my-own-secret-of-32-characters!\n', { mode: 0o600 });
  const s = await sandbox('--secret-file', file);
  t.after(s.stop);
  const tab = await open(s.console('recordings'), { allowed: [/401/] });
  const { page } = tab;
  await page.getByText('Recordings need an API secret.').waitFor();
  await page.getByLabel('API secret').fill('not this one');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('This secret is not valid here.').waitFor();
  await page.getByLabel('API secret').fill('my-own-secret-of-32-characters!');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('Drop audio or video here').waitFor();
  await page.getByText('Recordings need an API secret.').waitFor({ state: 'detached' });
  await tab.close();
});

// Media that can't be transcribed says why; the page of an unknown recording says that there is none; so does an unknown page.
test('failures', async (t) => {
  const s = await sandbox();
  t.after(s.stop);
  const id = await s.upload('silence.wav', Buffer.from('RIFF this is no sound'), 'Broken');
  await until(async () => (await s.v1('GET', `/v1/recordings/${id}`)).recording?.transcript_status === 'error');
  const tab = await open(s.console(`recordings/${id}`), { allowed: [/404/] });
  const { page } = tab;
  await page.getByText('The transcription failed').waitFor();
  await page.goto(s.console('recordings/nothing'));
  await page.getByText('There is no recording with this ID').waitFor();
  await page.goto(s.console('nowhere'));
  await page.getByText('There is no such page').waitFor();
  await page.goto(s.console('recordings'));
  await page.getByRole('searchbox').fill('zzzz');
  await page.getByText('Nothing found').waitFor();
  assert.equal(await page.getByText('“zzzz”').count(), 1);
  await tab.close();
});

// A sandbox that loses ffmpeg says so where a person sees the effect, with what to do. When ffmpeg is back, the same file is transcribed.
test('no ffmpeg', async (t) => {
  const programs = folder('programs');
  const installed = Object.fromEntries(['ffmpeg', 'ffprobe'].map((name) => [name, execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()]));
  const install = () => Object.entries(installed).forEach(([name, path]) => symlinkSync(path, join(programs, name)));
  install();
  const s = await sandboxIn({ PATH: programs });
  t.after(s.stop);
  const good = await s.transcribed('conversation.mp4', 'While ffmpeg was there');
  for (const name of Object.keys(installed)) rmSync(join(programs, name));

  const tab = await open(s.console('recordings'), { allowed: [/503/] }); // of /_soundstage/health
  const { page } = tab;
  await page.locator('input[type=file]').setInputFiles(media('conversation.mp4'));
  await page.getByText('The transcription failed').waitFor();
  await page.getByText(/ffprobe is not installed, or not in PATH/).first().waitFor();
  await page.getByRole('alert').filter({ hasText: 'Install FFmpeg 4.4 or newer' }).waitFor();
  await page.reload();
  await page.getByText(/ffprobe is not installed, or not in PATH/).first().waitFor();
  await page.getByRole('alert').filter({ hasText: 'Install FFmpeg 4.4 or newer' }).waitFor();
  await looked(page, 'no-ffmpeg');
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(s.console(`recordings/${good}`)); // it can still be read and heard, but not cut
  await page.locator('.words [data-w]').first().waitFor();
  await dragWords(page, 2, 5);
  await page.getByRole('button', { name: 'Make a clip' }).click();
  await page.getByRole('article').filter({ hasText: 'Install FFmpeg' }).waitFor();
  await page.goto(s.console('overview'));
  await page.getByRole('alert').filter({ hasText: 'Install FFmpeg' }).waitFor();

  install();
  await page.goto(s.console('recordings'));
  await page.getByRole('option', { name: /conversation/ }).click();
  await page.getByText('Try another file').waitFor();
  await page.locator('input[type=file]').setInputFiles(media('conversation.mp4'));
  await page.locator('.words [data-w]').first().waitFor();
  await tab.close();
});
