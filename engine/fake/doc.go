// Package fake implements the engine's speech and translation ports without models: a transcriber with invented words and real timing, a
// rule-based diarizer, and a translator with invented sentences. Package engine/writer has the language model.
//
// Start with [Transcriber]; its example shows a whole call. It decodes the media, finds the speech, and aligns natural sentences in the
// requested language with it. Captions and clips of its transcripts line up with the sound. The same samples, request, and seed give the
// same transcript, byte for byte, on every machine. All computations use integers, without clock, network, or true randomness.
//
// [Diarizer] starts a new speaker after each long pause. [Translator] returns invented sentences in the target language, with protected
// terms and numbers preserved.
//
// The steps from sound to words:
//
//   - level.go and speech.go find the speech
//   - turn.go assigns speakers
//   - span.go divides turns into blocks
//   - sentence.go and token.go estimate how long sentences take
//   - script.go and boost.go choose sentences
//   - align.go sets each word's time
package fake
