// Compiled, not run: what the types promise to a program.
import { ApiError, startSandbox, tone, verifyWebhook, type Sandbox, type V1Components, type World } from '@soundstage/sandbox';

export async function use(): Promise<void> {
  const sandbox: Sandbox = await startSandbox({ clock: 'manual', seed: 7, allowPrivateUrls: true, ffmpegOptional: true });
  const world: World = await sandbox.world({ clock: 'auto' });

  const { spaces, count } = await world.api.listSpaces();
  const id: string | undefined = spaces[0]?.id;
  const total: number = count;
  const recording: V1Components['schemas']['Recording'] = await world.record(tone(), { filename: 'a.wav' });
  const said: string | undefined = (await world.transcribe(tone())).utterances[0]?.text;
  const transcript = await world.api.getTranscript({ id: recording.id });
  if (transcript.status === 'completed') transcript.utterances.map((u) => u.text.length);
  else if (transcript.status === 'error') transcript.error.length;
  const gone: undefined = await world.api.deleteWebhook({ id: 'x' });
  const text: string = await world.transcripts.export(recording.id, 'vtt');
  const bytes: Uint8Array = await world.transcripts.export(recording.id, 'pdf');
  const now: Date = await world.clock.now();
  await world.control.stepJob({ id: 'x' });
  await world.control.waitIdle();
  await world.faults.add({ op: 'listSpaces', nth: 3 }, { status: 503 }, { times: 2 });
  verifyWebhook('whsec_', { 'webhook-id': 'x' }, new Uint8Array());

  // @ts-expect-error: the path needs an id
  await world.api.getRecording({});
  // @ts-expect-error: an operation that has arguments needs them
  await world.api.createUpload();
  // @ts-expect-error: there is no such argument
  await world.api.listRecordings({ querry: 'x' });
  // @ts-expect-error: there is no such operation
  await world.api.listSpace();
  // @ts-expect-error: the size is a number
  await world.api.createUpload({ filename: 'a', content_type: 'audio/wav', content_size: '1' });
  // @ts-expect-error: there is no such option
  await startSandbox({ clocks: 'auto' });
  // @ts-expect-error: there is no such format
  await world.transcripts.export('x', 'ttml');

  if (new Error() instanceof ApiError) return;
  void [said, id, total, gone, text, bytes, now];
}
