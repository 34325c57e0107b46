// The names of all worlds, which the stream keeps up to date.
import { call, control } from '../api/client';
import { session } from './session.svelte';

class Worlds {
  private known = $state.raw<string[]>(['default']);

  // names has the world that is shown, even before it is known.
  get names(): string[] {
    return this.known.includes(session.world) ? this.known : [...this.known, session.world];
  }

  async load(): Promise<void> {
    try {
      this.known = (await call(control.GET('/_soundstage/worlds'))).worlds.map((w) => w.world);
    } catch {
      // the page itself shows what is wrong
    }
  }
}

export const worlds = new Worlds();
// worldTitle names a world in a list, worldName in a sentence.
export const worldTitle = (world: string): string => (world === 'default' ? 'default world' : world);
export const worldName = (world: string): string => (world === 'default' ? 'the default world' : `the world “${world}”`);
