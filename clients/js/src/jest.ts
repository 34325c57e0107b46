import type { Sandbox } from './sandbox.js';
import { sharedSandbox, stopSharedSandbox, withWorld, type TestOptions } from './shared.js';
import type { World } from './world.js';

/** What a test gets: a world of its own, and the sandbox of its file. */
export interface Context {
  sandbox: Sandbox;
  world: World;
}

type Run = (context: Context) => unknown;
type Define = (name: string, run: Run, timeout?: number) => void;

/** Jest's `test` with a world for each test. */
export interface WorldTest extends Define {
  only: Define;
  skip: Define;
  failing: Define;
  concurrent: Define;
}

type Native = ((name: string, run: () => Promise<unknown>, timeout?: number) => void) & { [K in 'only' | 'skip' | 'failing' | 'concurrent']: Native };

const globals = globalThis as unknown as { test?: Native; afterAll?: (run: () => Promise<void>) => void };

/** Returns a `test` whose worlds are as the options say. */
export function worldTest(options: TestOptions = {}): WorldTest {
  const native = globals.test;
  if (!native) throw new Error('@soundstage/sandbox/jest works in a test file of Jest only, with its globals (injectGlobals: true).');
  if (typeof fetch !== 'function') {
    throw new Error("Jest's environment has no fetch, which @soundstage/sandbox needs. Begin the test file with: /** @jest-environment node */");
  }
  const wrap = (define: Native): Define => (name, run, timeout) =>
    define(name, async () => {
      const sandbox = await sharedSandbox();
      return withWorld(sandbox, options, async (world) => void (await run({ sandbox, world })));
    }, timeout);
  const { only, skip, failing, concurrent } = native;
  return Object.assign(wrap(native), { only: wrap(only), skip: wrap(skip), failing: wrap(failing), concurrent: wrap(concurrent) });
}

globals.afterAll?.(stopSharedSandbox);

/** Jest's `test` with a world for each test. */
export const test = worldTest();
export const it = test;
