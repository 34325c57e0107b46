package engine

import "time"

// Translation is a completed transcript in another language, kept so that it is made once.
type Translation struct {
	TranscriptID TranscriptID
	Language     Language
	Glossary     string      // fingerprint of the terms that had to survive; another one makes the translation anew
	Utterances   []Utterance // one for each of the transcript's, in the same order, of the same speaker and time
	CreatedAt    time.Time
}
