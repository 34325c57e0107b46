// Titles and words in languages that are read from right to left, or that have no spaces between words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, dragWords, open, sandbox } from './harness.mjs';

let s;
const ids = {};
const texts = {
  arabic: ['مقابلة عن API (2026)', 'تحدثنا اليوم عن API مع Ada.'],
  turkish: ['Söyleşi', 'İstanbul’dan ağ gerektirmeyen testler, Straße ve café.'],
  japanese: ['テストの話', '今日は、テストについて話します。'],
};
before(async () => {
  s = await sandbox();
  const said = (text) => {
    const words = text === texts.japanese[1] ? [...text.matchAll(/[^、。][、。]?/gu)].map((m) => m[0]) : text.split(' ');
    return { speaker: 'Ada', text, start: 100, end: 5000, words: words.map((w, i) => ({ text: w, start: 100 + i * 200, end: 290 + i * 200 })) };
  };
  const recordings = Object.values(texts).map(([title, text]) => ({ title, media: { speech: '6s' }, transcript: { utterances: [said(text)] } }));
  const applied = await s.control('POST', '/fixtures', { version: 1, spaces: [{ id: 'default', recordings }] });
  Object.keys(texts).forEach((name, i) => (ids[name] = applied.recordings[i]));
});
after(async () => {
  await closeBrowser();
  await s?.stop();
});

// x returns where words are, from their left edges.
const lefts = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((e) => e.getBoundingClientRect().left));

test('right to left', async () => {
  const tab = await open(s.console(`recordings/${ids.arabic}`));
  const { page } = tab;
  await page.locator('.words [data-w]').first().waitFor();
  const at = await lefts(page, '.words [data-w]');
  assert.ok(at[0] > at[1] && at[1] > at[2], `the first word is on the right: ${at}`);
  const name = await page.locator('.who strong').first().boundingBox();
  assert.ok(name.x > at[2], 'the name of the speaker is above the first words');
  const mark = await page.locator('.words [data-w]').last().evaluate((e) => {
    const range = document.createRange();
    const edges = [...e.textContent].map((_, i) => (range.setStart(e.firstChild, i), range.setEnd(e.firstChild, i + 1), range.getBoundingClientRect().left));
    return edges.at(-1) < edges[0];
  });
  assert.ok(mark, 'the full stop after the Latin word is on its left');
  assert.equal(await page.getByRole('heading', { level: 1 }).evaluate((e) => getComputedStyle(e).direction), 'rtl');
  await page.goto(s.console('recordings'));
  const title = page.getByText(texts.arabic[0]);
  await title.waitFor();
  assert.equal(await title.evaluate((e) => getComputedStyle(e).direction), 'rtl');
  await tab.close();
});

// Words are shown, found, and copied as the text has them: without spaces.
test('no spaces between words', async () => {
  const tab = await open(s.console(`recordings/${ids.japanese}`));
  const { page } = tab;
  await page.locator('.words [data-w]').first().waitFor();
  assert.equal((await page.locator('.words').textContent()).trim(), texts.japanese[1]);
  await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('テスト');
  await page.getByText('1 of 1').waitFor();
  await page.locator('.wave.waved').waitFor(); // it moves the words
  await dragWords(page, 0, 3);
  await page.getByRole('form', { name: 'New clip' }).waitFor();
  await page.keyboard.press('ControlOrMeta+c');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '今日は、テ');
  await tab.close();
});

// A download has the title of the recording, not what is left of it in ASCII.
test('names of downloads', async () => {
  const tab = await open(s.console(`recordings/${ids.arabic}`));
  const { page } = tab;
  await page.getByRole('button', { name: 'Export' }).click();
  for (const [name, file] of [['PDF', `${texts.arabic[0]}.pdf`], ['WebVTT', `${texts.arabic[0]}.vtt`]]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Download ${name}` }).click()]);
    assert.equal(download.suggestedFilename(), file);
  }
  await tab.close();
});

// A search in a transcript finds what /v1/search finds: with any case, accents, and apostrophes.
test('search ignores accents', async () => {
  const tab = await open(s.console(`recordings/${ids.turkish}`));
  const { page } = tab;
  const box = page.getByRole('searchbox', { name: 'Search the transcript' });
  for (const query of ['istanbul', "İSTANBUL'DAN AG", 'strasse', 'cafe.', 'CAFÉ']) {
    await box.fill('');
    await box.fill(query);
    await page.getByText('1 of 1').waitFor();
  }
  await tab.close();
});
