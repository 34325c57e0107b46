// Times. A world has a clock of its own: what "2 minutes ago" means depends on it.
import type { Control } from '../api/client';
import { live } from './live.svelte';

class WorldClock {
  mode = $state('auto');
  rate = $state(1);
  // wall is the time of this machine, updated every second.
  wall = $state(Date.now());
  private shown = $state(Date.now());
  private readAt = performance.now();
  private base = Date.now();

  constructor() {
    live.on('clock', (time) => this.set(time));
    setInterval(() => this.tick(), 1000);
  }

  get frozen(): boolean {
    return this.rate === 0;
  }

  set(time: Control['ClockTime']): void {
    this.mode = time.mode;
    this.rate = time.rate;
    this.base = Date.parse(time.now);
    this.readAt = performance.now();
    this.tick();
  }

  // now is the time on the clock, updated every second.
  get now(): number {
    return this.shown;
  }

  exactly(): number {
    return this.base + (performance.now() - this.readAt) * this.rate;
  }

  private tick(): void {
    this.shown = this.exactly();
    this.wall = Date.now();
  }
}

export const worldClock = new WorldClock();

export { absolute, duration, position, precise, relative } from './time';
