// Live is the stream of everything that happens in the world: GET /_soundstage/events. It reads with fetch, because EventSource can't send
// the token of the control API. A lost connection is opened again, and pages that may have missed something load their lists again.
import type { Control } from '../api/client';
import { session } from './session.svelte';
import { asProblem } from './problem';

export type Messages = {
  hello: Control['Hello'];
  request: Control['RequestSummary'];
  job: Control['Job'];
  event: Control['EngineEvent'];
  delivery: Control['MessageSummary'];
  clock: Control['ClockTime'];
  fault: Control['FaultChange'];
  world: Control['WorldChange'];
  // The page must load its lists again: messages were lost, or the world was replaced.
  reload: null;
};

type Listener<T extends keyof Messages> = (data: Messages[T]) => void;

const backoff = [300, 600, 1200, 2500, 5000];
// The server sends a comment every 15 s. A connection that is silent for longer is dead, even if nobody closed it.
const silence = 40_000;
// A tab that nobody sees closes its connection after this time, and resumes when it is seen: browsers open 6 connections to a server at most,
// so that a seventh tab would wait for ever.
const away = 10_000;
// A page waits this long for its stream, so that nothing happens unseen in between. Behind some proxies a stream never opens.
const patience = 1000;

class Live {
  // gone says that the sandbox has no such world.
  state = $state<'connecting' | 'live' | 'lost' | 'gone'>('connecting');
  // slow says that a page needn't wait for the stream. Then it loads its lists again when the stream opens.
  slow = $state(false);
  lostAt = $state(0);
  problem = $state('');
  totals = $state.raw<Control['Totals'] | null>(null);
  private listeners = new Map<keyof Messages, Set<Listener<never>>>();
  private cursor = '';
  private run = 0;
  private abort: AbortController | null = null;
  private asleep = false;
  private wake = () => undefined as void;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private wait: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.rest);
      if (document.hidden) this.rest = setTimeout(() => this.sleep(), away);
      else if (this.asleep) {
        this.asleep = false;
        this.wake();
      }
    });
  }

  // on calls a function for each message of a type, and returns what ends that.
  on<T extends keyof Messages>(type: T, listener: Listener<T>): () => void {
    let all = this.listeners.get(type);
    if (!all) this.listeners.set(type, (all = new Set()));
    all.add(listener as Listener<never>);
    return () => all.delete(listener as Listener<never>);
  }

  emit<T extends keyof Messages>(type: T, data: Messages[T]): void {
    for (const listener of this.listeners.get(type) ?? []) (listener as Listener<T>)(data);
  }

  // during waits for an answer, and returns it with the messages that came meanwhile, which may be newer.
  async during<T extends keyof Messages, A>(type: T, answer: Promise<A>): Promise<[A, Messages[T][]]> {
    const newer: Messages[T][] = [];
    const end = this.on(type, (message) => newer.push(message));
    try {
      return [await answer, newer];
    } finally {
      end();
    }
  }

  // open reads the stream of the session's world until the next call of open.
  open(): void {
    const run = ++this.run;
    this.abort?.abort();
    this.cursor = '';
    this.state = 'connecting';
    this.slow = false;
    clearTimeout(this.wait);
    this.wait = setTimeout(() => (this.slow = this.state === 'connecting'), patience);
    this.asleep = document.hidden; // a tab that was opened in the background
    void this.keepOpen(run);
  }

  private sleep(): void {
    this.asleep = true;
    this.abort?.abort();
  }

  // retry opens a lost connection now.
  retry(): void {
    this.abort?.abort();
    if (this.state === 'lost') {
      const run = ++this.run;
      void this.keepOpen(run);
    }
  }

  private async keepOpen(run: number): Promise<void> {
    for (let attempt = 0; run === this.run; ) {
      const began = Date.now();
      const slept = this.asleep;
      if (slept) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        if (run !== this.run) return;
      }
      let missing = false;
      try {
        missing = await this.read(run, slept);
        this.problem = '';
      } catch (err) {
        this.problem = asProblem(err).message;
      }
      if (run !== this.run) return;
      if (session.tokenNeeded) return; // the form for the token calls open
      if (this.asleep) continue;
      if (this.state !== 'lost') this.lostAt = Date.now();
      this.state = missing ? 'gone' : 'lost';
      if (Date.now() - began > 5000) attempt = 0;
      await new Promise((resolve) => setTimeout(resolve, backoff[Math.min(attempt, backoff.length - 1)]));
      attempt++;
    }
  }

  // read reads the stream until it ends. It returns whether there is no such world. late says that the page has loaded its lists before.
  private async read(run: number, late: boolean): Promise<boolean> {
    const abort = (this.abort = new AbortController());
    const headers: Record<string, string> = {};
    if (session.token) headers['X-Soundstage-Token'] = session.token;
    if (this.cursor) headers['Last-Event-ID'] = this.cursor;
    const resumed = this.cursor !== '';
    let watch = setTimeout(() => abort.abort(), silence);
    try {
      const response = await fetch(`/_soundstage/events?world=${encodeURIComponent(session.world)}`, { headers, signal: abort.signal });
      if (response.status === 401) session.tokenNeeded = true;
      if (response.status === 404) return true;
      if (!response.ok || !response.body) throw new Error(`The stream responded with ${response.status}.`);
      const missed = !resumed || session.unanswered;
      session.unanswered = false;
      if (missed && (late || this.slow || this.state === 'lost' || this.state === 'gone')) this.emit('reload', null);
      this.state = 'live';
      this.slow = false;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; run === this.run; ) {
        const { value, done } = await reader.read();
        if (done) break;
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), silence);
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.take(block);
      }
      return false;
    } finally {
      clearTimeout(watch);
      abort.abort();
    }
  }

  private take(block: string): void {
    let type = '';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.cursor = line.slice(4);
      else if (line.startsWith('event: ')) type = line.slice(7);
      else if (line.startsWith('data: ')) data += line.slice(6);
    }
    if (!type) return;
    const body = JSON.parse(data);
    if (type === 'lost') {
      this.emit('reload', null);
      return;
    }
    if (type === 'hello') {
      this.totals = body.counts;
      this.emit('clock', body.clock);
    }
    this.emit(type as keyof Messages, body);
    if (type === 'world' && body.world === session.world && body.change !== 'created') this.emit('reload', null);
  }
}

export const live = new Live();

// batched collects messages and hands them over once per frame, so that many messages cost one update of the page.
export function batched<T>(handle: (batch: T[]) => void): (item: T) => void {
  let batch: T[] = [];
  const flush = () => {
    const all = batch;
    batch = [];
    handle(all);
  };
  return (item) => {
    // A hidden page gets no frames; its messages must not pile up.
    if (batch.push(item) === 1) (document.hidden ? (f: () => void) => setTimeout(f, 500) : requestAnimationFrame)(flush);
  };
}
