// A flat transcript: all words in one array, cut into blocks that can be shown on their own. It makes finding the spoken word a binary
// search, also in a transcript of many hours.
export type Word = { text: string; start: number; end: number };
export type Utterance = { speaker: string; speaker_name?: string; text: string; start: number; end: number; words: Word[] };
export type Transcript = { language?: string; audio_duration?: number; utterances: Utterance[] };

export type Block = {
  first: number; // its first word
  last: number; // the word after its last one
  speaker: number; // index in speakers
  continued: boolean; // the block before belongs to the same utterance
  start: number;
  chars: number;
  toLeft: boolean; // read from right to left, as its first letter is
};

export type Flat = {
  words: Word[];
  spaced: Uint8Array; // 1 for words that a space follows
  folded?: string[]; // words as find compares them, once it was called
  starts: Int32Array;
  blocks: Block[];
  blockOf: Int32Array; // by word
  speakers: { label: string; name: string }[];
};

// An utterance of more words is cut, so that no block is much higher than the view.
const blockWords = 80;

export function flatten(transcript: Transcript): Flat {
  const words: Word[] = [];
  const spaced: number[] = [];
  const blocks: Block[] = [];
  const speakers: Flat['speakers'] = [];
  const indexes = new Map<string, number>();
  for (const u of transcript.utterances) {
    let speaker = indexes.get(u.speaker);
    if (speaker === undefined) {
      indexes.set(u.speaker, (speaker = speakers.length));
      speakers.push({ label: u.speaker, name: u.speaker_name ?? u.speaker });
    }
    const said = u.words.length > 0 ? u.words : [{ text: u.text, start: u.start, end: u.end }];
    for (const space of spacesOf(said, u.text)) spaced.push(space);
    for (let from = 0; from < said.length; from += blockWords) {
      const part = said.slice(from, from + blockWords);
      const first = words.length;
      let chars = 0;
      for (const w of part) {
        chars += w.text.length + spaced[words.length]!;
        words.push(w);
      }
      blocks.push({ first, last: words.length, speaker, continued: from > 0, start: part[0]!.start, chars, toLeft: part.find((w) => letter.test(w.text))?.text.match(letter)?.[1] !== undefined });
    }
  }
  const blockOf = new Int32Array(words.length);
  blocks.forEach((b, i) => blockOf.fill(i, b.first, b.last));
  return { words, spaced: Uint8Array.from(spaced), starts: Int32Array.from(words, (w) => w.start), blocks, blockOf, speakers };
}

// The first letter of a text. It is the first group if its script is read from right to left.
const letter = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])|\p{L}/u;

// spacesOf says which words a space follows in a text. Chinese, Japanese, and Thai have none between words. A word that isn't near where the
// text should have it, as in a text that was edited, is followed by a space.
function spacesOf(words: Word[], text: string): number[] {
  let at = 0;
  return words.map((word, i) => {
    const found = text.slice(at, at + word.text.length + near).indexOf(word.text);
    if (found < 0) return 1;
    at += found + word.text.length;
    const next = words[i + 1];
    return next && next.text !== '' && text.startsWith(next.text, at) ? 0 : 1;
  });
}

const near = 20; // characters

// textOf returns the words from first to last, as the transcript has them.
export function textOf(flat: Flat, first: number, last: number): string {
  let text = '';
  for (let i = first; i <= last; i++) text += flat.words[i]!.text + (i < last && flat.spaced[i] ? ' ' : '');
  return text;
}

// A word stays marked this long after its end, so that short pauses don't flicker.
const linger = 400;

// wordAt returns the word that is spoken at a time in milliseconds, or -1.
export function wordAt(flat: Flat, ms: number): number {
  let low = 0;
  let high = flat.starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (flat.starts[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  const at = low - 1;
  return at >= 0 && ms <= flat.words[at]!.end + linger ? at : -1;
}

// nearestWord returns the last word that began, or the first word.
export function nearestWord(flat: Flat, ms: number): number {
  let low = 0;
  let high = flat.starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (flat.starts[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

// folded returns a text without case, accents, and shapes of quotation marks, as /v1/search takes it.
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g, '') // of Latin, Greek, Cyrillic, Hebrew, and Arabic
    .normalize('NFC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

// find returns the ranges of words [first, last] that contain a text, ignoring case and accents.
export function find(flat: Flat, query: string): [number, number][] {
  const wanted = folded(query.trim()).replace(/\s+/g, ' ');
  if (!wanted) return [];
  const words = (flat.folded ??= flat.words.map((w) => folded(w.text)));
  const found: [number, number][] = [];
  for (const block of flat.blocks) {
    const starts: number[] = [];
    let text = '';
    for (let i = block.first; i < block.last; i++) {
      starts.push(text.length);
      text += words[i]! + (flat.spaced[i] ? ' ' : '');
    }
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const last = at + wanted.length - 1;
      let a = 0;
      while (a + 1 < starts.length && starts[a + 1]! <= at) a++;
      let b = a;
      while (b + 1 < starts.length && starts[b + 1]! <= last) b++;
      found.push([block.first + a, block.first + b]);
    }
  }
  return found;
}
