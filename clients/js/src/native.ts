// What this package needs of the runtime, taken when it is loaded. A test may replace the timers and the clock later, for the client under
// test, and a test of Jest has other classes than Node. So nothing here is looked up again, or compared by its class.
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';

export const { setTimeout, clearTimeout } = timers;

/** Waits on the real clock. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const elapsed = performance.now.bind(performance);

/** Returns milliseconds of a clock that only measures how long something takes. */
export const ticks = (): number => elapsed();
