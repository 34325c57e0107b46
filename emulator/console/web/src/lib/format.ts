export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 ** 2) return `${(n / 1024).toFixed(1)} KiB`;
  if (n < 1024 ** 3) return `${(n / 1024 ** 2).toFixed(1)} MiB`;
  return `${(n / 1024 ** 3).toFixed(2)} GiB`;
}

export function count(n: number): string {
  return n.toLocaleString('en-GB');
}

// short returns the first part of an ID, which is enough to tell it from its neighbours.
export function short(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id.length > 24 ? `${id.slice(0, 22)}…` : id;
}

// pretty returns JSON with indentation, and any other text as it is.
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export type Tone = 'ok' | 'warn' | 'bad' | 'busy' | 'info' | 'quiet';

const tones: Record<string, Tone> = {
  completed: 'ok',
  delivered: 'ok',
  ok: 'ok',
  running: 'busy',
  processing: 'busy',
  rendering: 'busy',
  sending: 'busy',
  queued: 'info',
  waiting: 'info',
  pending: 'info',
  held: 'warn',
  retrying: 'warn',
  failed: 'bad',
  error: 'bad',
  canceled: 'quiet',
  disabled: 'quiet',
};

// toneOf returns the colour of a status: a word, or a number of HTTP.
export function toneOf(status: string | number): Tone {
  const code = Number(status);
  if (!Number.isNaN(code) && status !== '') {
    if (code === 0) return 'bad';
    return code < 300 ? 'ok' : code < 400 ? 'info' : code < 500 ? 'warn' : 'bad';
  }
  return tones[status] ?? 'quiet';
}
