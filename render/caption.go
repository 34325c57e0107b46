package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// captionWriter writes cues into a script.
type captionWriter struct {
	layout   layout
	style    engine.RenderStyle
	letters  string // the ASS style of words
	language transcript.Language
	start    time.Duration // of the window: time 0 of the script
}

// rowHeight is how far one row of captions stands above another, in sizes of their letters.
const rowHeight = 2.3

// extent returns in how many rows cues stand, and how many lines the highest has.
func extent(cues []Cue) (rows, lines int) {
	rows, lines = 1, 1
	var free time.Duration
	for _, cue := range cues {
		if cue.Start < free {
			rows = 2
		}
		free = max(free, cue.End)
		lines = max(lines, len(cue.Lines))
	}
	return rows, lines
}

// write adds the events of all cues. A cue that begins before an earlier one has ended stands above it.
func (c captionWriter) write(s *script, cues []Cue) {
	var rows [2]time.Duration // when each row becomes free
	for _, cue := range cues {
		row := 0
		if cue.Start < rows[0] {
			if row = 1; cue.Start < rows[1] {
				cue.Start = rows[1]
			}
		}
		if cue.Start >= cue.End {
			continue
		}
		rows[row] = cue.End
		c.cue(s, cue, row)
	}
}

// cue adds one cue: an event for each of its words, with all words in it and that one as the spoken one. So a word can
// change in any way, and not only be filled like a karaoke syllable. A cue of plain lines is one event.
func (c captionWriter) cue(s *script, cue Cue, row int) {
	y := c.layout.captionBottom - row*int(c.layout.captionSize*rowHeight)
	place := fmt.Sprintf(`{\an2\pos(%d,%d)}`, c.layout.canvas.w/2, y)
	scale := c.shrink(cue)
	if c.style == engine.StyleLines {
		s.add(0, cue.Start-c.start, cue.End-c.start, c.letters, place+c.text(cue, -1, c.letters, scale))
		return
	}
	words := cue.Words()
	for i := range words {
		from, to := c.spoken(cue, words, i)
		if from >= to {
			continue
		}
		if c.style == engine.StyleBoxed {
			s.add(0, from, to, styleGhost, place+c.text(cue, i, styleGhost, scale))
		}
		s.add(1, from, to, c.letters, place+c.text(cue, i, c.letters, scale))
	}
}

// spoken returns from when to when a word is the spoken one: until the next one begins, so that one always is.
func (c captionWriter) spoken(cue Cue, words []transcript.Word, i int) (from, to time.Duration) {
	from, to = cue.Start, cue.End
	if i > 0 {
		from = min(max(words[i].Start, cue.Start), cue.End)
	}
	if i < len(words)-1 {
		to = min(max(words[i+1].Start, cue.Start), cue.End)
	}
	return from - c.start, to - c.start
}

// shrink returns by how much a cue has to be smaller for its widest line to fit; 1 for most. Too small a letter can't be
// read, so there is a limit, and behind it the line is cut by the picture's edge: 80 letters without a space are no word.
func (c captionWriter) shrink(cue Cue) float64 {
	widest := 0.0
	for _, line := range cue.Lines {
		widest = max(widest, textWidth(transcript.JoinWords(line, c.language)))
	}
	if c.style == engine.StylePop {
		widest *= 1.05 // the spoken word is larger
	}
	return min(1, max(0.25, c.layout.room(c.layout.captionSize)/max(widest, 1)))
}

// text returns the markup of a cue whose active-th word is being spoken.
func (c captionWriter) text(cue Cue, active int, style string, scale float64) string {
	m := markup{language: c.language, base: baseFont(c.language), size: c.layout.captionSize * scale, scaled: scale != 1}
	m.reset()
	n := 0
	for i, line := range cue.Lines {
		if i > 0 {
			m.b.WriteString(`\N`)
		}
		for j, w := range line {
			if j > 0 && spaced(line[j-1], w, c.language) {
				m.b.WriteByte(' ')
			}
			c.word(&m, w, n-active, style, active >= 0)
			n++
		}
	}
	return m.b.String()
}

// word writes a word: distance is 0 for the spoken one, negative for those before it.
func (c captionWriter) word(m *markup, w transcript.Word, distance int, style string, highlight bool) {
	open, closing := "", ""
	switch {
	case !highlight:
	case style == styleGhost && distance == 0:
		m.b.WriteString(`{\r` + styleHot + `}`)
		m.reset()
		m.text(w.Text)
		m.b.WriteString(`{\r}`)
		m.reset()
		return
	case style == styleGhost || c.style == engine.StyleBoxed:
	case distance == 0 && c.style == engine.StylePop:
		open, closing = `{\c`+gold+`\fscx110\fscy110}`, `{\c`+white+`\fscx100\fscy100}`
	case distance == 0:
		open, closing = `{\c`+gold+`}`, `{\c`+white+`}`
	case distance > 0 && c.style == engine.StyleKaraoke:
		open, closing = `{\c`+grey+`}`, `{\c`+white+`}`
	}
	m.b.WriteString(open)
	m.text(w.Text)
	m.b.WriteString(closing)
}

// markup writes text with the fonts that its scripts need.
type markup struct {
	b        strings.Builder
	language transcript.Language
	base     font    // of the style
	size     float64 // of Noto Sans
	scaled   bool    // the size isn't the style's
	font     font    // that is set
}

// reset says that the style's own font is set again.
func (m *markup) reset() {
	m.font = m.base
	if m.scaled {
		m.b.WriteString(`{\fs` + number(m.size*m.font.scale) + `}`)
	}
}

// text writes text that was cleaned.
func (m *markup) text(s string) {
	for _, r := range fontRuns(s, m.language) {
		if r.font != m.font {
			m.font = r.font
			m.b.WriteString(`{\fn` + r.font.family + `\fs` + number(m.size*r.font.scale) + `}`)
		}
		m.b.WriteString(escape(r.text))
	}
}
