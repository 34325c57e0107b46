import { findProgram } from '#program';
import { unsent } from './client.js';
import { SandboxError } from './errors.js';
import { run, type Program } from './process.js';
import { World, type Secrets, type Server } from './world.js';

/** How to start a sandbox. All members are optional. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; default a free one. */
  port?: number;
  /** Mode of the clock: `auto` (default), `steps`, `manual`, `scaled:N`, or `real`. */
  clock?: string;
  /** Start of the clock. */
  clockStart?: Date | string;
  /** Decides all that is invented: words, ids, and secrets. */
  seed?: number;
  /** Lets webhooks and downloads reach this machine, such as a receiver of the test. */
  allowPrivateUrls?: boolean;
  /** Starts without ffmpeg if it is missing: then only WAV files can be transcribed, and nothing is rendered. */
  ffmpegOptional?: boolean;
  /** Files with fixtures, which every world begins with. */
  fixtures?: string[];
  /** Access log on standard error; default `off`. */
  log?: 'off' | 'text' | 'json';
  /** More flags of `soundstage serve`. */
  args?: string[];
  /** Path of the program; default `SOUNDSTAGE_BINARY`, else that of the installed package. */
  binary?: string;
  /** Variables for the program; default `process.env` without `SOUNDSTAGE_…`, which are flags, so that a test does the same on every machine. */
  env?: Record<string, string | undefined>;
  /** Milliseconds until it must be ready; default 30,000. */
  timeout?: number;
}

/** What a new world is like. All members are optional. */
export interface WorldOptions {
  /** Letters, digits, and hyphens; default `world-1`, `world-2`, and so on. */
  name?: string;
  /** Mode of the clock; default that of the sandbox. */
  clock?: string;
  /** Decides all that is invented: words, ids, and secrets. */
  seed?: number;
  /** Name of a stored snapshot to begin with. */
  snapshot?: string;
}

/** A sandbox. It is its own world `default`, and can make more worlds, which share nothing. */
export class Sandbox extends World {
  /** Process id of the program; undefined for a sandbox that `connectSandbox` returned. */
  readonly pid: number | undefined;
  readonly #server: Server;
  readonly #program: Program | undefined;

  constructor(server: Server, secrets: Secrets, program?: Program) {
    super(server, 'default', secrets);
    this.#server = server;
    this.#program = program;
    this.pid = program?.pid;
  }

  /** Creates a world. Delete it at the end of the test. */
  async world(options: WorldOptions = {}): Promise<World> {
    const { snapshot, ...rest } = options;
    const made = await this.control.createWorld({ ...rest, ...(snapshot === undefined ? {} : { from_snapshot: snapshot }) });
    return new World(this.#server, made.world, made.secrets as Secrets);
  }

  /** Stops the sandbox and waits until it has ended. It doesn't stop one that `connectSandbox` returned. */
  async stop(): Promise<void> {
    await this.#program?.stop(5000);
  }

  /** What the program wrote to standard error, up to 8 KiB. */
  get stderr(): string {
    return this.#program?.stderr ?? '';
  }
}

/** Starts a sandbox. It stops with `stop`, and when this process ends or is killed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const timeout = options.timeout ?? 30_000;
  const { port = 0 } = options;
  if (!(timeout > 0)) throw new TypeError(`timeout must be a positive number of milliseconds (got ${timeout}).`);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new TypeError(`port must be an integer from 0 to 65535 (got ${port}).`);
  const env = options.env ?? Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^SOUNDSTAGE_/i.test(name)));
  const [program, ready] = await run(options.binary ?? (await found()), flags(options), { env, echo: (options.log ?? 'off') !== 'off', timeout });
  const token = tokenAmong(options.args ?? []) ?? env['SOUNDSTAGE_CONTROL_TOKEN'];
  const server: Server = { url: ready.url, ...(token ? { token } : {}), died: () => program.died() };
  return new Sandbox(server, ready.secrets as Secrets, program);
}

/** The token of the control API among flags: the last one counts. */
function tokenAmong(args: string[]): string | undefined {
  const flag = '--control-token';
  const at = args.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  return args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
}

async function found(): Promise<string> {
  try {
    return await findProgram();
  } catch (error) {
    throw new SandboxError((error as Error).message, { cause: error });
  }
}

function flags(o: SandboxOptions): string[] {
  const start = o.clockStart instanceof Date ? o.clockStart.toISOString() : o.clockStart;
  const values: [string, string | undefined][] = [
    ['--addr', `127.0.0.1:${o.port ?? 0}`],
    ['--log', o.log ?? 'off'],
    ['--clock', o.clock],
    ['--clock-start', start],
    ['--seed', o.seed?.toString()],
    ...(o.fixtures ?? []).map((file): [string, string] => ['--fixtures', file]),
  ];
  const given = values.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  const switches = [...(o.allowPrivateUrls ? ['--allow-private-urls'] : []), ...(o.ffmpegOptional ? ['--ffmpeg-optional'] : [])];
  return [...given, ...switches, ...(o.args ?? [])];
}

/** Connects to a sandbox that runs already. Defaults: `SOUNDSTAGE_URL` and `SOUNDSTAGE_CONTROL_TOKEN`. */
export async function connectSandbox(options: { url?: string; token?: string } = {}): Promise<Sandbox> {
  const url = (options.url ?? process.env['SOUNDSTAGE_URL'])?.replace(/\/$/, '');
  const token = options.token ?? process.env['SOUNDSTAGE_CONTROL_TOKEN'];
  if (!url || !URL.canParse(url)) {
    throw new TypeError(`connectSandbox needs the address of a sandbox (got ${JSON.stringify(url)}). Pass { url }, or set SOUNDSTAGE_URL.`);
  }
  const server: Server = { url, ...(token ? { token } : {}), died: async () => undefined };
  const { worlds } = await new World(server, 'default', {} as Secrets).control.listWorlds().catch((cause: unknown) => {
    const help = 'Start it there with `soundstage serve`, or unset SOUNDSTAGE_URL to start a new one.';
    throw unsent(cause) ? new SandboxError(`No sandbox answers at ${url}. ${help}`, { cause }) : cause;
  });
  const secrets = worlds.find((w) => w.world === 'default')?.secrets ?? {};
  return new Sandbox(server, { ...ownSecrets(), ...secrets } as Secrets);
}

/** The secrets of a sandbox that has none of its own, as `soundstage exec` names them. */
function ownSecrets(): Partial<Secrets> {
  const { env } = process;
  const names = ['none', 'core', 'automation', 'other'] as const;
  const given = names.map((name) => [name, env[`SOUNDSTAGE_SECRET_${name.toUpperCase()}`]]);
  return Object.fromEntries([...given, ['platform', env['SOUNDSTAGE_SECRET']]]);
}
