package transcript

// Passage is a stretch of a recording.
type Passage struct {
	Label      string // what to cite it by, "2.17": recording and passage, both from 1
	Title      string // of the recording
	Language   Language
	Utterances []Utterance // whole ones; Speaker is the assigned speaker's name, else the label
}
