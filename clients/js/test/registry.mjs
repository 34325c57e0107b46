// A registry for the packages in a folder of tarballs, as npm reads one. It lists a package of another platform, but has no tarball of it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The package.json of a tarball. */
function manifestOf(tarball) {
  const tar = gunzipSync(tarball);
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*/s, '');
    const size = parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name === 'package/package.json') return JSON.parse(tar.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error('The tarball has no package.json.');
}

/** Serves the packages, and resolves to the address and a function that stops it. */
export async function serveRegistry(folder) {
  const packages = new Map();
  const tarballs = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    const bytes = readFileSync(join(folder, file));
    packages.set(manifestOf(bytes).name, { manifest: manifestOf(bytes), file, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` });
    tarballs.set(`/${file}`, bytes);
  }
  for (const [name, version] of Object.entries(packages.get('@soundstage/sandbox').manifest.optionalDependencies)) {
    const [os, cpu] = name.split('-').slice(-2);
    if (!packages.has(name)) packages.set(name, { manifest: { name, version, os: [os], cpu: [cpu] }, file: 'none.tgz', integrity: 'sha512-none' });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url);
    const found = packages.get(path.slice(1));
    const tarball = tarballs.get(path);
    if (tarball) return response.end(tarball);
    if (!found) return response.writeHead(404).end('{}');
    const { manifest, file, integrity } = found;
    const dist = { tarball: `http://${request.headers.host}/${file}`, integrity };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: { ...manifest, dist } } }));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => new Promise((done) => { server.close(done); server.closeAllConnections(); });
  return { url: `http://127.0.0.1:${server.address().port}/`, stop };
}
