package writer

// quoted writes a remark, escaped, in the quotation marks of the language.
func (a *author) quoted(i int) string {
	return a.tongue.say("quote", "text", escape(a.talk.remarks[i].text))
}

// cited writes a remark with who said it and when.
func (a *author) cited(i int) string {
	r := a.talk.remarks[i]
	return escape(r.text) + a.tongue.say("source", "by", a.by(escape(r.speaker), r))
}

// by writes a name, as markdown, and when its owner made a remark.
func (a *author) by(name string, r remark) string {
	return a.tongue.say("by", "who", name, "time", clock(r.start))
}

// citedAll writes remarks with who said them and when.
func (a *author) citedAll(remarks []int) (items []string) {
	for _, i := range remarks {
		items = append(items, a.cited(i))
	}
	return items
}
