/** A sandbox can't be found, started, or stopped, or it didn't do in time what was asked. The message says what to do. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** What a server answered to a request that it refused. */
export interface Refusal {
  /** ID of the operation, such as `getRecording`. */
  operation: string;
  status: number;
  /** The decoded body: an object for JSON, else text. */
  body: unknown;
  headers: Headers;
}

/** The answer to a request has an error status. */
export class ApiError extends Error implements Refusal {
  override name = 'ApiError';
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  /** The rule that refused the request, from `X-Soundstage-Reason`. */
  readonly reason: string | undefined;
  /** What to do next, if the sandbox knows. */
  readonly hint: string | undefined;

  constructor(refusal: Refusal) {
    const { operation, status, body, headers } = refusal;
    const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    const hint = members['hint'] ?? headers.get('x-soundstage-hint') ?? undefined;
    super(`${operation}: ${status}: ${typeof members['error'] === 'string' ? members['error'] : shown(body)}${hint ? ` ${hint}` : ''}`);
    this.operation = operation;
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.hint = typeof hint === 'string' ? hint : undefined;
    this.reason = headers.get('x-soundstage-reason') ?? undefined;
  }
}

/** What a message says about a body that isn't an error of the API. */
function shown(body: unknown): string {
  if (body === undefined || body === '') return 'The response has no body.';
  if (ArrayBuffer.isView(body)) return body.byteLength > 0 ? `The response has ${body.byteLength} bytes.` : shown('');
  return typeof body === 'string' ? body : JSON.stringify(body);
}
