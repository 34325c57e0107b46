package writer

// quoted returns a sentence, escaped, in the quotation marks of the language.
func (a *author) quoted(i int) string {
	return a.lexicon.say("quote", "text", escape(a.corpus.sentences[i].text))
}

// cited returns a sentence with its speaker and time.
func (a *author) cited(i int) string {
	r := a.corpus.sentences[i]
	return escape(r.text) + a.lexicon.say("source", "by", a.by(escape(r.speaker), r))
}

// by returns a name, which is markdown, with the time of a sentence.
func (a *author) by(name string, r sentence) string {
	return a.lexicon.say("by", "who", name, "time", clock(r.start))
}

// citedAll returns sentences with their speakers and times.
func (a *author) citedAll(sentences []int) (items []string) {
	for _, i := range sentences {
		items = append(items, a.cited(i))
	}
	return items
}
