package engine

import (
	"strings"
	"time"
)

// sentence is a stretch of one utterance that ends with a sentence mark, or with the utterance.
type sentence struct {
	words      []Word
	speaker    string
	text       string
	start, end time.Duration // of the first word; of the word that ends last
	opens      bool          // the utterance begins with it
	closes     bool          // the utterance ends with it
	closed     bool          // it has a sentence mark
	question   bool
}

// sentencesOf returns the sentences of a transcript, in order.
func sentencesOf(t TranscriptText) (all []sentence) {
	for _, u := range t.Utterances {
		from := 0
		for i, w := range u.Words {
			if i < len(u.Words)-1 && !endsSentence(w.Text) {
				continue
			}
			s := sentence{words: u.Words[from : i+1], speaker: u.Speaker, opens: from == 0, closes: i == len(u.Words)-1, closed: endsSentence(w.Text)}
			s.text, s.start = JoinWords(s.words, t.Language), s.words[0].Start
			for _, w := range s.words {
				s.end = max(s.end, w.End)
			}
			s.question = isQuestion(s.text)
			all = append(all, s)
			from = i + 1
		}
	}
	return all
}

// isQuestion reports whether a sentence has a question mark at its end, or what Japanese writes instead.
func isQuestion(text string) bool {
	text = strings.TrimRight(text, closingMarks)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "か。")
}

// closingMarks may follow the mark of a sentence.
const closingMarks = " \u00a0\"'”’»)」』"

// textOf joins sentences as they were said.
func textOf(sentences []sentence, l Language) string {
	var words []Word
	for _, s := range sentences {
		words = append(words, s.words...)
	}
	return JoinWords(words, l)
}
