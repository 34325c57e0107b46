// Package answer prepares chat requests and edits a language model's answers. It describes the recordings, replaces cited labels by titles
// and times, and has the sentences for missing answers in each language.
//
// Start with [MapCitations]:
//
//	text, cited := answer.MapCitations(text, answer.Citations(passages))
//
// It also checks generated content against the transcript. Start with [NewSource]:
//
//	faults := answer.NewSource(passages, "").CheckQuotes(text)
package answer
