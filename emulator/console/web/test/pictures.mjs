// Takes the pictures of docs/console.md: node test/pictures.mjs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, dragWords, open, root, sandbox, sleep, until } from './harness.mjs';

const folder = join(root, 'docs/pictures/console');
const scratch = mkdtempSync('/tmp/console-pictures-');
mkdirSync(folder, { recursive: true });
const s = await sandbox('--addr', '127.0.0.1:8765');

async function shot(page, name) {
  await page.mouse.move(0, 0);
  await sleep(500);
  const raw = join(scratch, `${name}.png`);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path: raw });
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-i', raw, '-vf', 'split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none', path]);
  if (statSync(path).size > 150 * 1024) throw new Error(`${path} has more than 150 KiB`);
}
async function take(name, path, options = {}, work = () => undefined) {
  const tab = await open(s.console(path), { viewport: { width: 1280, height: 800 }, ...options });
  await tab.page.locator('main h1').first().waitFor();
  await work(tab.page);
  await shot(tab.page, name);
  await tab.close();
}

await take('first', 'overview');
const recording = await s.transcribed('conversation.mp4', 'How we test without the network');
await s.control('POST', '/webhooks/sink', { status: [500, 200] });
await s.v1('GET', '/v1/spaces');
await s.v1('POST', '/v1/renders', {}, 'sk_sandbox_core');
await s.v1('GET', '/v1/recordings/nope');
await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: -4, colour: 'red' });
await s.control('POST', '/faults', { match: { op: 'listSpaces' }, do: { status: 503 }, times: 2 });
await s.control('POST', '/faults', { match: { op: 'createRecording' }, do: { commit_then_drop: true } });
await s.v1('GET', '/v1/spaces');
await s.control('POST', '/worlds', { name: 'ci-7', seed: 7, clock: 'manual' });
await s.control('POST', '/webhooks/sink?world=ci-7', { status: [500] });
await s.control('POST', '/webhooks/trigger?world=ci-7', { event: 'transcript.completed' });
await s.control('POST', '/clock/advance?world=ci-7', { by: '6s' });
await s.control('POST', '/snapshots', { name: 'seeded' });
const { requests } = await s.control('GET', '/requests');
const { jobs } = await s.control('GET', '/jobs');

await take('recording', `recordings/${recording}`, {}, async (page) => {
  await page.locator('.words [data-w]').first().waitFor();
  await page.locator('.wave.waved').waitFor();
  await dragWords(page, 10, 19);
  await page.getByRole('button', { name: 'Make a clip' }).click();
  await page.locator('article video').waitFor({ timeout: 40_000 });
  await page.locator('article video').evaluate((v) => (v.currentTime = 1.2));
  await page.locator('.words [data-w]').nth(15).click();
  await sleep(300);
  await page.keyboard.press(' ');
});
await take('recording-dark', `recordings/${recording}`, { colorScheme: 'dark' }, async (page) => {
  await page.locator('.wave.waved').waitFor();
  await page.locator('.words [data-w]').nth(22).click();
  await sleep(400);
  await page.keyboard.press(' ');
  await page.getByRole('tab', { name: 'Details' }).click();
});
await take('overview', 'overview', { colorScheme: 'dark' });
await take('requests', `requests/${requests.find((r) => r.status === 403).number}`);
await take('jobs', `jobs/${jobs.find((j) => j.kind === 'transcript.transcribe').id}`, { colorScheme: 'dark' });
await take('webhooks', 'webhooks', {}, async (page) => {
  await page.getByRole('button', { name: 'Receive here' }).click();
  await page.getByText('This page receives').waitFor();
  await page.getByRole('button', { name: 'Trigger' }).click();
  await page.getByRole('button', { name: 'Send it' }).click();
  const { webhooks } = await s.v1('GET', '/v1/webhooks');
  const here = webhooks.find((w) => !w.url.includes('sink'));
  let message;
  await until(async () => {
    message = (await s.control('GET', `/webhooks/outbox?webhook=${here.id}`)).messages.at(-1);
    return message?.status === 'delivered';
  });
  await page.evaluate((id) => (location.hash = `#/webhooks/${id}`), message.id);
  await page.getByRole('button', { name: 'Corrupt' }).click();
  await page.getByText('refused, as it must be').waitFor();
});
await take('clock', 'clock?world=ci-7');
await take('faults', 'faults');
await take('reference', 'reference/v1/createRender', { colorScheme: 'dark' });
await closeBrowser();
await s.stop();
