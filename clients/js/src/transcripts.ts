import { ApiError, SandboxError } from './errors.js';
import type { Fixtures } from './fixtures.js';
import type { components as controlComponents } from './generated/control.js';
import type { components, operations } from './generated/v1.js';
import { sleep, ticks } from './native.js';
import type { Api, Control } from './world.js';

/** A paragraph of a transcript to come. Without times, it follows the one before. Times are milliseconds or durations such as `1.5s`. */
export interface Words {
  speaker?: string;
  text: string;
  start?: number | string;
  end?: number | string;
}

type Match = controlComponents['schemas']['FixtureMatch'];
type Transcript = components['schemas']['RecordingTranscript'];
type Query = NonNullable<operations['getRecordingTranscript']['parameters']['query']>;

/** How to read a transcript. All members are optional. */
export interface ReadOptions {
  /** A language to translate into. */
  language?: NonNullable<Query['language']>;
  /** Milliseconds until it must be there; default 30,000. */
  timeout?: number;
}

/** These requests are not in the log, and no fault hits them. */
const observer = { headers: { 'X-Soundstage-Observer': 'test' } };

/** What is said in a world's media. */
export class Transcripts {
  readonly #api: Api;
  readonly #control: Control;
  readonly #fixtures: Fixtures;

  constructor(api: Api, control: Control, fixtures: Fixtures) {
    this.#api = api;
    this.#control = control;
    this.#fixtures = fixtures;
  }

  /**
   * Gives media that comes later exactly these words. A match can be the name of a file.
   *
   *     await world.transcripts.set('talk.wav', 'Exactly these words.');
   *     await world.transcripts.set({ url: 'https://example.com/a.mp3' }, [{ speaker: 'Speaker 0', text: 'Hello.' }]);
   */
  async set(match: string | Match, words: string | Words[], language?: string): Promise<void> {
    const said = typeof words === 'string' ? { text: words } : { utterances: words };
    const transcript = { match: typeof match === 'string' ? { filename: match } : match, ...said, ...(language && { language }) };
    await this.#fixtures.apply({ transcripts: [transcript] });
  }

  /** Waits for the transcript of a recording, and returns it. It throws if the transcription fails, or waits for a frozen clock. */
  async get(recording: string, options: ReadOptions = {}): Promise<Transcript> {
    return (await this.#read(recording, 'json', options)) as Transcript;
  }

  /** Waits for the transcript of a recording, and returns it as a file. */
  export(recording: string, format: 'txt' | 'vtt' | 'srt' | 'csv', options?: ReadOptions): Promise<string>;
  export(recording: string, format: 'pdf' | 'docx', options?: ReadOptions): Promise<Uint8Array>;
  export(recording: string, format: Exclude<Query['format'], 'json' | undefined>, options: ReadOptions = {}): Promise<unknown> {
    return this.#read(recording, format, options);
  }

  async #read(id: string, format: NonNullable<Query['format']>, { language, timeout = 30_000 }: ReadOptions): Promise<unknown> {
    await this.#completed(id, timeout);
    return this.#api.getRecordingTranscript({ id, format, ...(language && { language }) }, observer);
  }

  async #completed(id: string, timeout: number): Promise<void> {
    const { mode } = await this.#control.getClock();
    for (const end = ticks() + timeout; ; ) {
      const idle = mode === 'manual' && (await this.#idle());
      const { recording } = await this.#api.getRecording({ id }, mode === 'steps' ? {} : observer); // a poll is a step
      const { title, transcript_status: status } = recording;
      if (status === 'completed') return;
      if (status === 'error') throw new SandboxError(`The transcription of ${JSON.stringify(title)} failed: ${await this.#why(id)}`);
      if (idle) {
        const advance = `world.clock.advanceUntil('${id}', 'completed')`;
        throw new SandboxError(`The transcript of ${JSON.stringify(title)} is ${status}, and the clock is frozen. Advance it first: ${advance}.`);
      }
      if (ticks() >= end) throw new SandboxError(`The transcript of ${JSON.stringify(title)} is still ${status} after ${timeout} ms.`);
      await sleep(10);
    }
  }

  /** Whether all work has ended that the clock doesn't hold back. */
  async #idle(): Promise<boolean> {
    try {
      return (await this.#control.waitIdle({ timeout_ms: 1000 })).status === 'idle';
    } catch (error) {
      if (error instanceof ApiError && error.status === 504) return false;
      throw error;
    }
  }

  async #why(resource: string): Promise<string> {
    const { jobs } = await this.#control.listJobs({ resource, status: ['failed', 'canceled'] });
    return jobs.find((job) => job.last_error)?.last_error ?? "The sandbox doesn't say why.";
  }
}
