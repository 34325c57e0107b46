import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { answer, createClient, type Client } from './client.js';
import { Clock } from './clock.js';
import { Faults } from './faults.js';
import { Fixtures } from './fixtures.js';
import { operations as controlTable } from './generated/control-operations.js';
import type { operations as ControlOperations } from './generated/control.js';
import { operations as v1Table } from './generated/v1-operations.js';
import type { operations as V1Operations, components } from './generated/v1.js';
import { Requests } from './requests.js';
import { Transcripts } from './transcripts.js';
import { Webhooks } from './webhooks.js';

/** The API of the service: one method for each operation of `/v1`. */
export type Api = Client<V1Operations, typeof v1Table>;
/** The control API of a sandbox: one method for each operation of `/_soundstage`. */
export type Control = Client<ControlOperations, typeof controlTable>;

/** API secrets by the tier of the user's plan. `none` has no plan, and `other` is a second user of the highest tier. */
export type Secrets = Record<'none' | 'core' | 'automation' | 'platform' | 'other', string>;

/** Where a sandbox is. */
export interface Server {
  url: string;
  token?: string;
  /** Why it ended; undefined if it runs. */
  died: () => Promise<string | undefined>;
}

/** Media to record. */
export interface Media {
  /** Default: the name of the file. */
  filename?: string;
  /** Default: by the end of the file name. */
  contentType?: string;
  title?: string;
  language?: string;
}

type Recording = components['schemas']['Recording'];
type Transcript = components['schemas']['RecordingTranscript'];

// The types of files by their extensions, as the Go package engine/media has them.
const types: Record<string, string> = {
  '.aac': 'audio/aac',
  '.ac3': 'audio/ac3',
  '.aif': 'audio/aiff',
  '.aiff': 'audio/aiff',
  '.amr': 'audio/amr',
  '.avi': 'video/x-msvideo',
  '.caf': 'audio/x-caf',
  '.flac': 'audio/flac',
  '.flv': 'video/x-flv',
  '.m4a': 'audio/mp4',
  '.m4b': 'audio/mp4',
  '.m4v': 'video/mp4',
  '.mka': 'audio/x-matroska',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.mpeg': 'video/mpeg',
  '.mpg': 'video/mpeg',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.ogv': 'video/ogg',
  '.opus': 'audio/ogg',
  '.ts': 'video/mp2t',
  '.wav': 'audio/wav',
  '.weba': 'audio/webm',
  '.webm': 'video/webm',
  '.wma': 'audio/x-ms-wma',
  '.wmv': 'video/x-ms-wmv',
};

/** An isolated world of a sandbox, with its own data, clock, seed, secrets, faults, and logs. */
export class World {
  readonly name: string;
  /** Base URL of the API, without `/v1`. */
  readonly url: string;
  /** Secret of the highest tier. */
  readonly secret: string;
  readonly secrets: Secrets;
  /** The API with `secret`. */
  readonly api: Api;
  readonly control: Control;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly fixtures: Fixtures;
  readonly requests: Requests;
  readonly transcripts: Transcripts;
  readonly webhooks: Webhooks;
  readonly #server: Server;

  constructor(server: Server, name: string, secrets: Secrets) {
    this.#server = server;
    this.name = name;
    this.url = server.url;
    this.secrets = secrets;
    this.secret = secrets.platform;
    this.api = this.as(this.secret);
    const token: Record<string, string> = server.token ? { 'X-Soundstage-Token': server.token } : {};
    const headers = { 'X-Soundstage-World': name, ...token };
    this.control = createClient<ControlOperations, typeof controlTable>(controlTable, { url: server.url, headers, died: server.died });
    this.clock = new Clock(this.control);
    this.faults = new Faults(this.control);
    this.fixtures = new Fixtures(this.control, server.url, headers);
    this.requests = new Requests(this.control);
    this.transcripts = new Transcripts(this.api, this.control, this.fixtures);
    this.webhooks = new Webhooks(this.control);
  }

  /** The API with another secret, such as `world.secrets.core`. */
  as(secret: string): Api {
    return createClient(v1Table, { url: this.url, headers: { Authorization: `Bearer ${secret}` }, died: this.#server.died });
  }

  /** Sends a request of your own with `secret`, and returns the response, whatever its status. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${this.secret}`);
    return fetch(new URL(path, this.url), { ...init, headers });
  }

  /** Uploads media, a path or bytes, and returns the id of the object. */
  async upload(media: string | Uint8Array, about: Media = {}): Promise<string> {
    const bytes = typeof media === 'string' ? await readFile(media) : media;
    const filename = about.filename ?? (typeof media === 'string' ? basename(media) : 'audio.wav');
    const content_type = about.contentType ?? types[extname(filename).toLowerCase()];
    if (!content_type) throw new TypeError(`The type of ${filename} is not known. Pass { contentType }, such as audio/wav.`);
    const upload = await this.api.createUpload({ filename, content_type, content_size: bytes.length });
    const body = bytes as Uint8Array<ArrayBuffer>;
    const response = await fetch(upload.upload_url, { method: 'PUT', headers: { 'Content-Type': content_type }, body });
    await answer('putObject', response);
    return upload.object_id;
  }

  /** Uploads media and creates a recording from it. Its transcription is queued. */
  async record(media: string | Uint8Array, about: Media = {}): Promise<Recording> {
    const { title, language } = about;
    const object_id = await this.upload(media, about);
    return (await this.api.createRecording({ object_id, ...(title && { title }), ...(language && { language }) })).recording;
  }

  /** Creates a recording from media, and returns its transcript. `timeout` is in milliseconds. */
  async transcribe(media: string | Uint8Array, about: Media & { timeout?: number } = {}): Promise<Transcript> {
    const { timeout = 30_000 } = about;
    const { id } = await this.record(media, about);
    return this.transcripts.get(id, { timeout });
  }

  /** Empties the world, except for its users, spaces, and secrets. */
  async reset(): Promise<void> {
    await this.control.resetWorld();
  }

  /** Creates a world with a copy of this one's data. Delete it at the end of the test. */
  async fork(): Promise<World> {
    const made = await this.control.createWorld({ fork_of: this.name });
    return new World(this.#server, made.world, made.secrets as Secrets);
  }

  /** Deletes the world and everything in it. */
  async delete(): Promise<void> {
    await this.control.deleteWorld({ name: this.name });
  }
}
