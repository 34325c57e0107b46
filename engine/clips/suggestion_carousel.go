package clips

import (
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	leastPoints = 3   // fewest sentences of a carousel
	mostPoints  = 6   // most sentences of a carousel
	longPoint   = 250 // most characters of a sentence
)

// carousels returns the best carousel that begins with each sentence: sentences of one speaker that each make a point.
func (s *scorer) carousels() (all []scored) {
	for from, first := range s.sentences {
		best := scored{score: -1}
		c := scored{from: from, window: transcript.Window{Start: first.Start}}
		points, worth := 0, 0.0
		for to := from; to < len(s.sentences) && to-from < mostPoints; to++ {
			x := s.sentences[to]
			if x.Speaker != first.Speaker || !x.Closed || x.Question || utf8.RuneCountInString(x.Text) > longPoint {
				break
			}
			if s.numbers[to] || beginsWith(x.Text, counting[s.language], s.language) {
				points++
			}
			worth += s.quotable[to]
			c.to, c.window.End = to+1, max(c.window.End, x.End)
			n := float64(c.to - from)
			c.score = min(100, 20+40*worth/n+40*float64(points)/n)
			if s.leans[from] {
				c.score -= clipLeans
			}
			if c.to-from >= leastPoints && c.score > best.score {
				best = c
			}
		}
		if best.score >= 0 {
			all = append(all, best)
		}
	}
	return all
}
