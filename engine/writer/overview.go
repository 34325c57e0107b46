package writer

import (
	"strconv"
	"time"
)

// overview returns a summary of speakers, length, and topics, and a list of the n most important sentences. With 0, n depends on the
// length.
func (a *author) overview(n int) string {
	if n == 0 {
		n = max(1, min(5, (len(a.corpus.sentences)+2)/3))
	}
	return paragraphs(a.introduction(), bullets(a.citedAll(a.best(n))))
}

// introduction returns a paragraph about the speakers, the length, and the topics.
func (a *author) introduction() string {
	who := a.corpus.speakers()
	key := "talk.many"
	if len(who) == 1 {
		key = "talk.one"
	}
	s := a.lexicon.say(key, "who", a.people(who), "time", a.span(a.corpus.length()))
	if topics := a.corpus.topics(3); len(topics) > 0 {
		s += a.lexicon.gap() + a.about(topics)
	}
	return s
}

// about returns a sentence that names the topics.
func (a *author) about(topics []topic) string {
	key := "topics.are"
	if len(topics) == 1 {
		key = "topic.is"
	}
	return a.lexicon.say(key, "topics", a.lexicon.enumerate(names(topics)))
}

// people lists up to four speakers.
func (a *author) people(who []string) string {
	var shown []string
	for _, name := range who {
		shown = append(shown, escape(name))
	}
	if len(shown) > 4 {
		return a.lexicon.say("others", "who", a.lexicon.comma(shown[:4]...))
	}
	return a.lexicon.enumerate(shown)
}

// span formats a duration in minutes, or in seconds if it is less than 90 s.
func (a *author) span(d time.Duration) string {
	n, key := int((d+30*time.Second)/time.Minute), "minute"
	if d < 90*time.Second {
		n, key = max(1, int((d+500*time.Millisecond)/time.Second)), "second"
	}
	if n != 1 {
		key += "s"
	}
	return a.lexicon.say(key, "n", strconv.Itoa(n))
}
