// Package llm makes language models do what the engine asks of them: it writes the prompts, keeps them within the model's context, reads
// what comes back as leniently as is safe, and makes it fit to be shown. What it needs of a protocol is a Completer.
//
// Transcripts, titles, names, prompts and what users say of their recordings are data that anybody may have written. They stand between
// fences that nobody can write (see fence), under rules that say so. No model has tools here, and nothing is fetched. What a model answers
// is untrusted: times and citations are made of numbers that are looked up, and no HTML, image or hidden address is left in a text. There
// is no full defence against a text that talks a model round (OWASP LLM01); these bound what it can gain.
package llm
