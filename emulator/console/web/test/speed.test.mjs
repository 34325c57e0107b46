// The figures of the console, measured in the browser and printed. Times are compared with their limits by `npm run bench` only, because a
// machine that runs other tests at the same time is slow.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeBrowser, open, playerPage, sandbox, sleep, until } from './harness.mjs';

const timed = process.env.BENCH === '1';

let s;
before(async () => {
  s = await sandbox();
});
after(async () => {
  await closeBrowser();
  await s?.stop();
});

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

// The overview is painted within 300 ms, with at most 200 KB of compressed script.
test('first paint and size', async (t) => {
  const paints = [];
  let size = 0;
  for (let i = 0; i < (timed ? 7 : 1); i++) {
    const tab = await open();
    const cdp = await tab.page.context().newCDPSession(tab.page);
    await cdp.send('Network.enable');
    const scripts = new Set();
    let bytes = 0;
    cdp.on('Network.responseReceived', (e) => e.type === 'Script' && scripts.add(e.requestId));
    cdp.on('Network.loadingFinished', (e) => scripts.has(e.requestId) && (bytes += e.encodedDataLength));
    await tab.page.goto(s.console('overview'));
    await tab.page.getByText('Drop audio or video here').waitFor();
    paints.push(await tab.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    size = bytes;
    await tab.close();
  }
  t.diagnostic(`first contentful paint: median ${median(paints).toFixed(0)} ms, best ${Math.min(...paints).toFixed(0)} ms; script of the first page: ${(size / 1000).toFixed(1)} KB compressed`);
  assert.ok(size > 10_000 && size <= 200_000, `${size} bytes of script`);
  assert.ok(!timed || Math.min(...paints) <= 300, `painted after ${paints.map(Math.round)} ms`);
});

// A request is shown within 150 ms of its end.
test('from the server to the eye', async (t) => {
  const tab = await open(s.console('requests'));
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  await tab.page.evaluate(() => {
    globalThis.shown = new Map();
    new MutationObserver(() => {
      for (const code of document.querySelectorAll('code.path')) {
        const m = /seen-(\d+)/.exec(code.textContent);
        if (m && !globalThis.shown.has(m[1])) requestAnimationFrame(() => globalThis.shown.has(m[1]) || globalThis.shown.set(m[1], Date.now()));
      }
    }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
  });
  const times = [];
  for (let i = 0; i < 15; i++) {
    await fetch(`${s.url}/v1/seen-${i}`);
    const ended = Date.now();
    await until(() => tab.page.evaluate((n) => globalThis.shown.has(String(n)), i));
    times.push((await tab.page.evaluate((n) => globalThis.shown.get(String(n)), i)) - ended);
  }
  t.diagnostic(`event to visible: median ${median(times)} ms, longest ${Math.max(...times)} ms`);
  assert.ok(!timed || median(times) <= 150, `${times} ms`);
  await tab.close();
});

// frames says what the browser's own trace knows about the frames while something runs in a page. A frame begins with each refresh of the
// screen. It is dropped if the page wanted to change what is seen and wasn't ready in time. A page that wants no change drops nothing.
async function frames(page, work) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['-*', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame'] });
  await work();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const named = (name) => traceEvents.filter((e) => e.name === name).sort((a, b) => a.ts - b.ts);
  const [begun, drawn, dropped] = ['BeginFrame', 'DrawFrame', 'DroppedFrame'].map((name) => named(name).length);
  assert.ok(begun > 60 && drawn > 0, `the trace has ${begun} frames, ${drawn} drawn`);
  // A frame with a new picture lasts from its begin until that is on the screen.
  const open = new Map();
  let longest = 0;
  for (const e of named('PipelineReporter')) {
    const key = `${e.pid} ${e.id2?.local ?? e.id}`;
    if (e.ph === 'b') open.set(key, e);
    else if (open.get(key)?.args.frame_reporter?.state === 'STATE_PRESENTED_ALL') longest = Math.max(longest, (e.ts - open.get(key).ts) / 1000);
  }
  // The CPU time of the page's main thread says what the page needs, also while other programs take time from the browser.
  const main = new Set(named('thread_name').filter((e) => e.args.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`));
  const tasks = named('RunTask').filter((e) => e.tdur !== undefined && main.has(`${e.pid} ${e.tid}`));
  assert.ok(tasks.length > 60, `the trace has ${tasks.length} tasks`);
  const cpu = Math.max(...tasks.map((e) => e.tdur)) / 1000;
  const share = dropped / begun;
  return { share, drawn, cpu, text: `${begun} frames, ${drawn} drawn, ${dropped} dropped (${(100 * share).toFixed(1)} %), the longest ${longest.toFixed(0)} ms from its begin to the screen; longest task ${cpu.toFixed(1)} ms of CPU` };
}

// best repeats a measurement until it is good, up to three times: other programs take time from the browser on a busy machine. If times are
// not compared, only the number of drawn frames must be good.
async function best(measure) {
  let found = await measure();
  for (let i = 0; i < 2 && (timed ? found.share > 0.01 : found.drawn <= 60); i++) {
    const again = await measure();
    if (timed ? again.share < found.share : again.drawn > found.drawn) found = again;
  }
  return found;
}

// 10,000 requests scroll smoothly, and only the rows in view exist.
test('10,000 requests scroll', async (t) => {
  const tab = await open(s.console('requests'));
  const { page } = tab;
  await page.getByText('Live', { exact: true }).waitFor();
  let sent = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (sent < 10_400) {
        sent++;
        await fetch(`${s.url}/v1/many-${sent}`).then((r) => r.arrayBuffer());
      }
    }),
  );
  await until(async () => Number((await page.locator('.split-head .number').textContent()).replace(/\D/g, '')) >= 10_000, 20_000);
  const measured = await best(() => frames(page, () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const list = document.querySelector('[role=listbox]');
          list.scrollTop = 0;
          let n = 0;
          const step = () => {
            list.scrollTop += n % 40 === 39 ? 30_000 : 420; // by hand, and by jumps
            if (++n < 300) requestAnimationFrame(step);
            else resolve();
          };
          requestAnimationFrame(step);
        }),
    ),
  ));
  await page.getByRole('listbox').evaluate((list) => (list.scrollTop = 0));
  await sleep(100);
  const rows = await page.locator('[role=option]').count();
  t.diagnostic(`scrolling 10,000 requests: ${measured.text}; ${rows} rows exist`);
  assert.ok(rows < 100, `${rows} rows`);
  assert.ok(measured.drawn > 60, `only ${measured.drawn} of 300 places were drawn`);
  assert.ok(!timed || (measured.share <= 0.05 && measured.cpu < 1000 / 60), measured.text);
  await tab.close();
});

// The words of 3 h are highlighted without dropping frames, in a page that has only the blocks in view.
test('3 h transcript', async (t) => {
  const folder = mkdtempSync('/tmp/console-long-');
  execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '10800', '-c:a', 'libmp3lame', '-b:a', '8k', join(folder, 'long.mp3')]);
  const utterances = [];
  let n = 0;
  for (let at = 0; at < 10_800_000; at += 12_000) {
    const words = Array.from({ length: 30 }, (_, i) => ({ text: `word${++n % 97}${i % 7 === 6 ? ',' : ''}`, start: at + i * 400, end: at + i * 400 + 330, confidence: 1, speaker: '' }));
    utterances.push({ speaker: `Speaker ${(at / 12_000) % 4}`, text: '', start: at, end: at + 12_000, confidence: 1, words });
  }
  writeFileSync(join(folder, 'long.html'), playerPage({ title: '3 h', media: { src: 'long.mp3', video: false }, transcript: { language: 'en', audio_duration: 10_800, utterances } }));
  const tab = await open(pathToFileURL(join(folder, 'long.html')).href);
  const { page } = tab;
  await page.locator('.words [data-w]').first().waitFor();
  await page.evaluate(() => {
    const v = document.querySelector('video');
    v.currentTime = 5400;
    v.playbackRate = 2;
    return v.play();
  });
  await until(() => page.evaluate(() => document.querySelector('video').currentTime > 5401));
  await page.evaluate(() => {
    globalThis.marked = new Set();
    const look = () => {
      const now = document.querySelector('.words .now');
      if (now) globalThis.marked.add(now.dataset.w);
      requestAnimationFrame(look);
    };
    look();
  });
  const measured = await best(() => frames(page, () => sleep(5000)));
  const { marked, spans, at, now } = await page.evaluate(() => ({
    marked: globalThis.marked.size,
    spans: document.querySelectorAll('[data-w]').length,
    at: document.querySelector('video').currentTime,
    now: Number(document.querySelector('.words .now')?.dataset.w),
  }));
  t.diagnostic(`highlighting a transcript of 3 h with ${n} words: ${measured.text}; ${marked} words marked, ${spans} of them exist`);
  assert.ok(Math.abs(now - at / 0.4) <= 2, `word ${now} at ${at} s`);
  assert.ok(marked > 0 && (!timed || marked >= 20) && spans < 3000, `${marked} marked, ${spans} exist`);
  assert.ok(!timed || (measured.share <= 0.05 && measured.cpu < 1000 / 60), measured.text);
  await tab.close();
});
