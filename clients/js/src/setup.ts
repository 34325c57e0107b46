// A global setup for Vitest, Jest, and `node --test --test-global-setup`: all test files share one sandbox, which their processes find by
// SOUNDSTAGE_URL. It stops when the tests end.
import { startSandbox, type Sandbox } from './sandbox.js';

let running: Sandbox | undefined;

/** Starts the sandbox, unless `SOUNDSTAGE_URL` names one, and returns what stops it. */
export async function globalSetup(): Promise<() => Promise<void>> {
  if (!process.env['SOUNDSTAGE_URL']) {
    running = await startSandbox();
    process.env['SOUNDSTAGE_URL'] = running.url;
  }
  return globalTeardown;
}

/** Stops the sandbox. */
export async function globalTeardown(): Promise<void> {
  if (!running) return;
  delete process.env['SOUNDSTAGE_URL'];
  await running.stop();
}

export default globalSetup;
