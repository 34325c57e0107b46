// Receiver is a webhook receiver in this page: POST /_soundstage/webhooks/listen sends it each request, and it answers as a careful
// receiver does. It checks the signature, the age, and whether it has seen the event (Standard Webhooks).
import { call, control, raw, type Control } from '../api/client';
import { asProblem } from './problem';
import { session } from './session.svelte';
import { worldClock } from './time.svelte';

type Line = Control['ListenLine'];
type Seen = NonNullable<Line['request']>;
export type Received = { id: string; event: string; eventID: string; at: number; ok: boolean; verdict: string; status: number };

const tolerance = 300; // seconds, as in the Standard Webhooks libraries

class Receiver {
  state = $state<'off' | 'starting' | 'on'>('off');
  subscription = $state.raw<Control['Subscription'] | null>(null);
  received = $state.raw<Received[]>([]);
  problem = $state('');
  world = $state(''); // whose webhooks it receives, whichever world is shown
  private abort: AbortController | null = null;

  async start(): Promise<void> {
    this.stop();
    this.world = session.world;
    const abort = (this.abort = new AbortController());
    this.state = 'starting';
    this.problem = '';
    try {
      const response = await raw(`/_soundstage/webhooks/listen?world=${encodeURIComponent(this.world)}`, { api: 'control', method: 'POST', body: '{}', signal: abort.signal });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ; ) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim()) await this.take(JSON.parse(line) as Line);
      }
    } catch (err) {
      if (!abort.signal.aborted) this.problem = asProblem(err).message;
    }
    if (this.abort === abort) {
      this.state = 'off';
      this.subscription = null;
    }
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.state = 'off';
    this.subscription = null;
  }

  private async take(line: Line): Promise<void> {
    if (line.listening) {
      this.subscription = line.listening;
      this.state = 'on';
    }
    if (!line.request || !this.subscription) return;
    const wrong = await this.check(line.request, this.subscription.secret);
    const status = wrong ? 401 : 200;
    const verdict = wrong || (this.received.some((r) => r.ok && r.eventID === line.request!.event_id) ? 'Valid, but received before' : 'Valid signature');
    this.received = [{ id: line.request.id, event: line.request.event, eventID: line.request.event_id, at: Date.now(), ok: !wrong, verdict, status }, ...this.received].slice(0, 200);
    const body = btoa(JSON.stringify(wrong ? { error: wrong } : { received: true }));
    await call(
      control.POST('/_soundstage/webhooks/listen/{id}/answers/{seen}', {
        params: { path: { id: this.subscription.webhook_id, seen: line.request.id }, query: { world: this.world } },
        body: { status, headers: { 'Content-Type': ['application/json'] }, body },
      }),
    ).catch(() => undefined); // the attempt then shows that there was no response
  }

  // check returns why a receiver must refuse a request, or "".
  private async check(seen: Seen, secret: string): Promise<string> {
    const header = (name: string) => seen.request.headers.find((h) => h.name.toLowerCase() === name)?.value ?? '';
    const id = header('webhook-id');
    const timestamp = header('webhook-timestamp');
    if (!crypto.subtle) return 'The browser verifies signatures on localhost and with TLS only.';
    const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (c) => c.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${seen.request.body}`));
    const wanted = btoa(String.fromCharCode(...new Uint8Array(signed)));
    const valid = header('webhook-signature')
      .split(' ')
      .some((s) => s === `v1,${wanted}`);
    if (!valid) return 'The signature does not match';
    if (this.world !== session.world) return ''; // worldClock has the time of another world
    const now = (worldClock.frozen ? worldClock.exactly() : Date.now()) / 1000;
    if (Math.abs(now - Number(timestamp)) > tolerance) return 'The timestamp is too old';
    return '';
  }
}

export const receiver = new Receiver();
