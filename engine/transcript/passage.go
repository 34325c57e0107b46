package transcript

// Passage is a part of a recording that an answer can cite.
type Passage struct {
	Label      string // for citations, such as "2.17": recording and passage, both counted from 1
	Title      string // of the recording
	Language   Language
	Utterances []Utterance // complete ones; Speaker is the assigned speaker's name, else the label
}
