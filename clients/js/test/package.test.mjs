// The packages as they are installed: what is in them, and what happens without a program.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installedProject, root } from './project.mjs';

const here = `${process.platform}-${process.arch}`;
const { platforms } = createRequire(import.meta.url)('../bin/program.cjs');
let project, modules;
before(async () => {
  project = await installedProject();
  modules = join(project.folder, 'node_modules/@soundstage');
});
after(() => project.remove());

const manifest = (name) => JSON.parse(project.read(`node_modules/@soundstage/${name}/package.json`));
const version = (more) => project.run('node_modules/.bin/soundstage --version', more); // as npx does, which takes longer

test('the package has no dependencies and no scripts, and one package for each platform', () => {
  const main = manifest('sandbox');
  assert.equal(main.dependencies, undefined);
  assert.equal(main.scripts, undefined);
  assert.equal(main.license, 'Apache-2.0');
  assert.deepEqual(Object.keys(main.optionalDependencies), platforms.map((p) => `@soundstage/sandbox-${p}`));
  assert.deepEqual(new Set(Object.values(main.optionalDependencies)), new Set([main.version]));
});

test('the package asks for a Vitest with fixtures of a worker', () => {
  assert.deepEqual(manifest('sandbox').peerDependencies, { vitest: '>=3.2' });
});

test('npm installs the package of this platform only', () => {
  const [os, cpu] = here.split('-');
  assert.deepEqual(platforms.filter((p) => existsSync(join(modules, `sandbox-${p}`))), [here]);
  assert.deepEqual([manifest(`sandbox-${here}`).os, manifest(`sandbox-${here}`).cpu], [[os], [cpu]]);
});

test('the first start unpacks the program, which says the version of the package', async () => {
  const program = join(modules, `sandbox-${here}`, 'soundstage');
  assert.ok(!existsSync(program));
  assert.ok((await version()).startsWith(`soundstage ${manifest('sandbox').version}`));
  assert.equal(statSync(program).size, manifest(`sandbox-${here}`).soundstage.size);
  assert.equal(statSync(program).mode & 0o111, 0o111);
});

test('a program that is not whole is unpacked again', async () => {
  project.write(`node_modules/@soundstage/sandbox-${here}/soundstage`, 'a part');
  assert.match(await version(), /^soundstage /);
});

test('a package that the program can not be unpacked into uses the cache of the user', async () => {
  const platform = join(modules, `sandbox-${here}`);
  rmSync(join(platform, 'soundstage'));
  mkdirSync(join(platform, 'soundstage/in the way'), { recursive: true }); // root may write into folders that are read-only
  const cache = join(project.folder, 'cache');
  assert.match(await version({ XDG_CACHE_HOME: cache }), /^soundstage /);
  const { version: release, soundstage } = manifest(`sandbox-${here}`);
  assert.ok(existsSync(join(cache, 'soundstage/npm', `${release}-${here}-${soundstage.sha256.slice(0, 16)}`, 'soundstage')));
  await assert.rejects(version({ XDG_CACHE_HOME: '/dev/null' }), /can't be unpacked: .+Make one of these folders writable, or set SOUNDSTAGE_BINARY/s);
  rmSync(join(platform, 'soundstage'), { recursive: true });
});

test('the exit code and the arguments are those of the program', async () => {
  await assert.rejects(project.run('node_modules/.bin/soundstage serve --clock sideways'), { code: 2, message: /"sideways" is not a clock mode/ });
});

test('a missing package of the platform is an error that says what to do', async () => {
  renameSync(join(modules, `sandbox-${here}`), join(modules, 'away'));
  try {
    await assert.rejects(version(), { code: 127, message: /The package @soundstage\/sandbox-\S+ is missing.+Install again without --omit=optional/ });
    const other = platforms.find((p) => p !== here);
    mkdirSync(join(modules, `sandbox-${other}`));
    project.write(`node_modules/@soundstage/sandbox-${other}/package.json`, '{}');
    await assert.rejects(version(), new RegExp(`installed on another system: it has the one for ${other}. Run npm install on this system`));
    rmSync(join(modules, `sandbox-${other}`), { recursive: true });
  } finally {
    renameSync(join(modules, 'away'), join(modules, `sandbox-${here}`));
  }
});

test('SOUNDSTAGE_BINARY replaces the program, and must be a file', async () => {
  project.write('mine', '#!/bin/sh\necho my own\n');
  await project.run('chmod +x mine');
  assert.equal(await version({ SOUNDSTAGE_BINARY: './mine' }), 'my own\n');
  await assert.rejects(version({ SOUNDSTAGE_BINARY: './not-here' }), /SOUNDSTAGE_BINARY is ".\/not-here", which is not a file/);
});

test('a system without a program is an error that lists the others', async () => {
  const script = `Object.defineProperty(process, 'platform', { value: 'haiku' }); require('@soundstage/sandbox').startSandbox()`;
  await assert.rejects(project.run(`node -e "${script}"`), /no program soundstage for haiku-\S+, only for linux-x64/);
});

test('the types hold for import and require, and with a bundler', async () => {
  project.link('typescript');
  const options = { strict: true, target: 'es2022', noEmit: true, types: [], lib: ['es2023', 'dom'], exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const source = readFileSync(join(root, 'test/types.ts'), 'utf8');
  for (const name of ['esm.mts', 'cjs.cts']) project.write(name, source);
  const compile = (name, files, more) => {
    project.write(`${name}.json`, JSON.stringify({ compilerOptions: { ...options, ...more }, files }));
    return project.run(`node node_modules/typescript/bin/tsc -p ${name}.json`);
  };
  await compile('node', ['esm.mts', 'cjs.cts'], { module: 'nodenext' });
  await compile('bundler', ['esm.mts'], { module: 'esnext', moduleResolution: 'bundler' });
  const subpaths = ['jest', 'node-test', 'setup', 'vitest'].map((name) => `import '@soundstage/sandbox/${name}';\n`);
  project.write('old.ts', `${subpaths.join('')}import { it } from '@soundstage/sandbox/jest';\nit('x', ({ world }) => world.reset());\n`);
  await compile('node10', ['old.ts'], { module: 'commonjs', moduleResolution: 'node10', skipLibCheck: true }); // the default of module commonjs
});

test('Jest has classes and timers of its own, and environments without fetch', async () => {
  project.link('jest');
  project.write('own.test.cjs', `
    const { test } = require('@soundstage/sandbox/jest');
    const { connectSandbox, startSandbox, tone } = require('@soundstage/sandbox');
    test('fake timers', ({ world }) => { jest.useFakeTimers(); return world.transcribe(tone()).finally(() => jest.useRealTimers()); });
    test('nobody there', () => expect(connectSandbox({ url: 'http://127.0.0.1:1024' })).rejects.toThrow('No sandbox answers at http://127.0.0.1:1024.'));
    test('a dead sandbox', async () => {
      const own = await startSandbox();
      process.kill(own.pid, 'SIGKILL');
      while (await fetch(own.url).then(() => true, () => false));
      await expect(own.api.listSpaces()).rejects.toThrow('The sandbox does not run any more');
    });`);
  await project.run('node node_modules/jest/bin/jest.js own.test.cjs');
  project.write('browser.cjs', `
    const { TestEnvironment } = require(require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }));
    module.exports = class extends TestEnvironment { async setup() { await super.setup(); delete this.global.fetch; } };`); // as jsdom has none
  await assert.rejects(project.run('node node_modules/jest/bin/jest.js --env ./browser.cjs own.test.cjs'), /Begin the test file with: .+@jest-environment node/);
});
