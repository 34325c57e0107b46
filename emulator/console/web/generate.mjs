// Writes src/api/v1.ts and src/api/control.ts, the types of every call, and src/api/operations.ts, the operations of /v1, from the contracts.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const contracts = { v1: '../../api/openapi.yaml', control: '../../control/openapi.yaml' };
for (const [name, path] of Object.entries(contracts)) {
  const ast = await openapiTS(new URL(path, import.meta.url), { alphabetize: true, rootTypes: false });
  const source = path.replace('../../', 'emulator/');
  await writeFile(new URL(`src/api/${name}.ts`, import.meta.url), `// Generated from ${source} by generate.mjs. Do not edit.\n\n${astToString(ast)}`);
}

const { paths } = parse(await readFile(new URL(contracts.v1, import.meta.url), 'utf8'), { merge: true });
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, op]) => (op.operationId ? [{ id: op.operationId, method: method.toUpperCase(), path, summary: op.summary }] : [])),
);
const list = operations.map((o) => `  ${JSON.stringify(o)},`).join('\n');
await writeFile(new URL('src/api/operations.ts', import.meta.url), `// Generated from emulator/api/openapi.yaml by generate.mjs. Do not edit.\n\nexport const operations = [\n${list}\n];\n`);
