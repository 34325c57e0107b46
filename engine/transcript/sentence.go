package transcript

import (
	"strings"
	"time"
)

// Sentence is a part of one utterance that ends with a sentence mark or with the utterance.
type Sentence struct {
	words      []Word
	Speaker    string
	Text       string
	Start, End time.Duration // start of the first word, latest end of any word
	Opens      bool          // first in its utterance
	Closes     bool          // last in its utterance
	Closed     bool          // ends with a sentence mark
	Question   bool
}

// Sentences returns the sentences of a transcript, in order.
func Sentences(t Transcript) (all []Sentence) {
	for _, u := range t.Utterances {
		from := 0
		for i, w := range u.Words {
			next, last := "", i == len(u.Words)-1
			if !last {
				next = u.Words[i+1].Text
			}
			closed := EndsSentence(w.Text, next, t.Language)
			if !last && !closed {
				continue
			}
			s := Sentence{words: u.Words[from : i+1], Speaker: u.Speaker, Opens: from == 0, Closes: last, Closed: closed}
			s.Text, s.Start = JoinWords(s.words, t.Language), s.words[0].Start
			for _, w := range s.words {
				s.End = max(s.End, w.End)
			}
			s.Question = isQuestion(s.Text)
			all = append(all, s)
			from = i + 1
		}
	}
	return all
}

// isQuestion reports whether a sentence ends with a question mark or with the Japanese particle か.
func isQuestion(text string) bool {
	text = strings.TrimRight(text, closingMarks)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "か。")
}

// closingMarks may follow the punctuation that ends a sentence.
const closingMarks = " \u00a0\"'”’»)」』"

// TextOf joins the words of sentences.
func TextOf(sentences []Sentence, l Language) string {
	var words []Word
	for _, s := range sentences {
		words = append(words, s.words...)
	}
	return JoinWords(words, l)
}
