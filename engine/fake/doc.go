// Package fake does the work of models without a model: a transcriber of invented words and true timing, a language model
// that quotes, and a translator that makes things up.
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
// [LLM] writes with the sentences of the transcript that it is given, verbatim, with their speakers and times, and is as
// deterministic. From the transcript to the text: llm_cut.go cuts utterances into sentences, llm_terms.go sentences into
// words, llm_talk.go counts them, llm_rank.go says which sentences matter, llm_topics.go which words; there is a file for
// each kind of content, llm_order.go reads from a prompt which kinds it wants, and phrases/ has all words of its own.
//
// [Translator] returns invented sentences of the target language, which say something else than the text: enough to see
// that a translation was asked for and that protected terms and numbers survive it.
package fake
