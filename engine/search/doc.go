// Package search finds texts: the terms of a text in 18 languages, the ranking of documents by BM25, snippets, and the passages of
// transcripts that answer a question. It reads an index through [Index] and texts through a function. Start with [Find] and
// [ChoosePassages].
package search
