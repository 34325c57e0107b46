package llm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// transcriptOf writes passages, one utterance per line, each passage under its label and title. If marked, each line
// begins with its number, counted from 1 through all passages.
func transcriptOf(passages []transcript.Passage, marked bool) string {
	var b strings.Builder
	mark := 0
	for i, p := range passages {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "[%s] %s\n", line(p.Label), line(p.Title))
		for _, u := range p.Utterances {
			mark++
			if marked {
				b.WriteString("@" + strconv.Itoa(mark) + " ")
			}
			b.WriteString(line(u.Speaker) + ": " + line(u.Text) + "\n")
		}
	}
	return b.String()
}

// thinGroup is the number of utterances that stay together in thin.
const thinGroup = 6

// thin returns about half of the passages: every second one, or every second group of a single passage.
func thin(passages []transcript.Passage) (kept []transcript.Passage) {
	if len(passages) != 1 {
		for i := 0; i < len(passages); i += 2 {
			kept = append(kept, passages[i])
		}
		return kept
	}
	p := passages[0]
	all := p.Utterances
	p.Utterances = nil
	for i, u := range all {
		if i/thinGroup%2 == 0 {
			p.Utterances = append(p.Utterances, u)
		}
	}
	return []transcript.Passage{p}
}
