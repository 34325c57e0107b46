// Generated from emulator/api/openapi.yaml by scripts/generate.mjs. Do not edit.

/** Method, path, names of query parameters, and whether there is a body, of each operation. */
export const operations = {
  /** List the spaces that the key's user belongs to. */
  listSpaces: ['GET', '/v1/spaces', [], false],
  /** Reserve an object and get a signed upload URL. */
  createUpload: ['POST', '/v1/uploads', [], true],
  /** Create a recording from a public URL. */
  createImport: ['POST', '/v1/imports', [], true],
  /** Poll an import. */
  getImport: ['GET', '/v1/imports/{id}', [], false],
  /** List recordings, newest first. */
  listRecordings: ['GET', '/v1/recordings', ['space_id', 'query', 'limit', 'cursor'], false],
  /** Create a recording from an uploaded object and start its transcription. */
  createRecording: ['POST', '/v1/recordings', [], true],
  /** Get one recording. */
  getRecording: ['GET', '/v1/recordings/{id}', [], false],
  /** Get the transcript of a recording in one of several formats. */
  getRecordingTranscript: ['GET', '/v1/recordings/{id}/transcript', ['format', 'language', 'include_timestamp'], false],
  /** List the speakers of a space, oldest first. */
  listSpeakers: ['GET', '/v1/spaces/{space_id}/speakers', [], false],
  /** Create a speaker in a space. */
  createSpeaker: ['POST', '/v1/spaces/{space_id}/speakers', [], true],
  /** Update a speaker. */
  updateSpeaker: ['PATCH', '/v1/speakers/{id}', [], true],
  /** List the labels of a recording's transcript with their assigned speakers. */
  listRecordingSpeakers: ['GET', '/v1/recordings/{id}/speakers', [], false],
  /** Assign a label of a recording's transcript to a speaker. */
  assignSpeaker: ['POST', '/v1/recordings/{id}/speakers/assign', [], true],
  /** Remove the assignment of a label to a speaker. */
  unassignSpeaker: ['POST', '/v1/recordings/{id}/speakers/unassign', [], true],
  /** List the prompt library of a space, oldest first. */
  listPrompts: ['GET', '/v1/prompts', ['space_id'], false],
  /** Create a recurring prompt. */
  createPrompt: ['POST', '/v1/prompts', [], true],
  /** Run a custom prompt on a recording. */
  generateOutput: ['POST', '/v1/recordings/{id}/generate', [], true],
  /** List the generated content of a recording, oldest first. */
  listRecordingOutputs: ['GET', '/v1/recordings/{id}/outputs', ['type'], false],
  /** Poll an output. */
  getOutput: ['GET', '/v1/outputs/{id}', [], false],
  /** Ask a question about 1 to 10 recordings. */
  createChat: ['POST', '/v1/chat', [], true],
  /** Poll a chat until its status is `completed`. */
  getChat: ['GET', '/v1/chat/{id}', [], false],
  /** List suggested clips of a recording, best first. */
  listClipSuggestions: ['GET', '/v1/recordings/{id}/clip-suggestions', ['generate'], false],
  /** Render a captioned clip or an audiogram from a segment of a recording. */
  createRender: ['POST', '/v1/renders', [], true],
  /** Poll a render. */
  getRender: ['GET', '/v1/renders/{id}', [], false],
  /** Transcribe a media URL and create nothing else. */
  createTranscript: ['POST', '/v1/transcripts', [], true],
  /** Poll the transcription of a URL. */
  getTranscript: ['GET', '/v1/transcripts/{id}', [], false],
  /** Search transcripts, titles, and generated content. */
  search: ['GET', '/v1/search', ['query', 'category', 'space_id', 'limit'], false],
  /** Get the usage of the caller's plan. */
  getUsage: ['GET', '/v1/usage', [], false],
  /** List the caller's webhooks, oldest first. */
  listWebhooks: ['GET', '/v1/webhooks', [], false],
  /** Subscribe a URL to events. */
  createWebhook: ['POST', '/v1/webhooks', [], true],
  /** Get one webhook. */
  getWebhook: ['GET', '/v1/webhooks/{id}', [], false],
  /** Update, disable, or enable a webhook. */
  updateWebhook: ['PATCH', '/v1/webhooks/{id}', [], true],
  /** Delete a webhook and its deliveries. */
  deleteWebhook: ['DELETE', '/v1/webhooks/{id}', [], false],
  /** Send a test event to a webhook. */
  testWebhook: ['POST', '/v1/webhooks/{id}/test', [], false],
  /** Give a webhook a new secret. */
  rotateWebhookSecret: ['POST', '/v1/webhooks/{id}/rotate-secret', [], false],
  /** List the deliveries of a webhook with their attempts, newest first. */
  listWebhookDeliveries: ['GET', '/v1/webhooks/{id}/deliveries', ['limit'], false],
  /** Send a delivery again. */
  replayWebhookDelivery: ['POST', '/v1/webhooks/{id}/deliveries/{delivery_id}/replay', [], false],
} as const;
