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
	toLeft   bool          // most of what is said is read from right to left
	mixed    bool          // a part of it is
	start    time.Duration // of the window: time 0 of the script
}

// rowHeight is the distance between two rows of captions, in font sizes.
const rowHeight = 2.3

// extent returns how many rows the cues need, and the most lines of a cue.
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

// write adds the events of all cues. A cue that starts before the previous one ends goes into the row above it.
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

// cue adds one cue: an event for each word, which shows all words with that one highlighted. So the spoken word can change
// in any way, not only fill like a karaoke syllable. In the style "lines", a cue is one event.
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

// spoken returns when a word is highlighted: until the next word starts, so that one word always is.
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

// shrink returns the factor by which a cue must shrink for its widest line to fit; 1 for most cues. The factor is at least
// 0.25, since smaller letters are unreadable; wider lines are cut off at the edge of the picture.
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

// text returns the markup of a cue while its word number active is spoken.
func (c captionWriter) text(cue Cue, active int, style string, scale float64) string {
	m := markup{language: c.language, base: baseFont(c.language), size: c.layout.captionSize * scale, scaled: scale != 1}
	m.reset()
	n, toLeft := 0, c.mixed && (c.toLeft || rightToLeft(cue.Words(), c.language))
	for i, line := range cue.Lines {
		if i > 0 {
			m.b.WriteString(`\N`)
		}
		if c.mixed {
			m.b.WriteString(directionMark(transcript.JoinWords(line, c.language), toLeft))
		}
		var marked []string
		if toLeft {
			marked = balanced(textsOf(line))
		}
		for j, w := range line {
			if j > 0 && spaced(line[j-1], w, c.language) {
				m.b.WriteByte(' ')
			}
			if toLeft {
				w.Text = marked[j]
			}
			c.word(&m, w, n-active, style, active >= 0)
			n++
		}
	}
	return m.b.String()
}

func textsOf(words []transcript.Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return texts
}

// word writes a word. distance is 0 for the spoken word and negative for words before it.
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

// markup writes text and selects the fonts that its scripts need.
type markup struct {
	b        strings.Builder
	language transcript.Language
	base     font    // font of the style
	size     float64 // font size for Noto Sans
	scaled   bool    // the size differs from the style's
	font     font    // current font
}

// reset records that the style's own font applies again.
func (m *markup) reset() {
	m.font = m.base
	if m.scaled {
		m.b.WriteString(`{\fs` + number(m.size*m.font.scale) + `}`)
	}
}

// text writes cleaned text.
func (m *markup) text(s string) {
	for _, r := range fontRuns(s, m.language) {
		if r.font != m.font {
			m.font = r.font
			m.b.WriteString(`{\fn` + r.font.family + `\fs` + number(m.size*r.font.scale) + `}`)
		}
		m.b.WriteString(escape(r.text))
	}
}
