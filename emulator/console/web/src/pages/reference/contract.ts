// The contracts as the reference page shows them. They are read from the sandbox, so that the page is true for the sandbox that serves it.
import { raw } from '../../api/client';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  example?: unknown;
  'x-provenance'?: string;
};
export type Parameter = { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema?: Schema; 'x-provenance'?: string };
export type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { summary?: string; value: unknown }> }>;
export type Response = { $ref?: string; description?: string; content?: Content; 'x-provenance'?: string };
export type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  'x-provenance'?: string;
  'x-tier'?: string;
};
export type Listed = { method: string; path: string; op: Operation; webhook: boolean };
export type Contract = { title: string; tags: string[]; operations: Listed[]; resolve: <T extends { $ref?: string }>(value: T) => T };

type Document = {
  info: { title: string };
  tags?: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
};

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

export async function load(path: string): Promise<Contract> {
  const [response, { parse }] = await Promise.all([raw(path, { api: path.startsWith('/_soundstage/') ? 'control' : 'v1' }), import('yaml')]);
  const doc = parse(await response.text(), { merge: true }) as Document;
  const list = (items: Document['paths'], webhook: boolean): Listed[] =>
    Object.entries(items).flatMap(([at, item]) => methods.flatMap((method) => (item[method] ? [{ method: method.toUpperCase(), path: at, op: item[method], webhook }] : [])));
  const operations = [...list(doc.paths, false), ...list(doc.webhooks ?? {}, true)];
  const tags = [...new Set([...(doc.tags ?? []).map((t) => t.name), ...operations.map((o) => o.op.tags?.[0] ?? 'Other')])].filter((t) => operations.some((o) => (o.op.tags?.[0] ?? 'Other') === t));
  return {
    title: doc.info.title,
    tags,
    operations,
    resolve<T extends { $ref?: string }>(value: T): T {
      let at: unknown = value;
      for (let hops = 0; hops < 8; hops++) {
        const ref = (at as { $ref?: string } | undefined)?.$ref;
        if (!ref) break;
        at = ref
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], doc);
      }
      return (at ?? {}) as T;
    },
  };
}

// typeOf names the type of a schema in a few words.
export function typeOf(schema: Schema, resolve: Contract['resolve']): string {
  const s = resolve(schema);
  const types = Array.isArray(s.type) ? s.type : s.type ? [s.type] : [];
  if (s.const !== undefined) return JSON.stringify(s.const);
  if (s.enum) return s.enum.map((e) => JSON.stringify(e)).join(' | ');
  if (s.oneOf ?? s.anyOf) return (s.oneOf ?? s.anyOf)!.map((o) => typeOf(o, resolve)).join(' | ');
  if (types.includes('array')) return `array of ${s.items ? typeOf(s.items, resolve) : 'anything'}${types.includes('null') ? ' | null' : ''}`;
  const name = types.map((t) => (t === 'string' && s.format ? `string (${s.format})` : t)).join(' | ');
  return name || (s.properties ? 'object' : 'anything');
}

// limits says what a value must be, beyond its type.
export function limits(s: Schema): string {
  const parts: string[] = [];
  if (s.minimum !== undefined && s.maximum !== undefined) parts.push(`${s.minimum} to ${s.maximum}`);
  else if (s.minimum !== undefined) parts.push(`at least ${s.minimum}`);
  else if (s.maximum !== undefined) parts.push(`at most ${s.maximum}`);
  if (s.maxLength !== undefined) parts.push(`at most ${s.maxLength} characters`);
  if (s.maxItems !== undefined) parts.push(`at most ${s.maxItems} items`);
  if (s.default !== undefined) parts.push(`default ${JSON.stringify(s.default)}`);
  if (s.pattern) parts.push(`matches ${s.pattern}`);
  return parts.join(', ');
}

// exampleOf returns an example of a body as text.
export function exampleOf(content: Content[string] | undefined): string {
  if (!content) return '';
  const value = content.example ?? Object.values(content.examples ?? {})[0]?.value;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
