package writer

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// speakerSummary returns a summary of what the speaker named by the prompt talks about, with a quote.
func (a *author) speakerSummary() string {
	who := escape(a.prompt)
	mine := a.corpus.onlySpeaker(a.prompt)
	if len(mine.sentences) == 0 {
		return a.lexicon.say("silent", "who", who)
	}
	a.corpus, a.focus = mine, nil
	var sentences []string
	if topics := mine.topics(3); len(topics) > 0 {
		sentences = append(sentences, a.lexicon.say("about", "who", who, "topics", a.lexicon.enumerate(names(topics))))
	} else {
		sentences = append(sentences, a.lexicon.say("talk.one", "who", who, "time", a.span(mine.length())))
	}
	for _, i := range a.quotable(1) {
		sentences = append(sentences, a.lexicon.say("own", "quote", a.quoted(i)))
	}
	return joinSentences(sentences, a.lexicon.language)
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
