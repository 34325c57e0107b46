// Writes the words of testdata/conversation.txt with times: for Remotion, and as a transcript for soundstage. Words share the time of their turn
// by their letters. Arguments: folder of the test media, folder to write.
import { readFileSync, writeFileSync } from 'node:fs';

const [, , media, out] = process.argv;
const lines = (name) => readFileSync(`${media}/${name}`, 'utf8').trim().split('\n');
const turns = lines('conversation.rttm').map((line) => line.split(' ')).map((f) => ({ start: 1000 * f[3], length: 1000 * f[4] }));
const captions = [];
const utterances = lines('conversation.txt').map((line, i) => {
	const [speaker, text] = line.split('|');
	const said = text.split(' ');
	const letters = said.reduce((sum, word) => sum + word.length + 1, 0);
	let at = turns[i].start;
	const words = said.map((word) => {
		const start = Math.round(at);
		at += (turns[i].length * (word.length + 1)) / letters;
		captions.push({ text: ` ${word}`, startMs: start, endMs: Math.round(at), timestampMs: start, confidence: null });
		return { text: word, start, end: Math.round(at), confidence: 1, speaker };
	});
	return { speaker, text, start: words[0].start, end: words.at(-1).end, confidence: 1, words };
});
writeFileSync(`${out}/captions.json`, JSON.stringify(captions));
writeFileSync(`${out}/words.json`, JSON.stringify({ language: 'en', audio_duration: 25, utterances }));
