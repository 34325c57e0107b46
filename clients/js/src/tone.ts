const rate = 16_000;

/** A WAV file of a tone, for tests that need media and have none. With `transcripts.set`, it says what you want. */
export function tone(seconds = 2): Uint8Array {
  if (!(seconds > 0 && seconds <= 3600)) throw new TypeError(`A tone has 0 to 3600 seconds (got ${seconds}).`);
  const samples = Math.round(seconds * rate);
  const file = new DataView(new ArrayBuffer(44 + 2 * samples));
  const text = (at: number, s: string): void => [...s].forEach((c, i) => file.setUint8(at + i, c.charCodeAt(0)));
  text(0, 'RIFF');
  file.setUint32(4, 36 + 2 * samples, true);
  text(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true); // PCM
  file.setUint16(22, 1, true); // mono
  file.setUint32(24, rate, true);
  file.setUint32(28, 2 * rate, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  text(36, 'data');
  file.setUint32(40, 2 * samples, true);
  for (let i = 0; i < samples; i++) file.setInt16(44 + 2 * i, 8000 * Math.sin((2 * Math.PI * 440 * i) / rate), true);
  return new Uint8Array(file.buffer);
}
