// Package transcript is the vocabulary of speech: words with times, utterances, sentences, languages, spellings, and windows. It does no
// I/O and knows no database rows.
//
// Start with [Transcript]. [TidyWords], [AssignSpeakers], and [BuildUtterances] turn recognised words into one:
//
//	words = transcript.AssignSpeakers(transcript.TidyWords(words, duration), turns)
//	t := transcript.Transcript{Language: "en", Duration: duration, Utterances: transcript.BuildUtterances(words, "en")}
package transcript
