// A problem is what a call failed with, in words that a person can act on.
export class Problem extends Error {
  constructor(
    message: string,
    readonly status = 0,
    readonly hint = '',
    readonly reason = '',
  ) {
    super(message);
  }

  get offline(): boolean {
    return this.status === 0;
  }
}

// problemOf returns the problem in the body of a response: {"error", "hint"} of the control API, {"error"} or {"errors"} of /v1, or XML
// of a signed URL.
export function problemOf(response: { status: number; headers: Headers }, body: unknown): Problem {
  const reason = response.headers.get('X-Soundstage-Reason') ?? '';
  const headerHint = response.headers.get('X-Soundstage-Hint') ?? '';
  if (typeof body === 'string') {
    const text = /<Message>([^<]*)<\/Message>/.exec(body)?.[1] ?? body.slice(0, 300);
    return new Problem(text || `The sandbox responded with ${response.status}.`, response.status, headerHint, reason);
  }
  if (body && typeof body === 'object') {
    const { error, errors, hint } = body as { error?: unknown; errors?: Record<string, string[]>; hint?: unknown };
    const sentence =
      typeof error === 'string'
        ? error
        : errors
          ? Object.entries(errors)
              .map(([field, list]) => `${field}: ${list.join(' ')}`)
              .join(' ')
          : '';
    if (sentence) return new Problem(sentence, response.status, typeof hint === 'string' ? hint : headerHint, reason);
  }
  return new Problem(`The sandbox responded with ${response.status}.`, response.status, headerHint, reason);
}

export function asProblem(err: unknown): Problem {
  if (err instanceof Problem) return err;
  if (err instanceof TypeError) return new Problem('The sandbox does not respond.', 0, 'Check that soundstage serve is running.');
  return new Problem(err instanceof Error ? err.message : String(err), -1);
}
