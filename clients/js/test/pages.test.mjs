// The commands of the pages run in an empty folder, in their order, and each of them succeeds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { emptyProject, root } from './project.mjs';

/** The blocks of a page: its files, and its commands. */
function blocksOf(page) {
  const text = readFileSync(resolve(root, page), 'utf8');
  return [...text.matchAll(/(?:<!-- (file|not run): ([^>]+) -->\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, mark, note, language, code]) => ({ mark, note, language, code }));
}

/** The commands in a test: packages of others are linked, because tests have no network. */
function offline(code) {
  const modules = resolve(root, 'node_modules');
  const link = (name) => `ln -s ${modules}/${name} node_modules/${name} && ln -s ${modules}/.bin/${name} node_modules/.bin/${name}`;
  return code.replace(/^npm install --save-dev (vitest|jest)$/gm, (_, name) => link(name));
}

for (const page of ['README.md', '../../docs/node.md']) {
  test(page, async () => {
    const project = await emptyProject();
    try {
      const blocks = blocksOf(page);
      for (const { mark, note, code } of blocks) if (mark === 'file') project.write(note, code);
      const commands = blocks.filter(({ language, mark }) => language === 'sh' && mark !== 'not run').map(({ code }) => code);
      assert.ok(commands.length >= 3);
      await project.run(`set -e\n${offline(commands.join(''))}`);
    } finally {
      await project.remove();
    }
  });
}
