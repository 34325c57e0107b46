// Uploads of files as a client does them: reserve, PUT with progress, create the recording. They continue while the person looks at
// another page or world.
import { call, sameOrigin, v1 } from '../api/client';
import { asProblem, Problem, problemOf } from './problem';
import { session } from './session.svelte';

export class Upload {
  progress = $state(0);
  step = $state<'reserve' | 'send' | 'create' | 'done' | 'failed'>('reserve');
  problem = $state.raw<Problem | null>(null);
  recording = $state('');
  readonly world = session.world; // where the recording is created, whichever world is shown later
  private readonly secret = session.secret;
  private request: XMLHttpRequest | null = null;

  constructor(
    readonly id: number,
    readonly file: File,
  ) {}

  async run(): Promise<string> {
    this.problem = null;
    this.progress = 0;
    try {
      this.step = 'reserve';
      await this.readable();
      const secret = this.secret || session.secret;
      const headers: Record<string, string> = secret ? { Authorization: `Bearer ${secret}` } : {};
      const type = this.file.type || 'application/octet-stream';
      const reserved = await call(v1.POST('/v1/uploads', { headers, body: { filename: this.file.name, content_type: type, content_size: this.file.size } }));
      this.step = 'send';
      await this.send(sameOrigin(reserved.upload_url), type);
      this.step = 'create';
      const { recording } = await call(v1.POST('/v1/recordings', { headers, body: { object_id: reserved.object_id } }));
      this.recording = recording.id;
      this.step = 'done';
      return recording.id;
    } catch (err) {
      this.problem = asProblem(err);
      this.step = 'failed';
      throw err;
    }
  }

  // readable throws for what the browser can't send: a folder, a file that is gone, or nothing.
  private async readable(): Promise<void> {
    try {
      await this.file.slice(0, 1).arrayBuffer();
    } catch {
      throw new Problem('The browser can’t read this.', -1, 'Choose files, not folders. A file must still be there, and you must be allowed to read it.');
    }
    if (this.file.size === 0) throw new Problem('The file is empty.', -1);
  }

  cancel(): void {
    this.request?.abort();
  }

  private send(url: string, type: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = (this.request = new XMLHttpRequest()); // fetch has no progress of uploads
      request.open('PUT', url);
      request.setRequestHeader('Content-Type', type);
      request.upload.onprogress = (e) => (this.progress = e.lengthComputable ? e.loaded / e.total : 0);
      request.onerror = () => reject(new TypeError('no response'));
      request.onabort = () => reject(new Error('You canceled the upload.'));
      request.onload = () => {
        this.progress = 1;
        const headers = new Headers({ 'X-Soundstage-Reason': request.getResponseHeader('X-Soundstage-Reason') ?? '' });
        if (request.status < 300) resolve();
        else reject(problemOf({ status: request.status, headers }, request.responseText));
      };
      request.send(this.file);
    });
  }
}

class Uploads {
  list = $state.raw<Upload[]>([]);
  private next = 1;

  add(file: File): Upload {
    const upload = new Upload(this.next++, file);
    this.list = [upload, ...this.list];
    return upload;
  }

  drop(upload: Upload): void {
    upload.cancel();
    this.list = this.list.filter((u) => u !== upload);
  }
}

export const uploads = new Uploads();
