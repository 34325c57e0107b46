// Package writer writes texts about transcripts without a model: summaries, chapters, posts, and answers to questions, in every supported
// language. Start with [LLM], which implements engine.LLM; its example asks a question.
//
// [LLM] quotes sentences of the transcript verbatim, with their speakers and times. It is deterministic: the same request gives the same
// text, byte for byte, on every machine.
//
// The steps from transcript to text: engine/prose splits utterances into sentences, terms.go splits sentences into words, corpus.go
// counts the words, rank.go ranks sentences, and topics.go ranks words. Each kind of content has a file, request.go detects the kinds that
// a prompt requests, and phrases/ contains the fixed texts of each language.
package writer
