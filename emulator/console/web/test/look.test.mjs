// Every page of the console at three widths, light and dark. SHOTS=folder keeps the pictures.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible, closeBrowser, looked, open, sandbox, until } from './harness.mjs';

let s;
const pages = {};
before(async () => {
  s = await sandbox('--allow-private-urls');
  const recording = await s.transcribed('conversation.mp4', 'How we test without the network');
  const failed = await s.upload('broken.wav', Buffer.from('no sound'), 'A broken file');
  await s.control('POST', '/webhooks/sink', { status: [500, 200] });
  for (const [method, path, body, secret] of [
    ['GET', '/v1/spaces'],
    ['POST', '/v1/renders', {}, 'sk_sandbox_core'],
    ['GET', '/v1/recordings/nope'],
    ['POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: -4, colour: 'red' }],
  ]) {
    await s.v1(method, path, body, secret);
  }
  await s.control('POST', '/faults', { match: { op: 'listSpaces' }, do: { status: 503 }, times: 2 });
  await s.control('POST', '/faults', { match: { op: 'createRecording' }, do: { commit_then_drop: true } });
  await s.v1('GET', '/v1/spaces');
  const sent = await s.control('POST', '/webhooks/trigger', { event: 'transcript.completed', resource: recording });
  await until(async () => (await s.control('GET', `/webhooks/outbox/${sent.messages[0]}`)).message.status === 'delivered');
  await s.control('POST', '/worlds', { name: 'ci-7', seed: 7, clock: 'manual' });
  await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: 4 }, 'sk_sandbox_platform_ci-7');
  await s.control('POST', '/snapshots', { name: 'seeded' });
  await s.control('POST', '/worlds', { name: 'empty' });
  const { requests } = await s.control('GET', '/requests');
  const { jobs } = await s.control('GET', '/jobs');
  Object.assign(pages, {
    empty: 'overview?world=empty',
    overview: 'overview',
    recordings: 'recordings',
    recording: `recordings/${recording}`,
    failed: `recordings/${failed}`,
    requests: 'requests',
    request: `requests/${requests.find((r) => r.reason && !r.fault).number}`,
    jobs: 'jobs',
    job: `jobs/${jobs.find((j) => j.status === 'queued').id}`,
    webhooks: 'webhooks?world=empty',
    message: `webhooks/${sent.messages[0]}`,
    clock: 'clock?world=ci-7',
    faults: 'faults',
    worlds: 'worlds',
    reference: 'reference/v1/createRender',
    magic: 'reference/magic',
    fidelity: 'reference/fidelity',
    nothing: 'nowhere',
  });
});
after(async () => {
  await closeBrowser();
  await s?.stop();
});

// Two pages at a time, because each waits most of the time.
test('pages', async () => {
  const rest = Object.entries(pages);
  const look = async () => {
    const tab = await open();
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [name, path] = next;
      await tab.page.goto('about:blank');
      await tab.page.goto(s.console(path));
      await tab.page.locator('main h1, main h2').first().waitFor();
      await tab.page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
      await tab.page.waitForTimeout(250);
      await looked(tab.page, name);
    }
    await tab.close();
  };
  await Promise.all([look(), look()]);
});

// Dialogs and open menus are accessible, too.
test('dialogs', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const tab = await open(s.console('webhooks'), { colorScheme });
    const { page } = tab;
    for (const name of ['Endpoints', 'Policy', 'Trigger']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await accessible(page, `${name}, ${colorScheme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.goto(s.console(pages.recording));
    await page.getByRole('button', { name: 'Export' }).click();
    await accessible(page, `export, ${colorScheme}`);
    await page.keyboard.press('Escape');
    for (const name of ['Speakers', 'Ask', 'Details']) {
      await page.getByRole('tab', { name }).click();
      await accessible(page, `${name}, ${colorScheme}`);
    }
    await tab.close();
  }
});

// A page is printed whole, not only what its window shows.
test('print', async () => {
  const tab = await open(null);
  for (const [name, least] of [['fidelity', 10], ['reference', 2], ['request', 1], ['overview', 1]]) {
    await tab.page.goto('about:blank');
    await tab.page.goto(s.console(pages[name]));
    await tab.page.locator('main h1, main h2').first().waitFor();
    await tab.page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
    await tab.page.waitForTimeout(300);
    const pdf = await tab.page.pdf({ format: 'A4', ...(process.env.SHOTS ? { path: join(process.env.SHOTS, `${name}.pdf`) } : {}) });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    assert.ok(sheets >= least, `${name} has ${sheets} sheets`);
  }
  await tab.close();
});
