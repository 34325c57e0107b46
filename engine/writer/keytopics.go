package writer

// keyTopics lists topics, each with the sentence that shows it best.
func (a *author) keyTopics(n int) string {
	if n == 0 {
		n = max(3, min(8, len(a.talk.remarks)/6))
	}
	worth := a.worth()
	shown := map[int]bool{}
	var items []string
	for _, topic := range a.talk.topics(n) {
		example := topic.remarks[0]
		for _, i := range topic.remarks {
			if shown[example] && !shown[i] || shown[example] == shown[i] && worth[i] > worth[example] {
				example = i
			}
		}
		shown[example] = true
		name := "**" + escape(a.tongue.capital(topic.name)) + "**"
		items = append(items, a.tongue.say("item", "name", name, "text", a.cited(example)))
	}
	if len(items) == 0 {
		return a.tongue.say("no.topics")
	}
	return bullets(items)
}
