// The main task of each page, done by clicks and keys.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { closeBrowser, dragWords, media, open, position, sandbox, sleep, until } from './harness.mjs';

let s;
let recording;
before(async () => {
  s = await sandbox();
  recording = await s.transcribed('conversation.mp4', 'A talk about tests');
});
after(async () => {
  await closeBrowser();
  await s?.stop();
});
const go = (path, options) => open(s.console(path), options);

// The overview shows the address, the secrets, and the counts, and loads the example.
test('overview', async () => {
  const tab = await go('?world=default');
  const { page } = tab;
  await page.getByText('sk_sandbox_platform', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the secret of platform' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'sk_sandbox_platform');
  await s.v1('GET', '/v1/usage');
  await page.getByRole('link', { name: /GET \/v1\/usage/ }).waitFor();
  await tab.close();
});

// The example is loaded into a world, plays, and shows a recording that failed with its reason.
test('example', async () => {
  await s.control('POST', '/worlds', { name: 'example' });
  const tab = await go('overview?world=example');
  const { page } = tab;
  await page.getByRole('button', { name: 'Load the example', exact: true }).click();
  await page.getByRole('heading', { name: 'Pilot: how we test without the network' }).waitFor();
  await page.getByText('Ada').first().waitFor();
  await page.getByRole('link', { name: 'All recordings' }).click();
  await page.getByRole('option', { name: /A recording without sound/ }).click();
  await page.getByText('The transcription failed').waitFor();
  await tab.close();
});

// A recording plays with keys, finds words, exports seven formats, and assigns speakers.
test('recording', async () => {
  const tab = await go(`recordings/${recording}`);
  const { page } = tab;
  await page.locator('.words [data-w]').first().waitFor();
  await page.keyboard.press(' ');
  await until(async () => (await position(page)) > 0.4);
  await page.keyboard.press(' ');
  await page.keyboard.press('j');
  const second = await position(page);
  await page.keyboard.press('k');
  assert.ok((await position(page)) < second, 'k goes back');
  await page.keyboard.press(' ');

  await page.keyboard.press('/');
  await page.keyboard.type('accountant');
  await page.getByText('1 of 1').waitFor();
  assert.equal((await page.locator('.words .best').textContent()).trim(), 'accountant.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Export' }).click();
  for (const name of ['JSON', 'Text', 'WebVTT', 'SubRip', 'CSV', 'PDF', 'Word']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Download ${name}` }).click()]);
    assert.ok(readFileSync(await download.path()).length > 100, name);
  }
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Speakers' }).click();
  await page.getByRole('textbox', { name: 'Name of a new speaker' }).fill('Grace');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('combobox', { name: 'Speaker 0' }).selectOption({ label: 'Grace' });
  await page.locator('.who', { hasText: 'Grace' }).first().waitFor();

  await page.getByRole('tab', { name: 'Ask' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('Who laughed?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const citation = page.locator('.cite').first();
  await citation.waitFor();
  await citation.click();
  await until(async () => (await position(page)) > 0);
  await tab.close();
});

// Words chosen with the keys [ and ] become a clip, whose progress and result are shown.
test('clip by keys', async () => {
  const tab = await go(`recordings/${recording}`);
  const { page } = tab;
  await page.locator('.words [data-w]').first().waitFor();
  await page.locator('.words [data-w]').nth(3).click();
  await page.keyboard.press('[');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(']');
  await page.keyboard.press(' ');
  await page.getByRole('form', { name: 'New clip' }).getByRole('combobox').selectOption('1:1');
  await page.getByRole('button', { name: 'Make a clip' }).click();
  await page.getByRole('progressbar', { name: 'Rendering' }).waitFor();
  const clip = page.locator('article video');
  await clip.waitFor({ timeout: 40_000 });
  await clip.evaluate((v) => v.play());
  await until(() => clip.evaluate((v) => v.currentTime > 0.2 && v.videoWidth === v.videoHeight));
  await tab.close();
});

// The list of recordings searches titles and words, and a result leads to the place.
test('search over recordings', async () => {
  const tab = await go('recordings');
  const { page } = tab;
  await page.getByRole('option', { name: /A talk about tests/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('batteries');
  await page.getByRole('link', { name: /batteries/ }).first().click();
  await page.locator('.words [data-w]').first().waitFor();
  await until(async () => (await position(page)) > 5);
  await tab.close();
});

// A refused request appears live with its rule, is opened by keys, copied as code, sent again, and made into a fault.
test('requests', async () => {
  const tab = await go('requests');
  const { page } = tab;
  await page.getByRole('listbox').waitFor();
  const watched = page.getByRole('option', { name: /404 GET \/v1\/recordings\/nope/ }).waitFor();
  await s.v1('GET', '/v1/recordings/nope');
  await watched;
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Refused by the rule').waitFor();
  const rule = await page.getByRole('link', { name: 'Show the rule' }).getAttribute('href');
  for (const [language, piece] of [['curl', 'curl '], ['Go', 'http.NewRequest'], ['TypeScript', 'await fetch'], ['Python', 'requests.request']]) {
    await page.getByRole('button', { name: language, exact: true }).click();
    await page.getByRole('region', { name: `As ${language}` }).filter({ hasText: piece }).waitFor();
  }
  assert.match(await page.getByRole('region', { name: 'As Python' }).textContent(), /Bearer sk_sandbox_platform/);
  const before = page.url();
  await page.getByRole('button', { name: 'Send again' }).click();
  await until(() => page.url() !== before);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx');
  await page.getByRole('searchbox').fill('nope');
  await page.getByText('2 of').waitFor();
  await page.getByRole('button', { name: 'Make a fault' }).click();
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await page.getByText('waits for its request').waitFor();
  await s.control('DELETE', '/faults');
  await page.evaluate((to) => (location.hash = to), rule);
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  await tab.close();
});

// Requests are filtered by the secret that they were sent with. Its end names a key; of a secret that is not valid, only the prefix is shown.
test('requests by secret', async () => {
  await s.control('POST', '/worlds', { name: 'senders' });
  for (const secret of ['platform', 'platform', 'other', 'none'].map((name) => `sk_sandbox_${name}_senders`)) await s.v1('GET', '/v1/usage', undefined, secret);
  await fetch(`${s.url}/v1/usage`, { headers: { Authorization: 'Bearer sk_live_hunter2hunter2', 'X-Soundstage-World': 'senders' } });
  const tab = await go('requests?world=senders');
  const { page } = tab;
  const filter = page.getByRole('combobox', { name: 'Secret' });
  const rows = page.getByRole('option', { name: /\/v1\/usage/ });
  await rows.nth(3).waitFor();
  for (const [label, n] of [['sk_sandbox_platform_senders', 2], ['sk_sandbox_other_senders', 1], ['sk_sandbox_none_senders', 1]]) {
    await filter.selectOption({ label });
    await until(async () => (await rows.count()) === n);
  }
  assert.ok(!(await page.content()).includes('hunter2'));
  await filter.selectOption('');
  await rows.first().click();
  await page.getByText('sk_sandbox_***ders').waitFor();
  await tab.close();
});

// The requests of all worlds are shown together, and one of another world opens with its own secret.
test('requests of all worlds', async () => {
  for (const name of ['east', 'west']) await s.control('POST', '/worlds', { name });
  await s.v1('GET', '/v1/recordings/in-east', undefined, 'sk_sandbox_core_east');
  const tab = await go('requests?world=west');
  const { page } = tab;
  await page.getByText('No requests yet').waitFor();
  const world = page.getByRole('combobox', { name: 'World of the requests' });
  await world.selectOption('all worlds');
  await page.getByRole('option', { name: /in-east/ }).waitFor();
  await s.v1('GET', '/v1/recordings/in-west', undefined, 'sk_sandbox_core_west');
  await page.getByRole('option', { name: /in-west .*west/ }).waitFor();
  await page.getByRole('option', { name: /in-east/ }).click();
  await page.getByRole('region', { name: 'As curl' }).filter({ hasText: 'sk_sandbox_core_east' }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await until(async () => (await page.getByRole('option', { name: /in-east/ }).count()) === 2);
  await page.reload();
  await page.getByRole('region', { name: 'As curl' }).filter({ hasText: 'sk_sandbox_core_east' }).waitFor();
  await page.getByRole('option', { name: /in-west/ }).waitFor();
  await s.control('POST', '/reset?world=east');
  await page.getByRole('option', { name: /in-east/ }).first().waitFor({ state: 'detached' });
  await world.selectOption('west');
  await until(async () => (await page.getByRole('option').filter({ hasText: 'in-' }).count()) === 1);
  await tab.close();
});

// Unknown members that the API ignored are shown.
test('unknown members of a request', async () => {
  await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: 4, colour: 'red' });
  const tab = await go('requests');
  await tab.page.getByRole('option', { name: /POST \/v1\/uploads/ }).first().click();
  await tab.page.getByText('Ignored by the API').waitFor();
  assert.match(await tab.page.getByRole('region', { name: /^Request/ }).first().textContent(), /colour/);
  await tab.close();
});

// The log is saved as HAR.
test('HAR', async () => {
  const tab = await go('requests');
  const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.page.getByRole('button', { name: 'HAR' }).click()]);
  const har = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.ok(har.log.entries.length > 0);
  await tab.close();
});

// What the console reads is neither logged nor hit by faults, and moves no clock.
test('looking changes nothing', async () => {
  await s.control('POST', '/worlds', { name: 'steps', clock: 'steps' });
  await s.control('POST', '/faults?world=steps', { match: { op: '*' }, do: { status: 500 }, times: 1000 });
  const tab = await go('overview?world=steps');
  for (const p of ['recordings', 'webhooks', 'jobs', 'reference', 'requests']) {
    await tab.page.evaluate((to) => (location.hash = `#/${to}?world=steps`), p);
    await sleep(250);
  }
  await tab.page.getByText('No requests yet').waitFor();
  assert.equal((await s.control('GET', '/requests?world=steps')).count, 0);
  assert.equal((await s.control('GET', '/faults?world=steps')).remaining[0].seen, 0);
  await tab.close();
});

// Jobs wait for a frozen clock; a person steps one, lets one fail, and cancels one.
test('jobs', async () => {
  await s.control('POST', '/worlds', { name: 'jobs', clock: 'manual' });
  const secret = 'sk_sandbox_platform_jobs';
  const bytes = readFileSync(media('conversation.mp4'));
  for (const name of ['first', 'second']) {
    const reserved = await s.v1('POST', '/v1/uploads', { filename: `${name}.mp4`, content_type: 'video/mp4', content_size: bytes.length }, secret);
    await fetch(reserved.upload_url, { method: 'PUT', body: bytes, headers: { 'Content-Type': 'video/mp4' } });
    await s.v1('POST', '/v1/recordings', { object_id: reserved.object_id }, secret);
  }
  const tab = await go('jobs?world=jobs');
  const { page } = tab;
  const waiting = page.getByRole('option', { name: /^(queued|running) transcript\.transcribe/ });
  await waiting.first().click();
  const detail = page.getByRole('region', { name: 'Job', exact: true });
  await detail.getByText('It waits for the clock').waitFor();
  const states = await detail.locator('.line li').count();
  await detail.getByRole('button', { name: 'Step' }).click();
  await page.getByText('The job has taken a step').waitFor();
  await until(async () => (await detail.locator('.line li').count()) > states);

  await waiting.last().click();
  await detail.getByRole('textbox').fill('The tape was empty.');
  await detail.getByRole('button', { name: 'Let it fail' }).click();
  await detail.getByText('The tape was empty.').first().waitFor();

  await page.getByRole('option', { name: /^queued upload\.expire/ }).first().click();
  await detail.getByRole('button', { name: 'Cancel' }).click();
  await detail.locator('.detail-head').getByText('canceled').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('canceled');
  assert.equal(await page.getByRole('option', { name: /canceled/ }).count() > 0, true);
  await tab.close();
});

// A webhook is triggered, received, corrupted, and seen refused; others are held, reordered, and released.
test('webhooks', async () => {
  await s.control('POST', '/worlds', { name: 'hooks' });
  const tab = await go('webhooks?world=hooks');
  const { page } = tab;
  await page.getByRole('button', { name: 'Receive here' }).click();
  await page.getByText('This page receives').waitFor();
  const trigger = async () => {
    await page.getByRole('button', { name: 'Trigger' }).click();
    await page.getByRole('button', { name: 'Send it' }).click();
  };
  await trigger();
  const detail = page.getByRole('region', { name: 'Message', exact: true });
  await detail.locator('.detail-head').getByText('delivered').waitFor();
  for (const what of ['signature', 'body', 'timestamp', 'id']) {
    await detail.getByRole('combobox', { name: 'What to corrupt' }).selectOption(what);
    await detail.getByRole('button', { name: 'Corrupt' }).click();
    await detail.getByText(`corrupt ${what}`).waitFor();
  }
  await detail.getByText('refused, as it must be').nth(3).waitFor();
  const answers = await page.getByRole('list', { name: 'Received' }).textContent();
  assert.match(answers, /The signature does not match/);

  await detail.getByRole('button', { name: 'Resend', exact: true }).click();
  await page.getByText('Valid, but received before').first().waitFor();

  await page.getByRole('button', { name: 'Hold' }).click();
  await trigger();
  await trigger();
  await page.getByText('2 messages wait').waitFor();
  const held = page.getByRole('region', { name: 'Held messages' });
  const order = await held.getByRole('link').allTextContents();
  await held.getByRole('checkbox').nth(1).check();
  await held.getByRole('checkbox').nth(0).check();
  await held.getByRole('button', { name: 'Send 2 in this order' }).click();
  await until(async () => (await s.control('GET', '/webhooks/hold?world=hooks')).held.length === 0);
  await page.getByRole('button', { name: 'Release' }).click();
  const all = (await s.control('GET', '/webhooks/outbox?world=hooks')).messages.filter((m) => order.some((o) => m.id.startsWith(o)));
  await until(async () => {
    const now = (await s.control('GET', '/webhooks/outbox?world=hooks')).messages.filter((m) => all.some((a) => a.id === m.id));
    return now.every((m) => m.status === 'delivered');
  });
  const sent = (await s.control('GET', '/webhooks/outbox?world=hooks')).messages.filter((m) => all.some((a) => a.id === m.id));
  sent.sort((a, b) => Date.parse(a.attempts[0].at) - Date.parse(b.attempts[0].at));
  assert.deepEqual(sent.map((m) => m.id.slice(0, 8)), [...order].reverse(), 'sent in the chosen order');
  await page.getByRole('button', { name: 'Stop' }).click();
  await tab.close();
});

// The clock is frozen, advanced past the expiry of an upload URL, and to the next event.
test('clock', async () => {
  await s.control('POST', '/worlds', { name: 'time' });
  const tab = await go('clock?world=time');
  const { page } = tab;
  await page.getByRole('radio', { name: /manual/ }).click();
  await page.getByText('frozen', { exact: true }).waitFor();
  const reserved = await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: 3 }, 'sk_sandbox_platform_time');
  await page.getByText('upload.expire').waitFor();
  await page.getByRole('textbox', { name: /^By/ }).fill('31m');
  await page.getByRole('button', { name: 'Advance by' }).click();
  await page.getByRole('region', { name: 'What happened' }).getByText('upload.expire').waitFor();
  const late = await fetch(reserved.upload_url, { method: 'PUT', body: 'abc', headers: { 'Content-Type': 'audio/wav' } });
  assert.equal(late.status, 403);
  assert.match(await late.text(), /ExpiredToken/);

  await s.v1('POST', '/v1/uploads', { filename: 'a.wav', content_type: 'audio/wav', content_size: 3 }, 'sk_sandbox_platform_time');
  const shown = page.locator('.face .time');
  const earlier = await shown.textContent();
  await page.getByText('upload.expire').first().waitFor();
  await page.getByRole('button', { name: 'Next event' }).click();
  await until(async () => (await shown.textContent()) !== earlier);
  await page.getByRole('radio', { name: /real/ }).click();
  await page.getByText('runs with the wall clock').waitFor();
  await tab.close();
});

// A fault from the form fires, and verify tells what never did.
test('faults', async () => {
  const tab = await go('faults', { allowed: [/409/] }); // verify responds so
  const { page } = tab;
  await page.getByRole('combobox', { name: /To the operation/ }).selectOption('getUsage');
  await page.getByRole('spinbutton', { name: 'Status' }).fill('429');
  await page.getByRole('textbox', { name: /Retry-After/ }).fill('7');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await page.getByText('never fired').waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/Unfired faults/).waitFor();
  const response = await fetch(`${s.url}/v1/usage`, { headers: { Authorization: 'Bearer sk_sandbox_platform' } });
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('Retry-After'), '7');
  await page.getByText('fired 1 of 1×').waitFor();
  await page.getByText('spent', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Every fault has fired as often as it should.').waitFor();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('No faults').waitFor();
  await tab.close();
});

// A world is created, forked, stored, emptied, restored, and deleted.
test('worlds', async () => {
  const tab = await go('worlds');
  const { page } = tab;
  const card = (name) => page.getByRole('region', { name: `World ${name}`, exact: true });
  await card('default').getByRole('button', { name: 'Fork' }).click();
  await page.getByRole('textbox', { name: /Name/ }).last().fill('forked');
  await page.getByRole('button', { name: 'Create it' }).click();
  await card('forked').waitFor();
  assert.match(await card('forked').textContent(), /Recordings\s*1/);

  await page.getByRole('combobox', { name: 'World to store' }).selectOption('forked');
  await page.getByRole('textbox', { name: 'Name of the snapshot' }).fill('kept');
  await page.getByRole('button', { name: 'Store its state' }).click();
  await page.getByText('kept').first().waitFor();
  await card('forked').getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await card('forked').filter({ hasText: /Recordings\s*0/ }).waitFor();

  await card('forked').getByRole('link', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'Worlds' }).click();
  await page.getByRole('button', { name: 'Restore into forked' }).click();
  await page.getByRole('button', { name: 'Restore it' }).click();
  await card('forked').filter({ hasText: /Recordings\s*1/ }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), card('forked').getByRole('button', { name: 'Export' }).click()]);
  assert.equal(readFileSync(await download.path()).subarray(0, 2).toString(), 'PK');
  await card('forked').getByRole('button', { name: 'Delete forked' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await card('forked').waitFor({ state: 'detached' });
  await tab.close();
});

// The reference shows the contract, sends a request, and has magic inputs and statements.
test('reference', async () => {
  const tab = await go('reference/v1/listSpaces');
  const { page } = tab;
  const attempt = page.getByRole('region', { name: 'Try it' });
  await attempt.getByRole('button', { name: 'Send' }).click();
  await attempt.getByRole('region', { name: 'Response body' }).filter({ hasText: '"spaces"' }).waitFor();
  await page.getByRole('searchbox').fill('render');
  await page.getByRole('link', { name: /Render a captioned clip/ }).click();
  await page.getByText('aspect_ratio').first().waitFor();
  await page.getByRole('link', { name: 'Magic inputs' }).click();
  await page.getByRole('searchbox').fill('rate_limited');
  await page.getByText('sk_sandbox_magic_rate_limited').waitFor();
  await page.getByRole('link', { name: 'Fidelity' }).click();
  await page.getByText(/statements of the specification/).waitFor();
  await page.getByRole('link', { name: 'Control API' }).click();
  await page.getByRole('heading', { name: 'Clock' }).waitFor();
  await tab.close();
});

// Every page is reached by keys alone.
test('keys', async () => {
  const tab = await go('');
  const { page } = tab;
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const [key, title] of [['r', 'Recordings'], ['q', 'Requests'], ['j', 'Jobs'], ['w', 'Webhooks'], ['c', 'Clock'], ['f', 'Faults'], ['d', 'Worlds'], ['e', 'Reference'], ['o', 'Overview']]) {
    // A person doesn't wait until the page has handled the first key.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
  // A page that is busy takes both keys late. The time between the events counts.
  const late = (key, pressedAfter) =>
    page.evaluate(
      async ([key, pressedAfter]) => {
        const press = (key) => new KeyboardEvent('keydown', { key, bubbles: true });
        const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        const first = press('g');
        if (pressedAfter) await wait(pressedAfter);
        const second = press(key);
        document.body.dispatchEvent(first);
        await wait(1300);
        document.body.dispatchEvent(second);
      },
      [key, pressedAfter],
    );
  await late('c', 0);
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
  await late('w', 1300);
  await sleep(200);
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Clock', 'a key that comes later than 1.2 s after g');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
  await tab.close();
});
