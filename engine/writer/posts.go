package writer

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/prose"
)

// posts returns n posts for social networks: a quote, its source, and topics as hashtags. With 0, n depends on the length.
func (a *author) posts(n int) string {
	if n == 0 {
		n = max(1, min(3, len(a.corpus.sentences)/3))
	}
	topics := a.corpus.topics(2 * n)
	var posts []string
	for i, hook := range a.quotable(n) {
		r := a.corpus.sentences[hook]
		blocks := []string{
			"**" + a.lexicon.say("post", "n", strconv.Itoa(i+1)) + "**",
			a.quoted(hook),
			strings.TrimSpace("— " + a.by(escape(r.speaker), r) + " " + hashtags(topics, i, hook)),
		}
		if a.corpus.title != "" {
			blocks = append(blocks, a.lexicon.say("post.more", "title", escape(a.corpus.title)))
		}
		posts = append(posts, paragraphs(blocks...))
	}
	return paragraphs(posts...)
}

// hashtags returns up to two hashtags: topics of the sentence, or else other topics in turn.
func hashtags(topics []topic, turn, index int) string {
	var own, others []topic
	for i := range topics {
		t := topics[(i+2*turn)%len(topics)]
		about := false
		for _, r := range t.sentences {
			about = about || r == index
		}
		if about {
			own = append(own, t)
		} else {
			others = append(others, t)
		}
	}
	var tags []string
	for _, t := range append(own, others...) {
		tag := strings.Map(func(r rune) rune {
			if prose.IsSpoken(r) || unicode.IsMark(r) {
				return r
			}
			return -1
		}, t.name)
		if len(tags) < 2 && tag != "" {
			tags = append(tags, "#"+tag)
		}
	}
	return strings.Join(tags, " ")
}
