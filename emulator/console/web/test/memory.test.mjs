// The memory of pages while much happens: JavaScript's heap after garbage collection, and what exists in the document. MEMORY_SECONDS=3600 is
// the long form, which also watches the page of requests and prints a line each minute.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, open, sandbox, sleep } from './harness.mjs';

const rate = 50; // events per second
const seconds = Number(process.env.MEMORY_SECONDS ?? 15);
const long = seconds >= 900;
const warm = long ? 300 : 5; // the page of requests is full after 200 s
const every = long ? 60 : 5;

after(closeBrowser);

// load sends requests at the rate until its end, on a schedule that a slow response doesn't shift. It returns how many.
async function load(s, ms, began = performance.now()) {
  const paths = ['/v1/spaces', '/v1/recordings', '/v1/recordings/nothing', '/v1/webhooks', '/v1/none'];
  const under = new Set();
  let sent = 0;
  for (; performance.now() - began < ms; sent++) {
    const one = fetch(s.url + paths[sent % paths.length], { headers: { Authorization: 'Bearer sk_sandbox_platform' } }).then((r) => r.arrayBuffer());
    under.add(one);
    void one.finally(() => under.delete(one));
    if (under.size > 100) await Promise.race(under);
    await sleep(Math.max(0, began + ((sent + 1) * 1000) / rate - performance.now()));
  }
  await Promise.all(under);
  return sent;
}

async function watched(url) {
  const tab = await open(url);
  await tab.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  const cdp = await tab.page.context().newCDPSession(tab.page);
  await cdp.send('HeapProfiler.enable');
  const look = async () => {
    for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
    return { heap: usedSize / 1e6, nodes, listeners: jsEventListeners };
  };
  return { tab, look };
}

// slope is the growth per hour of the line that fits best.
function slope(samples) {
  const mean = (f) => samples.reduce((sum, s) => sum + f(s), 0) / samples.length;
  const [x, y] = [mean((s) => s.at), mean((s) => s.heap)];
  return (3600 * mean((s) => (s.at - x) * (s.heap - y))) / mean((s) => (s.at - x) ** 2);
}

// The memory of the page stays flat under 50 events per second.
test('memory', async (t) => {
  const s = await sandbox();
  t.after(s.stop);
  const pages = {};
  for (const name of long ? ['overview', 'requests'] : ['overview']) pages[name] = { ...(await watched(s.console(name))), samples: [] };
  const began = performance.now();
  let sent = 0;
  for (let at = 0; at < warm + seconds; ) {
    const step = at < warm ? warm : every;
    sent += await load(s, step * 1000, began + at * 1000);
    at += step;
    for (const [name, p] of Object.entries(pages)) {
      const found = { at, ...(await p.look()) };
      p.samples.push(found);
      if (long) console.log(`${at} s, ${name}: ${found.heap.toFixed(2)} MB, ${found.nodes} nodes, ${found.listeners} listeners; ${(sent / ((performance.now() - began) / 1000)).toFixed(1)} events/s`);
    }
  }
  for (const [name, p] of Object.entries(pages)) {
    const [first, last] = [p.samples[0], p.samples.at(-1)];
    t.diagnostic(`memory of ${name} after ${first.at} and ${last.at} s of ${(sent / last.at).toFixed(0)} events per second: ${first.heap.toFixed(2)} and ${last.heap.toFixed(2)} MB${long ? `, ${slope(p.samples).toFixed(2)} MB per hour` : ''}; ${first.nodes} and ${last.nodes} nodes`);
    assert.ok(last.heap - first.heap < 1.5, `${name}: ${first.heap} MB, then ${last.heap} MB`);
    assert.ok(!long || slope(p.samples) < 1, `${name}: ${slope(p.samples)} MB per hour`);
    await p.tab.close();
  }
});
