package writer

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/prose"
)

// posts are texts for social networks: a sentence that makes one curious, where it is from, and topics as hashtags.
func (a *author) posts(n int) string {
	if n == 0 {
		n = max(1, min(3, len(a.talk.remarks)/3))
	}
	topics := a.talk.topics(2 * n)
	var posts []string
	for i, hook := range a.quotable(n) {
		r := a.talk.remarks[hook]
		blocks := []string{
			"**" + a.tongue.say("post", "n", strconv.Itoa(i+1)) + "**",
			a.quoted(hook),
			strings.TrimSpace("— " + a.by(escape(r.speaker), r) + " " + hashtags(topics, i, hook)),
		}
		if a.talk.title != "" {
			blocks = append(blocks, a.tongue.say("post.more", "title", escape(a.talk.title)))
		}
		posts = append(posts, paragraphs(blocks...))
	}
	return paragraphs(posts...)
}

// hashtags writes two topics: those that a remark is about, else those whose turn it is.
func hashtags(topics []topic, turn, remark int) string {
	var own, others []topic
	for i := range topics {
		t := topics[(i+2*turn)%len(topics)]
		about := false
		for _, r := range t.remarks {
			about = about || r == remark
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
			if prose.Sounds(r) || unicode.IsMark(r) {
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
