package writer

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// portray says what the person whom the prompt names talks about, from that person's own sentences.
func (a *author) portray() string {
	who := escape(a.prompt)
	mine := a.talk.only(a.prompt)
	if len(mine.remarks) == 0 {
		return a.tongue.say("silent", "who", who)
	}
	a.talk, a.focus = mine, nil
	var sentences []string
	if topics := mine.topics(3); len(topics) > 0 {
		sentences = append(sentences, a.tongue.say("about", "who", who, "topics", a.tongue.enumerate(names(topics))))
	} else {
		sentences = append(sentences, a.tongue.say("talk.one", "who", who, "time", a.span(mine.length())))
	}
	for _, i := range a.quotable(1) {
		sentences = append(sentences, a.tongue.say("own", "quote", a.quoted(i)))
	}
	return joinSentences(sentences, a.tongue.language)
}

func joinSentences(sentences []string, language transcript.Language) (out string) {
	for i, s := range sentences {
		if i > 0 && language.Spaced() {
			out += " "
		}
		out += s
	}
	return out
}
