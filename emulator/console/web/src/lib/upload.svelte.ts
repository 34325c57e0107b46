// Uploads of files as a client does them: reserve, PUT with progress, create the recording. They continue while the person looks at
// another page.
import { call, sameOrigin, v1 } from '../api/client';
import { asProblem, problemOf, type Problem } from './problem';

export class Upload {
  progress = $state(0);
  step = $state<'reserve' | 'send' | 'create' | 'done' | 'failed'>('reserve');
  problem = $state.raw<Problem | null>(null);
  recording = $state('');
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
      const type = this.file.type || 'application/octet-stream';
      const reserved = await call(v1.POST('/v1/uploads', { body: { filename: this.file.name, content_type: type, content_size: this.file.size } }));
      this.step = 'send';
      await this.send(sameOrigin(reserved.upload_url), type);
      this.step = 'create';
      const { recording } = await call(v1.POST('/v1/recordings', { body: { object_id: reserved.object_id } }));
      this.recording = recording.id;
      this.step = 'done';
      return recording.id;
    } catch (err) {
      this.problem = asProblem(err);
      this.step = 'failed';
      throw err;
    }
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
