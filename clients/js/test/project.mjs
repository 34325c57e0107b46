// An empty project in which the packages were installed from their tarballs, as a user's would be. SOUNDSTAGE_PACKAGES is their folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveRegistry } from './registry.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const packages = process.env.SOUNDSTAGE_PACKAGES ?? resolve(root, '../../bin/packages');

/** The environment of commands: without the runner's own variables, settings of a sandbox, programs in a cache, and a network. */
function environment(folder, more) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SOUNDSTAGE_|NODE_TEST|NODE_OPTIONS|npm_)/i.test(name));
  const offline = { registry: 'http://127.0.0.1:1/', fetch_retries: '0', audit: 'false', fund: 'false', update_notifier: 'false' };
  const npm = { userconfig: join(folder, '.npmrc'), cache: join(folder, 'npm'), ...offline };
  const settings = Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]);
  return { ...Object.fromEntries([...own, ...settings]), XDG_CACHE_HOME: join(folder, 'cache'), ...more };
}

/** Makes an empty folder whose npm finds the packages. `run` runs a shell command there, and throws with its output if it fails. */
export async function emptyProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'soundstage-project-')));
  const registry = await serveRegistry(packages);
  writeFileSync(join(folder, '.npmrc'), `@soundstage:registry=${registry.url}\n`);
  return {
    folder,
    environment: (more) => environment(folder, more),
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    /** Stands in for `npm install` of a package of others, which would need the network. */
    link: (name) => symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name)),
    async run(command, more) {
      const child = spawn('sh', ['-c', command], { cwd: folder, env: environment(folder, more), detached: true });
      let out = '';
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (out += text));
      const limit = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 600_000); // with all that it started
      const [code, signal] = await once(child, 'close');
      clearTimeout(limit);
      if (code !== 0) throw Object.assign(new Error(`${command}: ${signal ?? `exit code ${code}`}\n${out}`), { code });
      return out;
    },
    async remove() {
      await registry.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A project with the packages. */
export async function installedProject() {
  const project = await emptyProject();
  await project.run('npm init -y && npm install --save-dev @soundstage/sandbox');
  return project;
}
