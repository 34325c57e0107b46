package writer

// keyTopics lists n topics, each with its most important sentence. With 0, n depends on the length.
func (a *author) keyTopics(n int) string {
	if n == 0 {
		n = max(3, min(8, len(a.corpus.sentences)/6))
	}
	worth := a.importance()
	shown := map[int]bool{}
	var items []string
	for _, topic := range a.corpus.topics(n) {
		example := topic.sentences[0]
		for _, i := range topic.sentences {
			if shown[example] && !shown[i] || shown[example] == shown[i] && worth[i] > worth[example] {
				example = i
			}
		}
		shown[example] = true
		name := "**" + escape(a.lexicon.capital(topic.name)) + "**"
		items = append(items, a.lexicon.say("item", "name", name, "text", a.cited(example)))
	}
	if len(items) == 0 {
		return a.lexicon.say("no.topics")
	}
	return bullets(items)
}
