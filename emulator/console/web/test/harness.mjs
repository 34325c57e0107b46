// What the tests share: a real sandbox, the system's Chromium, and what must hold on every page.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
export const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const media = (name) => join(root, 'testdata', name);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'console-test-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
if (process.env.SHOTS) mkdirSync(process.env.SHOTS, { recursive: true });

// program returns the path of soundstage: SOUNDSTAGE_BIN, or a build of this tree.
let built;
export function program() {
  if (process.env.SOUNDSTAGE_BIN) return process.env.SOUNDSTAGE_BIN;
  built ??= join(scratch, 'soundstage');
  if (!existsSync(built)) execFileSync('go', ['build', '-o', built, './cmd/soundstage'], { cwd: root, env: { ...process.env, CGO_ENABLED: '0' } });
  return built;
}

let started = 0;

// folder returns a new folder, which is removed at the end.
export const folder = (name) => mkdtempSync(join(scratch, `${name}-`));

// sandbox starts soundstage serve and returns its address and what a test does with it.
export const sandbox = (...flags) => sandboxIn({}, ...flags);

// sandboxIn is sandbox with other variables of the environment.
export async function sandboxIn(variables, ...flags) {
  const ready = join(scratch, `ready-${++started}.json`);
  const child = spawn(program(), ['serve', '--addr', '127.0.0.1:0', '--log', 'off', '--ready-file', ready, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...variables } });
  let output = '';
  child.stdout.on('data', (d) => (output += d));
  child.stderr.on('data', (d) => (output += d));
  for (let i = 0; !existsSync(ready) && child.exitCode === null && i < 600; i++) await sleep(25);
  assert.ok(existsSync(ready), `soundstage serve did not start:\n${output}`);
  const { url } = JSON.parse(readFileSync(ready, 'utf8'));
  const token = flags.includes('--control-token') ? flags[flags.indexOf('--control-token') + 1] : '';
  const s = {
    url,
    output: () => output,
    console: (path = '') => `${url}/_soundstage/console/#/${path}`,
    // v1 and control send one request and return the decoded body.
    v1: (method, path, body, secret = 'sk_sandbox_platform') => send(method, url + path, body, { Authorization: `Bearer ${secret}` }),
    control: (method, path, body) => send(method, `${url}/_soundstage${path}`, body, token ? { 'X-Soundstage-Token': token } : {}),
    async upload(name, bytes, title) {
      const type = name.endsWith('.mp4') ? 'video/mp4' : 'audio/wav';
      const reserved = await s.v1('POST', '/v1/uploads', { filename: name, content_type: type, content_size: bytes.length, title });
      await fetch(reserved.upload_url, { method: 'PUT', body: bytes, headers: { 'Content-Type': type } });
      return (await s.v1('POST', '/v1/recordings', { object_id: reserved.object_id })).recording.id;
    },
    async transcribed(name, title) {
      const id = await s.upload(name, readFileSync(media(name)), title);
      await until(async () => (await s.v1('GET', `/v1/recordings/${id}`)).recording.transcript_status === 'completed');
      return id;
    },
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', resolve);
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 8000).unref();
      }),
  };
  return s;
}

async function send(method, url, body, headers) {
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body) });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return { status: response.status, text };
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(holds, ms = 15_000) {
  const end = Date.now() + ms;
  for (;;) {
    if (await holds()) return;
    assert.ok(Date.now() < end, `this did not happen within ${ms} ms: ${holds}`);
    await sleep(20);
  }
}

// playerPage returns the page of soundstage transcribe --open with its data. The data goes into the slot as README.md says: JSON whose "<" are escaped.
export function playerPage(data) {
  const template = readFileSync(join(root, 'emulator/console/dist/player.html'), 'utf8');
  const slot = '{"soundstage":"data"}';
  assert.equal(template.split(slot).length, 2, 'there is exactly one slot');
  return template.replace(slot, () => JSON.stringify(data).replaceAll('<', '\\u003c'));
}

// executable returns the path of the browser: CHROMIUM, or what the system has.
function executable() {
  const found = ['chromium-headless-shell', 'chromium'].map((name) => `/usr/bin/${name}`).find(existsSync);
  return process.env.CHROMIUM ?? found ?? assert.fail('Chromium is not installed: run make setup, or set CHROMIUM');
}

let browser; // a promise, so that two pages that open at once share it
export function openBrowser(...args) {
  browser ??= chromium.launch({ executablePath: executable(), args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', ...args] });
  return browser;
}
export async function closeBrowser() {
  await (await browser)?.close();
  browser = undefined;
}

// open opens a page whose mistakes fail the test: exceptions, errors in the browser's console, broken policy, dialogs.
export async function open(url, options = {}) {
  const { allowed = [], ...rest } = options;
  const context = await (await openBrowser()).newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'], ...rest });
  const page = await context.newPage();
  const mistakes = [];
  page.on('pageerror', (err) => mistakes.push(`exception: ${err.message}`));
  page.on('dialog', (d) => {
    mistakes.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !allowed.some((a) => a.test(m.text()))) mistakes.push(`${m.type()}: ${m.text()}`);
  });
  page.setDefaultTimeout(30_000);
  if (url) await page.goto(url);
  return {
    page,
    mistakes,
    async close() {
      await context.close();
      assert.deepEqual(mistakes, [], 'mistakes in the browser');
    },
  };
}

// dropFile drags a file of this machine onto a place of the page, as the browser does it.
export async function dropFile(page, path, selector) {
  const box = await page.locator(selector).first().boundingBox();
  const cdp = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
}

// accessible fails for each serious problem that axe finds. rules are tags or names of rules; by default all that are serious.
const serious = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
export async function accessible(page, name, rules = serious) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (runOnly) => {
    const result = await globalThis.axe.run(document, { resultTypes: ['violations'], runOnly });
    return result.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target} (${n.failureSummary})`).join('; ')}`);
  }, rules);
  assert.deepEqual(found, [], `axe on ${name}`);
}

// looked shows a page at three widths, light and dark: nothing sticks out, and axe finds nothing serious. SHOTS=folder keeps the pictures.
// Only colours differ in the dark, so that axe looks at nothing else there.
export async function looked(page, name) {
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: width < 500 ? 800 : 900 });
    for (const colorScheme of ['dark', 'light']) {
      const where = `${name} at ${width} px, ${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await page.evaluate(() => Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => undefined))));
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) });
      const out = await page.evaluate(() => {
        const main = document.querySelector('main');
        return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
      });
      assert.ok(out[0] <= 0 && out[1] <= 0, `${where} sticks out by ${Math.max(...out)} px`);
      await accessible(page, where, colorScheme === 'light' ? serious : ['color-contrast']);
    }
  }
}

// dragWords selects words of the transcript by dragging over them.
export async function dragWords(page, from, to) {
  const words = page.locator('.words [data-w]');
  const a = await words.nth(from).boundingBox();
  const b = await words.nth(to).boundingBox();
  await page.mouse.move(a.x + 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + b.width - 6, b.y + b.height / 2, { steps: 6 });
  await page.mouse.up();
}

export const position = (page) => page.evaluate(() => document.querySelector('video').currentTime);
