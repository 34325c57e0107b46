// Writes src/generated from the contracts: the types of every operation, and a table with its method, path, and query parameters.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const root = new URL('../../../', import.meta.url);
const contracts = { v1: 'emulator/api/openapi.yaml', control: 'emulator/control/openapi.yaml' };
const methods = ['get', 'put', 'post', 'patch', 'delete'];
const endless = ['text/event-stream', 'application/x-ndjson'];

/** Follows a reference within the document. */
const resolve = (document, value) => (value?.$ref ? value.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : value);

/** The row of an operation. None if it has a signed URL of its own, its body is not only JSON, or its answer never ends. */
function row(document, path, method, operation) {
  const parameters = (operation.parameters ?? []).map((p) => resolve(document, p));
  const named = (place) => parameters.filter((p) => p.in === place).map((p) => p.name);
  const body = resolve(document, operation.requestBody)?.content;
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const answers = good.flatMap(([, response]) => Object.keys(resolve(document, response).content ?? {}));
  const signed = operation.security?.length === 0;
  if (signed || (body && Object.keys(body).join() !== 'application/json') || answers.some((type) => endless.includes(type))) return [];
  const query = named('query').filter((name) => name !== 'world');
  const members = Object.keys(resolve(document, body?.['application/json'].schema)?.properties ?? {});
  const all = [...named('path'), ...query, ...members];
  if (new Set(all).size < all.length) throw new Error(`${operation.operationId}: a path, query, and body can't share a name: ${all}`);
  const note = `  /** ${operation.summary} */\n`;
  return [`${note}  ${operation.operationId}: ['${method.toUpperCase()}', '${path}', [${query.map((q) => `'${q}'`).join(', ')}], ${Boolean(body)}],\n`];
}

for (const [name, path] of Object.entries(contracts)) {
  const head = `// Generated from ${path} by scripts/generate.mjs. Do not edit.\n\n`;
  const ast = await openapiTS(new URL(path, root), { alphabetize: true, rootTypes: false });
  await writeFile(new URL(`../src/generated/${name}.ts`, import.meta.url), head + astToString(ast));

  const document = parse(await readFile(new URL(path, root), 'utf8'), { merge: true });
  const rows = Object.entries(document.paths).flatMap(([at, item]) =>
    methods.flatMap((method) => (item[method] ? row(document, at, method, item[method]) : [])),
  );
  const note = '/** Method, path, names of query parameters, and whether there is a body, of each operation. */';
  const table = `${note}\nexport const operations = {\n${rows.join('')}} as const;\n`;
  await writeFile(new URL(`../src/generated/${name}-operations.ts`, import.meta.url), head + table);
}
