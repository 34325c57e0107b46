// The page of soundstage transcribe --open: one file that works alone, from a folder.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeBrowser, looked, media, open, playerPage, root, sandbox, until } from './harness.mjs';

after(closeBrowser);

test('the player page works alone', async (t) => {
  const s = await sandbox();
  const id = await s.transcribed('conversation.mp4', 'x');
  const transcript = await s.v1('GET', `/v1/recordings/${id}/transcript`);
  const { peaks } = await s.control('GET', `/recordings/${id}/media/peaks`);
  await s.stop();
  const folder = mkdtempSync('/tmp/console-player-');
  copyFileSync(media('conversation.mp4'), join(folder, 'talk & more.mp4'));
  const title = '</script><script>globalThis.hacked=1</script><!-- talk';
  writeFileSync(join(folder, 'talk.html'), playerPage({ title, media: { src: 'talk%20%26%20more.mp4', video: true }, peaks, transcript }));

  const tab = await open(pathToFileURL(join(folder, 'talk.html')).href);
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await tab.page.getByRole('heading', { level: 1 }).textContent(), title);
  assert.equal(await tab.page.evaluate(() => globalThis.hacked), undefined);
  await tab.page.locator('.words [data-w]').nth(6).click();
  await until(() => tab.page.evaluate(() => document.querySelector('video').currentTime > 1.5 && document.querySelector('.words .now') !== null));
  await tab.page.keyboard.press(' ');
  await tab.page.keyboard.press('/');
  await tab.page.keyboard.type('deleting');
  await tab.page.getByText('1 of 1').waitFor();
  await tab.page.locator('.wave.waved').waitFor();
  await looked(tab.page, 'player');
  await tab.close();
  assert.ok(!readFileSync(join(folder, 'talk.html'), 'utf8').match(/(src|href)="(https?:)?\/\//), 'it loads nothing');
  t.diagnostic(`the page without data has ${(readFileSync(join(root, 'emulator/console/dist/player.html')).length / 1024).toFixed(0)} KiB`);
});
