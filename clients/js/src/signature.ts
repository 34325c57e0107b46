import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers of a request, as `fetch`, `node:http`, or the sandbox's outbox have them. */
export type HeadersOf = Headers | Record<string, string | string[] | undefined> | readonly { name: string; value: string }[];

/**
 * Checks the signature and the time of a webhook as the Standard Webhooks say, and returns its decoded body. It throws if a receiver must
 * refuse it. `tolerance` is in seconds; default 300. Pass the body exactly as it was received.
 */
export function verifyWebhook(secret: string, headers: HeadersOf, body: string | Uint8Array, options: { tolerance?: number } = {}): unknown {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => header(headers, name));
  if (!id || !timestamp || !signature) throw new Error('The request is no webhook: webhook-id, webhook-timestamp, or webhook-signature is missing.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const want = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const valid = signature.split(' ').some((entry) => {
    const [version, encoded = ''] = entry.split(',');
    const got = Buffer.from(encoded, 'base64');
    return version === 'v1' && got.length === want.length && timingSafeEqual(got, want);
  });
  if (!valid) throw new Error(`The signature of the webhook ${id} is not valid. Check that the secret is the webhook's, and that the body is unchanged.`);
  const { tolerance = 300 } = options;
  const off = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(off <= tolerance)) throw new Error(`The time of the webhook ${id} is ${Math.round(off)} s off, and ${tolerance} s are allowed.`);
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

/** Tells `Headers` by their method: with jsdom, those of a request are of another class than the global one. */
function isHeaders(headers: HeadersOf): headers is Headers {
  return typeof (headers as Headers).get === 'function';
}

function header(headers: HeadersOf, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const pairs = Array.isArray(headers) ? headers.map((h: { name: string; value: string }) => [h.name, h.value] as const) : Object.entries(headers);
  const found = pairs.find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}
