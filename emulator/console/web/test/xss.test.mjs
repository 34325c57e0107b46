// Text that would be code if the console took it for HTML, in every field that the sandbox takes, on every page that shows it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, open, sandbox, sleep, until } from './harness.mjs';

after(closeBrowser);

const corpus = [
  '<script>globalThis.hacked=1</script>',
  '<img src=x onerror="globalThis.hacked=2">',
  '"><svg onload=globalThis.hacked=3>',
  "javascript:globalThis.hacked=4//'",
  '</script><script>globalThis.hacked=5</script>',
  '<iframe srcdoc="<script>parent.hacked=6</script>"></iframe>',
  '{@html 1}${globalThis.hacked=7}{{globalThis.hacked=8}}',
  '</textarea><style>*{display:none}</style><a href="javascript:globalThis.hacked=9">x</a>',
];
const all = corpus.join(' ');

test('text is never code', async (t) => {
  const s = await sandbox('--allow-private-urls');
  t.after(s.stop);
  const words = (text) => text.split(/\s+/);
  const fixture = {
    version: 1,
    spaces: [
      {
        id: 'default',
        speakers: [{ name: corpus[1], role: 'Host' }],
        prompts: [{ name: corpus[2], prompt: all }],
        recordings: [{ title: all.slice(0, 190), media: { speech: '20s' }, transcript: { utterances: [{ speaker: corpus[1], words: words(all).map((text, i) => ({ text, start: 100 + i * 100, end: 180 + i * 100 })) }] } }],
      },
    ],
  };
  const applied = await s.control('POST', '/fixtures', fixture);
  assert.ok(applied.recordings, JSON.stringify(applied));
  const id = applied.recordings[0];
  await s.control('POST', '/webhooks/sink', {});
  for (const [i, text] of corpus.entries()) {
    const path = encodeURIComponent(text);
    await s.v1('GET', `/v1/recordings/${path}?${path}=${path}`);
    await s.v1('POST', '/v1/uploads', { filename: `${text}.wav`, content_type: 'audio/wav', content_size: -1, title: text, [text]: text });
    await s.v1('POST', '/v1/webhooks', { url: `https://example.com/${path}`, events: ['transcript.completed'], description: text });
    await s.control('POST', '/faults', { match: { op: 'listSpaces', resource: text, nth: 50 + i }, do: { status: 503, body: { error: text } } });
    await s.control('POST', '/webhooks/trigger', { event: 'transcript.completed', overrides: { recording_id: text, transcript_status: text } });
    await s.v1('POST', '/v1/renders', { recording_id: id, start_ms: 100, end_ms: 3000, title: text });
  }
  const failing = await s.upload('noise.wav', Buffer.from(all), all.slice(0, 190));
  await until(async () => (await s.v1('GET', `/v1/recordings/${failing}`)).recording?.transcript_status === 'error');
  const { jobs } = await s.control('GET', '/jobs');
  for (const j of jobs.filter((j) => ['queued', 'retrying'].includes(j.status))) await s.control('POST', `/jobs/${j.id}/fail`, { error: all.slice(0, 400) });
  const { requests } = await s.control('GET', '/requests');
  const { messages } = await s.control('GET', '/webhooks/outbox');

  const tab = await open(null, { allowed: [/Failed to load resource/] });
  const { page } = tab;
  let seen = '';
  const check = async (name) => {
    await sleep(350);
    const found = await page.evaluate(() => ({
      hacked: globalThis.hacked,
      scripts: [...document.querySelectorAll('script')].filter((e) => !e.src && e.type !== 'application/json').length,
      foreign: document.querySelectorAll('#app iframe, #app img, #app style, #app [onload], #app [onerror], #app a[href^="javascript:"]').length,
      text: document.body.innerText,
    }));
    assert.deepEqual([found.hacked, found.scripts, found.foreign], [undefined, 0, 0], name);
    seen += found.text;
  };
  const paths = ['overview', 'recordings', `recordings/${id}`, `recordings/${failing}`, 'requests', 'jobs', 'webhooks', 'clock', 'faults', 'worlds', 'reference', `recordings?q=${encodeURIComponent(corpus[1])}`, `reference/fidelity?q=${encodeURIComponent(all)}`, `${encodeURIComponent(corpus[1])}`, `requests/${encodeURIComponent(corpus[1])}`, `overview?world=${encodeURIComponent(corpus[1])}`];
  for (const r of requests.filter((r) => r.status >= 400).slice(-10)) paths.push(`requests/${r.number}`);
  for (const m of messages.slice(-8)) paths.push(`webhooks/${m.id}`);
  for (const j of jobs.slice(0, 5)) paths.push(`jobs/${j.id}`);
  for (const path of paths) {
    await page.goto('about:blank');
    await page.goto(s.console(path));
    await check(path);
  }
  await page.goto(s.console(`recordings/${id}`));
  await page.locator('.words [data-w]').first().waitFor();
  for (const name of ['Speakers', 'Ask', 'Details']) {
    await page.getByRole('tab', { name }).click();
    await check(name);
  }
  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill(all);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await check('question');
  for (const text of corpus.slice(0, 3)) assert.ok(seen.includes(text), `${text} is shown as it is`);
  await tab.close();
});
