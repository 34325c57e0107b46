// Writes the npm packages into bin/packages: @soundstage/sandbox, and one for each platform with the program from bin/cross.
//
//   node scripts/pack.mjs [--platforms linux-x64,darwin-arm64] [--quality 11] [--programs FOLDER] [--out FOLDER]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = resolve(here, '../..');
const { platforms } = createRequire(import.meta.url)('../bin/program.cjs');
const { values } = parseArgs({
  options: {
    platforms: { type: 'string', default: platforms.join() },
    quality: { type: 'string', default: '11' }, // 11 takes two minutes for each program; 4 takes two seconds, and is a quarter larger
    programs: { type: 'string', default: join(repository, 'bin/cross') },
    out: { type: 'string', default: join(repository, 'bin/packages') },
  },
});

/** The path of the program that `make cross` builds for a platform. */
function programOf(platform) {
  const [os, cpu] = platform.split('-');
  const goos = os === 'win32' ? 'windows' : os;
  const path = join(values.programs, goos, cpu === 'x64' ? 'amd64' : cpu, os === 'win32' ? 'soundstage.exe' : 'soundstage');
  if (!platforms.includes(platform)) throw new Error(`There is no platform ${platform}. Use ${platforms.join(', ')}.`);
  if (!existsSync(path)) throw new Error(`${path} is missing. Build it: make cross`);
  return path;
}

/** The version that the program for this machine says, without the commit. */
function programVersion() {
  const said = execFileSync(programOf(`${process.platform}-${process.arch}`), ['--version'], { encoding: 'utf8' });
  const found = /^soundstage v?(\d+\.\d+\.\d+(?:-[\w.-]+)?)/.exec(said);
  if (!found) throw new Error(`The program says no version: ${said}`);
  return found[1];
}

/** Compresses a program. What was compressed before is kept in build. */
async function compressed(program, sha256) {
  const quality = Number(values.quality);
  const kept = join(here, 'build', `${sha256}-${quality}.br`);
  if (existsSync(kept)) return readFileSync(kept);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: program.length };
  const bytes = await promisify(brotliCompress)(program, { params });
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, bytes);
  return bytes;
}

/** Writes a folder as a package, and prints its size. */
function pack(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(values.out)];
  const out = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  const [{ filename, size }] = JSON.parse(out);
  console.log(`${(size / 1e6).toFixed(2).padStart(6)} MB  ${join(values.out, filename)}`);
}

/** An empty folder for a package. */
function stage(name) {
  const folder = join(here, 'build/npm', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function packPlatform(platform, shared) {
  const [os, cpu] = platform.split('-');
  const folder = stage(`sandbox-${platform}`);
  const program = readFileSync(programOf(platform));
  const sha256 = createHash('sha256').update(program).digest('hex');
  writeFileSync(join(folder, 'soundstage.br'), await compressed(program, sha256));
  const description = `The program soundstage for ${platform}, which @soundstage/sandbox needs.`;
  writeFileSync(join(folder, 'README.md'), `# @soundstage/sandbox-${platform}\n\n${description} Install that package.\n`);
  const name = `@soundstage/sandbox-${platform}`;
  const soundstage = { size: program.length, sha256 }; // bin/program.cjs reads it
  pack(folder, { name, ...shared, description, os: [os], cpu: [cpu], preferUnplugged: true, files: ['soundstage.br'], soundstage });
}

function packMain(shared) {
  const { scripts, devDependencies, version, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const folder = stage('sandbox');
  for (const name of ['bin', 'dist', 'README.md']) cpSync(join(here, name), join(folder, name), { recursive: true });
  const optionalDependencies = Object.fromEntries(platforms.map((platform) => [`@soundstage/sandbox-${platform}`, shared.version]));
  pack(folder, { ...manifest, ...shared, optionalDependencies });
}

const { license, repository: source, homepage, engines, publishConfig } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const shared = { version: programVersion(), license, repository: source, homepage, engines, publishConfig };
mkdirSync(values.out, { recursive: true });
const wanted = values.platforms.split(',');
wanted.forEach(programOf); // all must be there before the first minute of work
packMain(shared);
await Promise.all(wanted.map((platform) => packPlatform(platform, shared)));
