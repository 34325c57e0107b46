package writer

import (
	"strconv"
	"time"
)

// overview says who speaks for how long about what, and lists the sentences that are worth most.
func (a *author) overview(n int) string {
	if n == 0 {
		n = max(1, min(5, (len(a.talk.remarks)+2)/3))
	}
	return paragraphs(a.gist(), bullets(a.citedAll(a.best(n))))
}

// gist is a paragraph: who speaks, for how long, and about what.
func (a *author) gist() string {
	who := a.talk.speakers()
	key := "talk.many"
	if len(who) == 1 {
		key = "talk.one"
	}
	s := a.tongue.say(key, "who", a.people(who), "time", a.span(a.talk.length()))
	if topics := a.talk.topics(3); len(topics) > 0 {
		s += a.tongue.gap() + a.about(topics)
	}
	return s
}

// about says what the topics are.
func (a *author) about(topics []topic) string {
	key := "topics.are"
	if len(topics) == 1 {
		key = "topic.is"
	}
	return a.tongue.say(key, "topics", a.tongue.enumerate(names(topics)))
}

// people names those who speak, the first four of them.
func (a *author) people(who []string) string {
	var shown []string
	for _, name := range who {
		shown = append(shown, escape(name))
	}
	if len(shown) > 4 {
		return a.tongue.say("others", "who", a.tongue.comma(shown[:4]...))
	}
	return a.tongue.enumerate(shown)
}

// span writes a length of time: in minutes, and in seconds when it is less than a minute and a half.
func (a *author) span(d time.Duration) string {
	n, key := int((d+30*time.Second)/time.Minute), "minute"
	if d < 90*time.Second {
		n, key = max(1, int((d+500*time.Millisecond)/time.Second)), "second"
	}
	if n != 1 {
		key += "s"
	}
	return a.tongue.say(key, "n", strconv.Itoa(n))
}
