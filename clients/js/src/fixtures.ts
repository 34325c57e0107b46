import { answer } from './client.js';
import type { components } from './generated/control.js';
import type { Control } from './world.js';

type Schemas = components['schemas'];

/** Predefined content of a world, and what happens to media that comes later. */
export class Fixtures {
  readonly #control: Control;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(control: Control, url: string, headers: Record<string, string>) {
    this.#control = control;
    this.#url = url;
    this.#headers = headers;
  }

  /** Applies a fixture, an object or a text of YAML, completely or not at all. Errors give line and column. */
  async apply(fixture: object | string): Promise<Schemas['Applied']> {
    const text = typeof fixture === 'string';
    const headers = { ...this.#headers, 'Content-Type': text ? 'application/yaml' : 'application/json' };
    const body = text ? fixture : JSON.stringify({ version: 1, ...fixture });
    return (await answer('applyFixture', await fetch(`${this.#url}/_soundstage/fixtures`, { method: 'POST', headers, body }))) as Schemas['Applied'];
  }

  /** What is bound to media and jobs that come later. */
  list(): Promise<Schemas['Bound']> {
    return this.#control.getFixtures();
  }
}
