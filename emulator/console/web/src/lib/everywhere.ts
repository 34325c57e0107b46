// The requests of all worlds. A stream is of one world, so that this asks each world for what is new, and takes at most a tenth of the time.
import { call, control, type Control } from '../api/client';

export type Row = Control['RequestSummary'];
const every = 1000; // ms
const share = 10;
const max = 10_000; // requests of all worlds at first

// row leaves out what only the request that is open shows.
function row({ request_headers: _1, response_headers: _2, request_body: _3, response_body: _4, ...r }: Control['Request'], world: string): Row {
  return { ...r, world };
}

// follow calls take with the newest requests of all worlds, newest first, and then with each world's new ones, until the returned function is
// called. A world whose numbers begin again was reset: gone is called with it before.
export function follow(take: (rows: Row[]) => void, gone: (world: string) => void, fail: (err: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  let last = new Map<string, number>();

  async function ask(): Promise<void> {
    const { worlds } = await call(control.GET('/_soundstage/worlds'));
    const found: Row[] = [];
    const limit = Math.min(1000, Math.max(100, Math.ceil(max / worlds.length)));
    const next = new Map<string, number>();
    for (const { world } of worlds) {
      const since = last.get(world) ?? 0;
      let page = await call(control.GET('/_soundstage/requests', { params: { query: { world, since, limit } } }));
      if (page.last < since) {
        gone(world);
        page = await call(control.GET('/_soundstage/requests', { params: { query: { world, limit } } }));
      }
      next.set(world, page.last);
      found.push(...page.requests.map((r) => row(r, world)));
      if (over) return;
    }
    for (const world of last.keys()) if (!next.has(world)) gone(world);
    last = next;
    if (found.length) take(found.sort((a, b) => Date.parse(b.time) - Date.parse(a.time)));
  }
  async function again(): Promise<void> {
    const began = performance.now();
    if (!document.hidden) {
      try {
        await ask();
      } catch (err) {
        if (!over) fail(err);
      }
    }
    if (!over) timer = setTimeout(() => void again(), Math.max(every, share * (performance.now() - began)));
  }
  void again();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
