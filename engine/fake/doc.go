// Package fake does the work of models without a model: a transcriber of invented words and true timing, and a translator
// that makes things up. Package engine/writer has the language model.
//
// [Transcriber] decodes the real media, finds the speech in it, and lays natural sentences of the asked language onto
// it, so that captions and clips that are made of its transcripts line up with the sound. The same samples, request and
// seed give the same transcript, byte for byte, on every machine: everything is computed in integers, and there is no
// clock, no network and no randomness. [Diarizer] is the rule by which it tells speakers apart: whoever speaks after a
// long pause is somebody else.
//
// From the sound to the words: level.go and speech.go find the speech, turn.go says whose it is, span.go cuts it into
// rooms for sentences, sentence.go and token.go know what can be said and how long it takes, script.go and boost.go choose
// from it, and lay.go gives every word its time.
//
// [Translator] returns invented sentences of the target language, which say something else than the text: enough to see
// that a translation was asked for and that protected terms and numbers survive it.
package fake
