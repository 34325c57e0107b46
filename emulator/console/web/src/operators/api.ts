// The part of the control API that a node has. Jobs have the form of the sandbox's contract.
import { Problem } from '../lib/problem';
import { session } from '../lib/session.svelte';

export type Health = { status: string; version: string; now: string; pages: string[] };
export type Recording = {
  id: string;
  space_id: string;
  number: number;
  title: string;
  transcript_status: string;
  error?: string;
  language: string;
  duration_ms: number;
  has_video: boolean;
  size: number;
  created_at: string;
};
export type Delivery = {
  id: string;
  webhook_id: string;
  account_id: string;
  url: string;
  disabled: boolean;
  event_id: string;
  event: string;
  status: string;
  attempts: number;
  last_status: number;
  last_error?: string;
  last_at: string | null;
  created_at: string;
  updated_at: string;
};
export type Attempt = { at: string; duration_ms: number; status: number; error?: string };

// send sends a request to the node and returns the JSON of the response, or throws a Problem.
export async function send<T>(path: string, method = 'GET'): Promise<T> {
  const headers: Record<string, string> = session.token ? { 'X-Soundstage-Token': session.token } : {};
  let response: Response;
  try {
    response = await fetch(`/_soundstage/${path}`, { method, headers });
  } catch {
    throw new Problem('The node does not respond.', 0, 'Check the node, and the proxy in front of it.');
  }
  const body = (await response.json().catch(() => null)) as { error?: unknown; hint?: unknown } | null;
  if (response.ok && body) return body as T;
  if (response.status === 401) session.tokenNeeded = true;
  const sentence = typeof body?.error === 'string' ? body.error : `The server responded with ${response.status}.`;
  throw new Problem(sentence, response.status, typeof body?.hint === 'string' ? body.hint : '');
}
