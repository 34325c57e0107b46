import type { components } from './generated/control.js';
import type { Control } from './world.js';

type Schemas = components['schemas'];
type Match = Schemas['Match'];
type Entry = Schemas['Requests']['requests'][number];

/** The newest 1,000 requests to a world's API, with their responses. A match can be the name of an operation. */
export class Requests {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  /** The matching requests, oldest first. */
  async find(match: string | Match = {}): Promise<Entry[]> {
    return (await this.#control.findRequests({ match: matchOf(match) })).requests;
  }

  async count(match: string | Match = {}): Promise<number> {
    return (await this.#control.countRequests({ match: matchOf(match) })).count;
  }

  /** Waits until at least `count` requests match, earlier ones included. It throws after `timeout` milliseconds. */
  async wait(match: string | Match, count = 1, timeout = 10_000): Promise<Entry[]> {
    return (await this.#control.waitForRequests({ match: matchOf(match), count, timeout_ms: timeout })).requests;
  }

  async clear(): Promise<void> {
    await this.#control.clearRequests();
  }

  /** The requests as an HTTP Archive, which developer tools of browsers open. */
  har(): Promise<Schemas['HAR']> {
    return this.#control.exportRequests();
  }
}

function matchOf(match: string | Match): Match {
  return typeof match === 'string' ? { op: match } : match;
}
