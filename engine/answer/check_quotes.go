package answer

import (
	"slices"
	"strings"
	"time"
)

// CheckQuotes returns what is wrong with a list of quotes. Each is a block quote whose last line, after a dash, has the speaker and the time.
// Its words are said there, in this order and without others, by this speaker.
func (s *Source) CheckQuotes(text string) []Fault {
	var f faults
	s.checkCitations(&f, text, false)
	quotes := s.blockQuotes(text)
	if len(quotes) == 0 {
		f.add(FaultNothing, "There is no block quote.")
	}
	for _, q := range quotes[:min(len(quotes), maxItems)] {
		s.checkQuote(&f, q)
	}
	if len(quotes) > maxItems {
		f.add(FaultQuote, "There are more than %d quotes.", maxItems)
	}
	return f
}

func (s *Source) checkQuote(f *faults, q blockQuote) {
	words := letters(s.withoutName(q.words))
	if words == "" {
		f.add(FaultQuote, "A block quote has no words.")
		return
	}
	said := slices.DeleteFunc(s.places(words), s.severalSpeak)
	if len(said) == 0 {
		f.add(FaultQuote, "Nobody says this, word for word: “%s”", q.words)
		return
	}
	at, ok := readTime(q.source)
	if !ok {
		f.add(FaultQuote, "The line after this quote has no place: “%s”", q.words)
		return
	}
	said = slices.DeleteFunc(said, func(p place) bool {
		return at < seconds(s.all[p.from].Start) || at > seconds(s.all[p.to].End+time.Second)
	})
	if len(said) == 0 {
		f.add(FaultQuote, "This is not said at the place behind it: “%s”", q.words)
		return
	}
	if !slices.ContainsFunc(said, func(p place) bool { return s.mayBe(q.source, s.all[p.from].Speaker) }) {
		f.add(FaultQuote, "Another speaker says this: “%s”", q.words)
	}
}

// severalSpeak reports whether the utterances of a place have different speakers.
func (s *Source) severalSpeak(p place) bool {
	first := s.all[p.from].Speaker
	return slices.ContainsFunc(s.all[p.from:p.to+1], func(u utterance) bool { return u.Speaker != first })
}

// mayBe reports whether the source of a quote may name the speaker: it doesn't name another one.
func (s *Source) mayBe(source, speaker string) bool {
	source = letters(times.ReplaceAllString(source, ""))
	return source == letters(speaker) || !slices.Contains(s.names, source)
}

// withoutName removes the name of a speaker and a colon before words, as lines of the transcript have them.
func (s *Source) withoutName(words string) string {
	if name, rest, ok := strings.Cut(words, ":"); ok && slices.Contains(s.names, letters(name)) {
		return rest
	}
	return words
}
