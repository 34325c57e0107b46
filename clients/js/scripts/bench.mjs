// Measures the packages in bin/packages (make packages): their sizes, npx to the first 200 on a warm cache, and a suite of 100 tests.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { emptyProject, packages } from '../test/project.mjs';

const rounds = 10;
const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
const ms = (times) => `median ${Math.round(middle(times))} ms, best ${Math.round(times[0])} ms`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Milliseconds from the start of a command that serves until the first 200. */
async function firstAnswer(project, command, args) {
  const port = await freePort();
  const began = performance.now();
  const options = { cwd: project.folder, env: project.environment(), stdio: 'ignore', detached: true };
  const child = spawn(command, [...args, 'serve', '--log', 'off', '--addr', `127.0.0.1:${port}`], options);
  const ended = new Promise((done) => child.once('exit', done));
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/_soundstage/health`).then((r) => r.ok, () => false))) {
      if (child.exitCode !== null) throw new Error(`${command} ended with exit code ${child.exitCode}`);
      await new Promise((done) => setTimeout(done, 2));
    }
    return performance.now() - began;
  } finally {
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

for (const file of readdirSync(packages).filter((name) => name.endsWith('.tgz'))) {
  console.log(`${(statSync(join(packages, file)).size / 1e6).toFixed(2).padStart(6)} MB  ${file}`);
}

const project = await emptyProject();
try {
  const npx = ['--yes', '@soundstage/sandbox'];
  await firstAnswer(project, 'npx', npx); // fills the cache, and unpacks the program
  const installed = await emptyProject();
  await installed.run('npm init -y && npm install --save-dev @soundstage/sandbox && node_modules/.bin/soundstage --version');
  const program = join(installed.folder, `node_modules/@soundstage/sandbox-${process.platform}-${process.arch}/soundstage`);
  const times = { npx: [], 'npx in a project': [], 'node_modules/.bin': [], program: [] };
  for (let i = 0; i < rounds; i++) {
    times.npx.push(await firstAnswer(project, 'npx', npx));
    times['npx in a project'].push(await firstAnswer(installed, 'npx', ['@soundstage/sandbox']));
    times['node_modules/.bin'].push(await firstAnswer(installed, 'node_modules/.bin/soundstage', []));
    times.program.push(await firstAnswer(installed, program, []));
  }
  for (const [name, measured] of Object.entries(times)) console.log(`${name} to the first 200: ${ms(measured)}`);

  installed.link('vitest');
  installed.write('many.test.mjs', `
    import { test } from '@soundstage/sandbox/vitest';
    import { expect } from 'vitest';
    for (let i = 0; i < 100; i++) test(\`world \${i}\`, async ({ world }) => expect((await world.api.listSpaces()).count).toBe(1));
  `);
  const suites = [];
  for (let i = 0; i < rounds; i++) {
    const began = performance.now();
    await installed.run('node node_modules/vitest/vitest.mjs run many.test.mjs');
    suites.push(performance.now() - began);
  }
  console.log(`100 tests of Vitest with a world each: ${ms(suites)}`);
  await installed.remove();
} finally {
  await project.remove();
}
