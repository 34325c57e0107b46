import { test as base, type TestContext, type TestOptions as NodeOptions } from 'node:test';
import type { Sandbox } from './sandbox.js';
import { sharedSandbox, withWorld, type TestOptions } from './shared.js';
import type { World } from './world.js';

/** What a test gets: a world of its own, the sandbox of its process, and Node's context `t`. */
export interface Context {
  sandbox: Sandbox;
  world: World;
  t: TestContext;
}

type Run = (context: Context) => unknown;

/** Defines a test, as `test` of `node:test` does. */
export interface Define {
  (name: string, run: Run): Promise<void>;
  (name: string, options: NodeOptions, run: Run): Promise<void>;
}

/** The `test` of `node:test` with a world for each test. */
export interface WorldTest extends Define {
  only: Define;
  skip: Define;
  todo: Define & ((name: string, options?: NodeOptions) => Promise<void>);
}

/** Returns a `test` whose worlds are as the options say. */
export function worldTest(options: TestOptions = {}): WorldTest {
  const wrap = (define: typeof base.only): WorldTest['todo'] => (name: string, first: NodeOptions | Run = {}, second?: Run) => {
    const [native, run] = typeof first === 'function' ? [{}, first] : [first, second];
    if (!run && define === base.todo) return define(name, native); // there is none yet
    if (!run) throw new TypeError(`The test ${JSON.stringify(name)} has no function.`);
    return define(name, native, async (t) => {
      const sandbox = await sharedSandbox();
      await withWorld(sandbox, options, async (world) => void (await run({ sandbox, world, t })));
    });
  };
  return Object.assign(wrap(base), { only: wrap(base.only), skip: wrap(base.skip), todo: wrap(base.todo) });
}

/** The `test` of `node:test` with a world for each test. */
export const test = worldTest();
export const it = test;
