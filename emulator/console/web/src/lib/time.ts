// Times as text.
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

// relative returns "12s ago" or "in 5 min".
export function relative(at: number, now: number): string {
  const apart = at - now;
  if (Math.abs(apart) < 1500) return 'now';
  for (const [unit, length] of units) {
    if (Math.abs(apart) >= length) return words.format(Math.trunc(apart / length), unit);
  }
  return 'now';
}

const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export function absolute(at: number): string {
  return Number.isNaN(at) ? 'never' : dateTime.format(at);
}

// precise returns the time of a day with milliseconds, for lists.
export function precise(at: number): string {
  const d = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, '0')}`;
}

// position returns a place in media: 1:02:03 or 2:03.
export function position(ms: number, tenths = false): string {
  const total = Math.max(0, tenths ? Math.floor(ms / 100) / 10 : Math.floor(ms / 1000));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = total - hours * 3600 - minutes * 60;
  const shown = tenths ? seconds.toFixed(1).padStart(4, '0') : String(Math.floor(seconds)).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${shown}` : `${minutes}:${shown}`;
}

// duration returns how long something took: 12 ms, 3.4 s, 2 min 5 s.
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000); // first, so that there are never 60 of them
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
