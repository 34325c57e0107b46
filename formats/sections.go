package formats

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// chapterSlack is how far from the time of a chapter its first sentence may begin. Chapters often have whole seconds.
const chapterSlack = 5 * time.Second

// section is the part of the text that belongs to a chapter.
type section struct {
	titled     bool // false for what precedes the first chapter, and for a document without chapters
	chapter    Chapter
	paragraphs []captions.Utterance // none if nobody speaks
}

// sections returns the paragraphs by chapter. Every chapter has a section. A chapter that begins inside a paragraph divides it at the
// nearest end of a sentence, or of a word if no sentence ends within 5 s.
func (d document) sections() []section {
	all, rest := []section{{}}, d.chapters
	open := func() {
		all = append(all, section{titled: true, chapter: rest[0]})
		rest = rest[1:]
	}
	turns := d.turns()
	var buffer []piece
	for i, turn := range turns {
		start, end := turn[0].Start, turnEnd(turn)
		if i+1 < len(turns) {
			end = min(end, turns[i+1][0].Start)
		}
		for len(rest) > 0 && rest[0].Start <= start {
			open()
		}
		buffer = d.appendTurn(buffer[:0], turn, d.timed || len(rest) > 0 && rest[0].Start < end)
		pieces := buffer
		for len(rest) > 0 && rest[0].Start < end {
			cut := chapterCut(pieces, rest[0].Start)
			all[len(all)-1].add(turn[0], pieces[:cut], d.timed)
			pieces = pieces[cut:]
			open()
		}
		all[len(all)-1].add(turn[0], pieces, d.timed)
	}
	for len(rest) > 0 {
		open()
	}
	if len(all) > 1 && len(all[0].paragraphs) == 0 {
		all = all[1:]
	}
	return all
}

func (s *section) add(speaker captions.Utterance, pieces []piece, timed bool) {
	s.paragraphs = appendParagraphs(s.paragraphs, speaker, pieces, timed)
}

// chapterCut returns how many pieces of a turn precede a chapter.
func chapterCut(pieces []piece, start time.Duration) int {
	best, bestSentence, bestAway := -1, false, time.Duration(0)
	for i := 0; i <= len(pieces); i++ {
		from, to := time.Duration(0), captions.MaxTime // the gap before piece i
		if i > 0 {
			from = pieces[i-1].end
		}
		if i < len(pieces) {
			to = pieces[i].start
		}
		away := max(from-start, start-to, 0)
		sentence := away <= chapterSlack && (i == 0 || pieces[i-1].mark == endsSentence)
		if best < 0 || sentence && !bestSentence || sentence == bestSentence && away < bestAway {
			best, bestSentence, bestAway = i, sentence, away
		}
		if from > start+chapterSlack {
			break
		}
	}
	return best
}
