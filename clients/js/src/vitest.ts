import { test as base, type TestAPI } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { sharedSandbox, stopSharedSandbox, withWorld, type TestOptions } from './shared.js';
import type { World } from './world.js';

/** What a test gets: a world of its own, and the sandbox of its worker. */
export interface Fixtures {
  sandbox: Sandbox;
  world: World;
}

/** Returns a `test` whose worlds are as the options say. */
export function worldTest(options: TestOptions = {}): TestAPI<Fixtures> {
  return base.extend<Fixtures>({
    sandbox: [
      async ({}, use) => {
        await use(await sharedSandbox());
        await stopSharedSandbox();
      },
      { scope: 'worker' },
    ],
    world: async ({ sandbox }, use) => withWorld(sandbox, options, use),
  });
}

/** Vitest's `test` with a world for each test. */
export const test = worldTest();
export const it = test;
