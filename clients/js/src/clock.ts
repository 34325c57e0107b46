import { SandboxError } from './errors.js';
import type { components } from './generated/control.js';
import type { Control } from './world.js';

type Schemas = components['schemas'];
type Advanced = Schemas['Advanced'];

/** A world's clock. An advance returns when every job and webhook that is due has finished, and lists what happened. */
export class Clock {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  async now(): Promise<Date> {
    return new Date((await this.#control.getClock()).now);
  }

  /** The mode, the time, and the jobs that wait for it. */
  state(): Promise<Schemas['Clock']> {
    return this.#control.getClock();
  }

  /** Changes the mode: `auto`, `steps`, `manual`, or `real`. The time goes on from where it is. */
  async set(mode: Exclude<Schemas['ClockMode'], 'scaled'>): Promise<void> {
    await this.#control.setClock({ mode });
  }

  /** Advances by a duration, such as `'15m'` or `'1h30m'`, or by a number of milliseconds. */
  advance(by: string | number): Promise<Advanced> {
    return this.#advance({ by: typeof by === 'number' ? `${by}ms` : by });
  }

  advanceTo(time: Date | string): Promise<Advanced> {
    return this.#advance({ to: time instanceof Date ? time.toISOString() : time });
  }

  /** Advances to the first moment at which a resource has a status. It throws if that can't happen. */
  advanceUntil(resource: string, status: string): Promise<Advanced> {
    return this.#advance({ until: { resource, status } });
  }

  /** Advances to the next event. Without one, the time stays. */
  next(): Promise<Advanced> {
    return this.#advance({ next_event: true });
  }

  /** Waits until no job is due or running. A frozen clock stays as it is; `auto` jumps from job to job. `timeout` is in milliseconds. */
  async idle(timeout = 10_000): Promise<void> {
    await this.#control.waitIdle({ timeout_ms: timeout });
  }

  async #advance(how: Schemas['Advance']): Promise<Advanced> {
    const done = await this.#control.advanceClock(how);
    if (done.settled) return done;
    const slow = (done.running ?? []).map((job) => `${job.kind} of ${job.resource} (${job.status})`);
    throw new SandboxError(`The clock stopped at ${done.now}, because jobs took too long: ${slow.join(', ') || 'none in the queue'}.`);
  }
}
