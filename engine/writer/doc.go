// Package writer writes texts about transcripts without a model: summaries, chapters, posts and answers to questions, in every language
// of the service. Begin with [LLM], which implements engine.LLM.
//
// [LLM] quotes the sentences of the transcript that it is given, verbatim, with their speakers and times. It is deterministic: the same
// request gives the same text, byte for byte, on every machine.
//
// From the transcript to the text: engine/prose cuts utterances into sentences, terms.go sentences into words, talk.go counts them,
// rank.go says which sentences matter, topics.go which words. There is a file for each kind of content, order.go reads from a prompt
// which kinds it wants, and phrases/ has all words of its own.
package writer
