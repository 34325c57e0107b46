// Compiles src into dist: x.js and x.d.ts for import, x.cjs and x.d.cts for require.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const compile = (folder) => execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });

rmSync(at('dist'), { recursive: true, force: true });
compile(root);

// The compiler writes what the nearest package.json says, so the sources for require are compiled in a folder with another one.
const staged = at('build/cjs');
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
cpSync(at('src'), join(staged, 'src'), { recursive: true });
cpSync(at('bin'), join(staged, 'bin'), { recursive: true });
writeFileSync(join(staged, 'package.json'), JSON.stringify({ type: 'commonjs', imports: { '#program': './bin/program.cjs' } }));
const options = { verbatimModuleSyntax: false, rootDir: 'src', outDir: 'dist' };
const project = { extends: '../../tsconfig.json', compilerOptions: options, include: ['src'], exclude: ['src/vitest.ts'] };
writeFileSync(join(staged, 'tsconfig.json'), JSON.stringify(project));
compile(staged);

for (const file of readdirSync(join(staged, 'dist'), { recursive: true })) {
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const text = readFileSync(join(staged, 'dist', file), 'utf8').replace(/((?:from |require\(|import\()["']\.[^"']*)\.js(["'])/g, '$1.cjs$2');
  writeFileSync(at('dist', file.replace(/\.js$/, '.cjs').replace(/\.d\.ts$/, '.d.cts')), text);
}
