import { ApiError, SandboxError } from './errors.js';

/** A row of a table of operations: method, path, names of query parameters, and whether there is a body. */
export type Operation = readonly [method: string, path: string, query: readonly string[], body: boolean];
export type Table = Readonly<Record<string, Operation>>;

type Known<T> = [T] extends [never] ? unknown : string extends keyof T ? unknown : T;
type Members<Op, Place extends 'path' | 'query'> = Op extends { parameters: { [K in Place]?: infer P } } ? Known<NonNullable<P>> : unknown;
type Body<Op> = Op extends { requestBody?: { content: { 'application/json': infer B } } } ? Known<B> : unknown;
type Flat<T> = { [K in keyof T]: T[K] };

/** The arguments of an operation: members of the path, the query, and the body, in one object. */
export type Arguments<Op> = Flat<Members<Op, 'path'> & Omit<Members<Op, 'query'>, 'world'> & Body<Op>>;

type Text = `text/${string}` | 'application/yaml' | 'application/x-subrip';
type Decoded<Type, T> = Type extends 'application/json' ? T : Type extends Text ? string : Uint8Array;
type Good = 200 | 201 | 202 | 204;
type Content<R> = R extends { content: infer C } ? { [M in keyof C]: Decoded<M, C[M]> }[keyof C] : undefined;

/** The body of an operation's successful answer: an object for JSON, a string for text, else bytes. */
export type Answer<Op> = Op extends { responses: infer R } ? { [S in keyof R & Good]: Content<R[S]> }[keyof R & Good] : never;

/** What a call can have besides the arguments of its operation. */
export interface CallOptions {
  /** More headers, which come before those of the client. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Method<Op> = {} extends Arguments<Op>
  ? (args?: Arguments<Op>, options?: CallOptions) => Promise<Answer<Op>>
  : (args: Arguments<Op>, options?: CallOptions) => Promise<Answer<Op>>;

/** One method for each operation of a contract. A method throws an `ApiError` when the answer has an error status. */
export type Client<Operations, T> = { [K in keyof T]: K extends keyof Operations ? Method<Operations[K]> : never };

/** Where a client sends its requests, and with which headers. */
export interface ClientConfig {
  url: string;
  headers: Record<string, string>;
  /** Why the server ended; undefined if it runs. It is asked when a request can't be sent. */
  died: () => Promise<string | undefined>;
}

/** Makes a client of a contract. */
export function createClient<Operations, T extends Table>(table: T, config: ClientConfig): Client<Operations, T> {
  const methods = Object.entries(table).map(([id, operation]) => [
    id,
    (args?: Values, options?: CallOptions) => call(config, id, operation, args, options),
  ]);
  return Object.fromEntries(methods);
}

type Values = Record<string, unknown>;

async function call(config: ClientConfig, id: string, operation: Operation, args: Values = {}, options: CallOptions = {}): Promise<unknown> {
  const [method, , , hasBody] = operation;
  const { path, rest } = place(id, operation, args);
  const init: RequestInit = { method, headers: { ...config.headers, ...options.headers } };
  if (hasBody) {
    init.body = JSON.stringify(rest);
    init.headers = { 'Content-Type': 'application/json', ...init.headers };
  }
  if (options.signal) init.signal = options.signal;
  try {
    return await answer(id, await fetch(config.url + path, init));
  } catch (cause) {
    const end = unsent(cause)?.code === 'ECONNREFUSED' ? await config.died() : undefined;
    throw end ? new SandboxError(`${id}: The sandbox does not run any more: ${end}`, { cause }) : cause;
  }
}

/** Why a request got no answer, if that is what a `fetch` threw. In a test of Jest, the class of that error is not the test's `TypeError`. */
export function unsent(error: unknown): { code?: string } | undefined {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === 'TypeError' ? cause : undefined;
}

/** Puts arguments into the path and the query. What remains is the body. */
function place(id: string, [, template, query, hasBody]: Operation, args: Values): { path: string; rest: Values } {
  const rest = { ...args };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === null || value === '') {
      throw new TypeError(`${id} needs the argument ${name} (got ${JSON.stringify(value)}).`);
    }
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const name of query) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined && value !== null) search.set(name, String(value)); // an array becomes a list with commas
  }
  const unknown = hasBody ? [] : Object.keys(rest);
  if (unknown.length > 0) throw new TypeError(`${id} has no argument ${unknown.join(', ')}. Check the spelling.`);
  return { path: search.size > 0 ? `${path}?${search}` : path, rest };
}

/** Decodes an answer by its type. It throws an `ApiError` for an error status. */
export async function answer(operation: string, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  const body = await decode(response, type);
  if (!response.ok) throw new ApiError({ operation, status: response.status, body, headers: response.headers });
  return body;
}

async function decode(response: Response, type: string): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (type.startsWith('application/json')) {
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return text; // a fault can cut or replace a body
    }
  }
  if (type.startsWith('text/') || /^application\/(yaml|x-subrip|xml)/.test(type)) return response.text();
  return new Uint8Array(await response.arrayBuffer());
}
