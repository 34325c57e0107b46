import { ApiError } from './errors.js';
import { connectSandbox, startSandbox, type Sandbox, type WorldOptions } from './sandbox.js';
import type { World } from './world.js';

/** What a test's world is like. All members are optional. */
export interface TestOptions extends Omit<WorldOptions, 'name'> {
  /** Lets a test pass although a fault didn't happen. */
  unfiredFaults?: boolean;
}

const slot = Symbol.for('@soundstage/sandbox shared');
const here = globalThis as { [slot]?: Promise<Sandbox> };

/** The sandbox of this process: the one at `SOUNDSTAGE_URL`, else one that the first call starts. */
export function sharedSandbox(): Promise<Sandbox> {
  return (here[slot] ??= process.env['SOUNDSTAGE_URL'] ? connectSandbox() : startSandbox());
}

/** Stops the sandbox of this process, if one was started. The next `sharedSandbox` starts a new one. */
export async function stopSharedSandbox(): Promise<void> {
  const running = here[slot];
  delete here[slot];
  await (await running?.catch(() => undefined))?.stop();
}

/** Runs a test in a world of its own, which is deleted afterwards. It throws if a fault didn't happen. */
export async function withWorld<T>(sandbox: Sandbox, options: TestOptions, test: (world: World) => T | Promise<T>): Promise<T> {
  const { unfiredFaults, ...world } = options;
  const own = await sandbox.world(world);
  let result: T;
  try {
    result = await test(own);
    if (!unfiredFaults) await unlessGone(own.faults.verify());
  } catch (error) {
    await own.delete().catch(() => {}); // the test's error says more
    throw error;
  }
  await unlessGone(own.delete());
  return result;
}

/** A test may have deleted its world. */
async function unlessGone(done: Promise<void>): Promise<void> {
  await done.catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}
