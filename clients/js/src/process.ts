import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxError } from './errors.js';
import { clearTimeout, setTimeout, sleep } from './native.js';

/** What a sandbox says about itself when it is ready. */
export interface Ready {
  url: string;
  secret: string;
  secrets: Record<string, string>;
  pid: number;
  version: string;
}

/** How much of standard error is kept for messages, in characters. */
const kept = 8192;

/** A running `soundstage serve`. It stops when this process ends, however it ends: the sandbox notices that its standard input ended. */
export class Program {
  /** The last lines that it wrote to standard error. */
  stderr = '';
  /** How it ended; undefined while it runs. */
  ended: string | undefined;
  readonly pid: number | undefined;
  readonly #child: ChildProcess;
  readonly #exit: Promise<void>;

  constructor(program: string, args: string[], env: Record<string, string | undefined>, echo: boolean) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env, windowsHide: true });
    this.pid = this.#child.pid;
    this.#child.stdin?.on('error', () => {}); // it has ended, which `ended` says
    this.#child.stdout?.resume();
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-kept);
      if (echo) process.stderr.write(text);
    });
    this.#exit = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.ended ??= `${program} can't be run (${error.message}). Check the path, and that the program is for this system.`;
        resolve();
      });
      this.#child.on('close', (code, signal) => {
        this.ended ??= `soundstage ended with ${signal ? `signal ${signal}` : `exit code ${code}`}.${this.#said()}`;
        resolve();
      });
    });
  }

  /** Waits until the sandbox answers requests. It throws if the program ends, or after `timeout` milliseconds. */
  async ready(file: string, timeout: number): Promise<Ready> {
    let timer: NodeJS.Timeout | undefined;
    const greeting = new Promise<void>((resolve) => this.#child.stdout?.once('data', () => resolve()));
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout)));
    await Promise.race([greeting, this.#exit, limit]);
    clearTimeout(timer);
    if (this.ended) throw new SandboxError(`The sandbox did not start: ${this.ended}`);
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Ready; // it is written before the greeting
    } catch (cause) {
      await this.stop(0);
      throw new SandboxError(`The sandbox was not ready within ${timeout} ms. Set a longer timeout if the machine is slow.${this.#said()}`, { cause });
    }
  }

  #said(): string {
    return this.stderr ? ` It said:\n${this.stderr.trimEnd()}` : '';
  }

  /** Why the program ended, for a request that was refused. The news of its end may come a moment after that. */
  async died(): Promise<string | undefined> {
    await Promise.race([this.#exit, sleep(1000)]);
    return this.ended;
  }

  /** Lets this process end although the sandbox runs. */
  unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) (stream as Socket | null)?.unref?.();
  }

  /** Ends standard input, which lets the sandbox finish its requests, and kills it if it still runs after `patience` milliseconds. */
  async stop(patience: number): Promise<void> {
    if (this.ended) return;
    this.#child.ref();
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), patience);
    await this.#exit;
    clearTimeout(timer);
  }
}

interface RunOptions {
  env: Record<string, string | undefined>;
  echo: boolean;
  timeout: number;
}

/** Starts the program, and returns it with what it says when it is ready. */
export async function run(program: string, args: string[], options: RunOptions): Promise<[Program, Ready]> {
  const folder = mkdtempSync(join(tmpdir(), 'soundstage-'));
  try {
    const file = join(folder, 'ready.json');
    const running = new Program(program, ['serve', ...args, '--ready-file', file, '--stop-on-eof'], options.env, options.echo);
    const ready = await running.ready(file, options.timeout);
    running.unref();
    return [running, ready];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
