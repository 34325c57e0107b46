// Generated from emulator/control/openapi.yaml by scripts/generate.mjs. Do not edit.

/** Method, path, names of query parameters, and whether there is a body, of each operation. */
export const operations = {
  /** Check the server's health. */
  getHealth: ['GET', '/_soundstage/health', [], false],
  /** Get this document. */
  getControlContract: ['GET', '/_soundstage/openapi.yaml', [], false],
  /** Empty a world. */
  resetWorld: ['POST', '/_soundstage/reset', [], false],
  /** Send a message of the Model Context Protocol. */
  sendAssistantMessage: ['POST', '/_soundstage/mcp', [], true],
  /** Get the fidelity report. */
  getFidelity: ['GET', '/_soundstage/fidelity', [], false],
  /** List the worlds. */
  listWorlds: ['GET', '/_soundstage/worlds', [], false],
  /** Create a world, empty or as a copy of another. */
  createWorld: ['POST', '/_soundstage/worlds', [], true],
  /** Delete a world and everything in it. */
  deleteWorld: ['DELETE', '/_soundstage/worlds/{name}', [], false],
  /** Count a world's records by kind and status. */
  getCounts: ['GET', '/_soundstage/counts', [], false],
  /** List a world's public sandbox secrets. */
  listSecrets: ['GET', '/_soundstage/secrets', [], false],
  /** List the jobs. */
  listJobs: ['GET', '/_soundstage/jobs', ['status', 'kind', 'class', 'resource', 'limit', 'after'], false],
  /** Get a job. */
  getJob: ['GET', '/_soundstage/jobs/{id}', [], false],
  /** Cancel a job. */
  cancelJob: ['POST', '/_soundstage/jobs/{id}/cancel', [], true],
  /** Let a job fail. */
  failJob: ['POST', '/_soundstage/jobs/{id}/fail', [], true],
  /** Let a job take its next step now. */
  stepJob: ['POST', '/_soundstage/jobs/{id}/step', [], true],
  /** Get the time and the unfinished jobs. */
  getClock: ['GET', '/_soundstage/clock', [], false],
  /** Change the clock. */
  setClock: ['PUT', '/_soundstage/clock', [], true],
  /** Advance a frozen clock. */
  advanceClock: ['POST', '/_soundstage/clock/advance', [], true],
  /** Wait until the world is idle. */
  waitIdle: ['POST', '/_soundstage/idle', [], true],
  /** List the requests to /v1. */
  listRequests: ['GET', '/_soundstage/requests', ['op', 'status', 'method', 'path', 'key', 'since', 'limit'], false],
  /** Clear the request log. */
  clearRequests: ['DELETE', '/_soundstage/requests', [], false],
  /** Export the requests as an HTTP Archive, which browser developer tools can open. */
  exportRequests: ['GET', '/_soundstage/requests.har', ['op', 'status', 'method', 'path', 'key', 'since'], false],
  /** Get one request with its response. */
  getRequest: ['GET', '/_soundstage/requests/{number}', [], false],
  /** Send a logged request again. */
  resendRequest: ['POST', '/_soundstage/requests/{number}/resend', [], true],
  /** Find requests by more criteria than `listRequests`. */
  findRequests: ['POST', '/_soundstage/requests/find', [], true],
  /** Count the matching requests. */
  countRequests: ['POST', '/_soundstage/requests/count', [], true],
  /** Wait until `count` requests match. */
  waitForRequests: ['POST', '/_soundstage/requests/wait', [], true],
  /** List the faults. */
  listFaults: ['GET', '/_soundstage/faults', [], false],
  /** Inject a fault. */
  addFault: ['POST', '/_soundstage/faults', [], true],
  /** Remove all faults. */
  removeFaults: ['DELETE', '/_soundstage/faults', [], false],
  /** Remove a fault. */
  removeFault: ['DELETE', '/_soundstage/faults/{id}', [], false],
  /** Check that every fault has fired as often as it should. */
  verifyFaults: ['POST', '/_soundstage/faults/verify', [], false],
  /** List the messages with every attempt, byte for byte. */
  listMessages: ['GET', '/_soundstage/webhooks/outbox', ['event', 'event_id', 'webhook', 'resource', 'limit'], false],
  /** Wait until `count` messages have been attempted. */
  waitForMessages: ['POST', '/_soundstage/webhooks/outbox/wait', [], true],
  /** Get a message. */
  getMessage: ['GET', '/_soundstage/webhooks/outbox/{id}', [], false],
  /** Send a message again. */
  resendMessage: ['POST', '/_soundstage/webhooks/outbox/{id}/resend', [], true],
  /** Send two copies of a message concurrently. */
  duplicateMessage: ['POST', '/_soundstage/webhooks/outbox/{id}/duplicate', [], true],
  /** Send a corrupted copy of a message, which a receiver must reject. */
  corruptMessage: ['POST', '/_soundstage/webhooks/outbox/{id}/corrupt', [], true],
  /** Send an event that did not happen. */
  triggerEvent: ['POST', '/_soundstage/webhooks/trigger', [], true],
  /** Get the held messages. */
  getHold: ['GET', '/_soundstage/webhooks/hold', [], false],
  /** Hold messages. */
  holdMessages: ['POST', '/_soundstage/webhooks/hold', [], true],
  /** Same as `releaseMessages`. */
  endHold: ['DELETE', '/_soundstage/webhooks/hold', [], false],
  /** Send all held messages and stop holding. */
  releaseMessages: ['POST', '/_soundstage/webhooks/release', [], true],
  /** Send the next messages in reverse order, or held messages in a given order. */
  reorderMessages: ['POST', '/_soundstage/webhooks/reorder', [], true],
  /** Get the attempt policy and what remains of it. */
  getPolicy: ['GET', '/_soundstage/webhooks/policy', [], false],
  /** Drop, delay, or respond to the next attempts. */
  setPolicy: ['PUT', '/_soundstage/webhooks/policy', [], true],
  /** Create a webhook that the sandbox itself receives. */
  createSink: ['POST', '/_soundstage/webhooks/sink', [], true],
  /** Delete a sink. */
  deleteSink: ['DELETE', '/_soundstage/webhooks/sink/{id}', [], false],
  /** Report the response to a request that was listened to. */
  answerWebhook: ['POST', '/_soundstage/webhooks/listen/{id}/answers/{seen}', [], true],
  /** Get the style and the target of renders. */
  getRenderDefaults: ['GET', '/_soundstage/renders/defaults', [], false],
  /** Change the style and the target of renders. */
  setRenderDefaults: ['PUT', '/_soundstage/renders/defaults', [], true],
  /** List the fixture bindings. */
  getFixtures: ['GET', '/_soundstage/fixtures', [], false],
  /** List the magic inputs, one for each error and state of /v1. */
  listMagicInputs: ['GET', '/_soundstage/magic', [], false],
  /** Export a world's state as a file. */
  exportSnapshot: ['GET', '/_soundstage/snapshot', [], false],
  /** List the stored snapshots. */
  listSnapshots: ['GET', '/_soundstage/snapshots', [], false],
  /** Store a world's state on the server. */
  createSnapshot: ['POST', '/_soundstage/snapshots', [], true],
  /** Delete a stored snapshot. */
  deleteSnapshot: ['DELETE', '/_soundstage/snapshots/{name}', [], false],
  /** Replace a world's state by a stored snapshot. */
  restoreSnapshot: ['POST', '/_soundstage/snapshots/{name}/restore', [], false],
  /** Get the requests recorded since `startCapsule`. */
  getCapsule: ['GET', '/_soundstage/capsule', [], false],
  /** Start to record a world's requests. */
  startCapsule: ['POST', '/_soundstage/capsule/start', [], false],
  /** Describe the media of a recording. */
  getMedia: ['GET', '/_soundstage/recordings/{id}/media', [], false],
  /** Get the media of a recording. */
  getMediaContent: ['GET', '/_soundstage/recordings/{id}/media/content', [], false],
  /** Get the waveform of a recording. */
  getMediaPeaks: ['GET', '/_soundstage/recordings/{id}/media/peaks', ['count'], false],
} as const;
