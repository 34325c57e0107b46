// Package search finds texts: terms of texts in 18 languages, ranking by BM25, snippets, and the transcript passages that answer a
// question. It reads the index through [Index], and texts through a function.
//
// Start with [Find] for search results, and with [ChoosePassages] for chat:
//
//	query := search.ParseQuery("open source")
//	matches, err := search.Find(index, search.DocumentTranscript, spaces, query, 5, texts)
package search
