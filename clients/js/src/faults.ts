import type { components } from './generated/control.js';
import type { Control } from './world.js';

type Schemas = components['schemas'];

/** How often a fault happens; default once. */
type Often = Pick<Schemas['Fault'], 'times' | 'probability' | 'seed'>;

/** Failures of a world's API. The first fault that matches and is not used up hits a request. */
export class Faults {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  /**
   * Adds a fault for an operation such as `createUpload`, for all (`*`), or for what a match says.
   *
   *     await world.faults.add('listSpaces', { status: 503 });
   *     await world.faults.add({ op: 'createUpload', nth: 2 }, { commit_then_drop: true }, { times: 3 });
   */
  add(match: string | Schemas['FaultMatch'], what: Schemas['Do'], how: Often = {}): Promise<Schemas['FaultState']> {
    return this.#control.addFault({ match: typeof match === 'string' ? { op: match } : match, do: what, ...how });
  }

  /** The faults that can still happen, and those that have happened. */
  list(): Promise<Schemas['Faults']> {
    return this.#control.listFaults();
  }

  async remove(id: string): Promise<void> {
    await this.#control.removeFault({ id });
  }

  async clear(): Promise<void> {
    await this.#control.removeFaults();
  }

  /** Throws if a fault has not happened as often as it should. */
  async verify(): Promise<void> {
    await this.#control.verifyFaults();
  }
}
