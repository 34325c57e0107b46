import createClient, { type Middleware } from 'openapi-fetch';
import { problemOf, asProblem, Problem } from '../lib/problem';
import { session } from '../lib/session.svelte';
import type { paths as ControlPaths, components as ControlComponents } from './control';
import type { paths as V1Paths, components as V1Components } from './v1';

export type Control = ControlComponents['schemas'];
export type V1 = V1Components['schemas'];

// The sandbox serves the console and both APIs from one origin.
const origin = location.origin;

// observer marks reads of the console. The sandbox then keeps them out of its request log, its faults, and its simulated clock, so that
// looking changes nothing.
const observer = 'X-Soundstage-Observer';

const controlHeaders: Middleware = {
  onRequest({ request }) {
    if (session.token) request.headers.set('X-Soundstage-Token', session.token);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) session.tokenNeeded = true;
    return undefined;
  },
};

const v1Headers: Middleware = {
  onRequest({ request }) {
    if (session.secret && !request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${session.secret}`);
    if (request.method === 'GET') request.headers.set(observer, 'console');
    return request;
  },
  async onResponse({ response }) {
    if (response.status === 401) session.secretRefused = 'This secret is not valid here.';
    return undefined;
  },
};

export const control = createClient<ControlPaths>({ baseUrl: origin });
control.use(controlHeaders);
export const v1 = createClient<V1Paths>({ baseUrl: origin });
v1.use(v1Headers);

// worldQuery selects the world of a control call.
export function inWorld<T extends object>(query?: T): T & { world: string } {
  return { ...(query as T), world: session.world };
}

function unanswered(err: unknown): Problem {
  const problem = asProblem(err);
  if (problem.offline) session.unanswered = true;
  return problem;
}

// call returns the data of a response, or throws a Problem.
export async function call<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let result;
  try {
    result = await request;
  } catch (err) {
    throw unanswered(err);
  }
  if (!result.response.ok) throw problemOf(result.response, result.error);
  return result.data as T;
}

// healthOf returns what the sandbox says about itself, also if it says that something is wrong.
export async function healthOf(): Promise<Control['Health'] | null> {
  const { data, error } = await control.GET('/_soundstage/health');
  const health = data ?? (error as Control['Health'] | undefined);
  return health && 'status' in health ? health : null;
}

// sameOrigin returns the path and query of a signed URL. The sandbox may name itself differently, with --public-url for example, but
// serves the path here, too.
export function sameOrigin(url: string): string {
  const parsed = new URL(url, origin);
  return parsed.pathname + parsed.search;
}

// raw sends a request whose body or response isn't JSON.
export async function raw(path: string, init: RequestInit & { api: 'v1' | 'control' }): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.api === 'control' && session.token) headers.set('X-Soundstage-Token', session.token);
  if (init.api === 'v1' && session.secret) headers.set('Authorization', `Bearer ${session.secret}`);
  if (init.api === 'v1' && (init.method ?? 'GET') === 'GET') headers.set(observer, 'console');
  let response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (err) {
    throw unanswered(err);
  }
  if (!response.ok) {
    if (response.status === 401 && init.api === 'control') session.tokenNeeded = true;
    const text = await response.text();
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // not JSON: problemOf takes the text
    }
    throw problemOf(response, body);
  }
  return response;
}

export { Problem };
