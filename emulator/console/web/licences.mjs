// Writes dist/licences.txt: the licences of the packages whose code is in the built files.
import { readFile, readdir, writeFile } from 'node:fs/promises';

const bundled = ['openapi-fetch', 'svelte', 'wavesurfer.js', 'yaml'];
let text = 'The console contains code of these packages.\n';
for (const name of bundled) {
  const folder = new URL(`node_modules/${name}/`, import.meta.url);
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  const file = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
  if (!file) throw new Error(`${name} has no file with its licence`);
  text += `\n== ${name} ${version}\n\n${(await readFile(new URL(file, folder), 'utf8')).trim()}\n`;
}
await writeFile(new URL('../dist/licences.txt', import.meta.url), text);
