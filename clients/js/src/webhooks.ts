import type { components } from './generated/control.js';
import { verifyWebhook } from './signature.js';
import type { Control } from './world.js';

type Schemas = components['schemas'];
type Message = Schemas['Message'];
type Attempt = Schemas['Attempt'];

/** What a sink receives, and how it answers. All members are optional. */
export interface SinkOptions {
  /** Default: all events. */
  events?: string[];
  /** Status codes to answer with, in turn; the last one repeats. Default 200. */
  status?: number[];
  /** Signing secret, `whsec_…`; default a new one. */
  secret?: string;
}

/** What a triggered event says, and where it goes. All members are optional. */
export interface TriggerOptions {
  /** Id of the recording or output that it is about. */
  resource?: string;
  space_id?: string;
  /** Members of the payload to replace, by path. */
  overrides?: Record<string, unknown>;
  /** Sends it once to this URL, instead of to the webhooks. */
  url?: string;
  /** Signs what is sent to `url`. */
  secret?: string;
}

/** A world's webhook messages. */
export class Webhooks {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  /** Creates a webhook with a receiver in the sandbox, so that a test needs no server. */
  async sink(options: SinkOptions = {}): Promise<Sink> {
    return new Sink(this.#control, await this.#control.createSink({ ...options }));
  }

  /** The newest messages that match, oldest first. */
  async messages(filter: Schemas['Filter'] = {}): Promise<Message[]> {
    return (await this.#control.listMessages(filter)).messages.reverse();
  }

  /** Waits until at least `count` messages were attempted. It throws after `timeout` milliseconds. */
  async wait(filter: Schemas['Filter'], count = 1, timeout = 10_000): Promise<Message[]> {
    return (await this.#control.waitForMessages({ ...filter, count, timeout_ms: timeout })).messages;
  }

  /** Sends an event that did not happen, to its webhooks or to one URL. */
  trigger(event: string, about: TriggerOptions = {}): Promise<Schemas['Triggered']> {
    return this.#control.triggerEvent({ event, ...about });
  }

  /** Holds messages until `release`. */
  async hold(filter: Schemas['Filter'] = {}): Promise<void> {
    await this.#control.holdMessages(filter);
  }

  /** Sends the held messages, and returns their number. */
  async release(): Promise<number> {
    return (await this.#control.releaseMessages()).released;
  }

  /** Sends a message again, with its old signature. */
  resend(id: string): Promise<Attempt> {
    return this.#control.resendMessage({ id }).then(onlyAttempt);
  }

  /** Sends a copy that a receiver must refuse. The attempt's response shows whether it did. */
  corrupt(id: string, what: Schemas['What']): Promise<Attempt> {
    return this.#control.corruptMessage({ id, what }).then(onlyAttempt);
  }

  /** Delays, drops, or answers the next attempts. */
  async policy(policy: Schemas['Policy']): Promise<void> {
    await this.#control.setPolicy(policy);
  }
}

/** A webhook with a receiver in the sandbox. */
export class Sink {
  readonly id: string;
  readonly secret: string;
  readonly events: string[];
  readonly #control: Control;

  constructor(control: Control, made: Schemas['Subscription']) {
    this.#control = control;
    this.id = made.webhook_id;
    this.secret = made.secret;
    this.events = made.events;
  }

  /** The messages to this sink, oldest first. */
  async messages(): Promise<Message[]> {
    return (await this.#control.listMessages({ webhook: this.id })).messages.reverse();
  }

  /** Waits until at least `count` messages to this sink were attempted. It throws after `timeout` milliseconds. */
  async wait(count = 1, timeout = 10_000): Promise<Message[]> {
    return (await this.#control.waitForMessages({ webhook: this.id, count, timeout_ms: timeout })).messages;
  }

  /** Checks the newest attempt of a message as a receiver does, and returns the event. A frozen clock signs with its own time, which is not checked. */
  async verify(message: Message): Promise<unknown> {
    const { request } = onlyAttempt({ attempts: message.attempts });
    const { timestamp } = await this.#control.getPolicy();
    return verifyWebhook(this.secret, request.headers, request.body, timestamp === 'virtual' ? { tolerance: Infinity } : {});
  }

  /** Deletes the webhook. Its messages stay. */
  async close(): Promise<void> {
    await this.#control.deleteSink({ id: this.id });
  }
}

function onlyAttempt({ attempts }: { attempts?: Attempt[] | null }): Attempt {
  const newest = attempts?.at(-1);
  if (!newest) throw new TypeError('The message was not sent yet. Wait for it first.');
  return newest;
}
