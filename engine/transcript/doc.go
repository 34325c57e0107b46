// Package transcript is the vocabulary of speech: words with times, the utterances and sentences that they make, languages, spellings and
// windows. It is pure: it reads no files and knows no rows. Start with [Transcript].
package transcript
