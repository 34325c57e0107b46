'use strict';
// Finds the program soundstage: SOUNDSTAGE_BINARY, else the one in the package of this platform. That package has it compressed, because
// npm compresses much worse. There are no install scripts, so the first call unpacks it.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];
const exe = process.platform === 'win32' ? 'soundstage.exe' : 'soundstage';

async function findProgram() {
  const own = process.env.SOUNDSTAGE_BINARY;
  if (own) {
    if (isFile(own)) return path.resolve(own);
    throw new Error(`SOUNDSTAGE_BINARY is ${JSON.stringify(own)}, which is not a file. Set it to the path of the program soundstage, or unset it.`);
  }
  const manifest = resolvePackage(`${process.platform}-${process.arch}`);
  if (!manifest) throw new Error(missing());
  const { version, soundstage } = require(manifest);
  const name = `${version}-${process.platform}-${process.arch}-${soundstage.sha256.slice(0, 16)}`;
  const folders = [path.dirname(manifest), path.join(cacheFolder(), 'soundstage', 'npm', name)];
  const unpacked = folders.map((folder) => path.join(folder, exe)).find((file) => isFile(file, soundstage.size));
  return unpacked ?? unpackInto(folders, path.join(folders[0], 'soundstage.br'), soundstage.size);
}

function resolvePackage(platform) {
  try {
    return require.resolve(`@soundstage/sandbox-${platform}/package.json`);
  } catch {
    return undefined;
  }
}

/** Says why there is no program for this machine, and what to do. */
function missing() {
  const here = `${process.platform}-${process.arch}`;
  const own = 'Or build it with `go build ./cmd/soundstage`, and set SOUNDSTAGE_BINARY to its path.';
  if (!platforms.includes(here)) return `There is no program soundstage for ${here}, only for ${platforms.join(', ')}. ${own}`;
  const others = platforms.filter(resolvePackage);
  const why = others.length > 0
    ? `node_modules was installed on another system: it has the one for ${others.join(', ')}. Run npm install on this system.`
    : 'Install again without --omit=optional and --no-optional. If that does not help, delete node_modules and package-lock.json first.';
  return `The package @soundstage/sandbox-${here} is missing, which has the program soundstage for this machine. ${why} ${own}`;
}

function isFile(file, size) {
  try {
    const info = fs.statSync(file);
    return info.isFile() && (size === undefined || info.size === size);
  } catch {
    return false;
  }
}

/** The folder for files of this user that can be made again. */
function cacheFolder() {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA || path.join(os.homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches');
  return process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
}

/** Unpacks the program into the first folder that can be written to. */
async function unpackInto(folders, source, size) {
  const problems = [];
  for (const folder of folders) {
    const file = path.join(folder, exe);
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      await unpack(source, file, size);
      return file;
    } catch (error) {
      problems.push(`${folder}: ${error.message}`);
    }
  }
  const advice = 'Make one of these folders writable, or set SOUNDSTAGE_BINARY to the path of the program.';
  throw new Error(`The program soundstage can't be unpacked: ${problems.join('; ')}. ${advice}`);
}

/** Unpacks to a temporary name and renames, so that concurrent processes never see a part of the program. */
async function unpack(source, file, size) {
  const { createBrotliDecompress } = require('node:zlib');
  const { pipeline } = require('node:stream/promises');
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await pipeline(fs.createReadStream(source), createBrotliDecompress(), fs.createWriteStream(temporary, { mode: 0o755, flags: 'wx' }));
    if (!isFile(temporary, size)) throw new Error(`${source} is damaged; install the package again`);
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    if (!isFile(file, size)) throw error; // Windows can't replace a program that another process has unpacked and runs
  }
}

module.exports = { findProgram, platforms };
