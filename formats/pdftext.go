package formats

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// bookmarkEvery is the distance between bookmarks of a document without chapters.
const bookmarkEvery = 5 * time.Minute

// transcript adds the paragraphs, by chapter.
func (l *pdfLayout) transcript(s document, o Options, titled bool) {
	marks := s.length() > bookmarkEvery && !o.OmitTimestamps && len(s.chapters) == 0
	level := 0
	if titled {
		level = 1
	}
	previous := time.Duration(-1)
	for _, section := range s.sections() {
		if section.titled {
			l.heading("H3", section.chapter.Title, chapterStyle)
		}
		for _, p := range section.paragraphs {
			mark := ""
			if block, first := blockStart(previous, p.Start, bookmarkEvery); first && marks {
				mark = clock(block)
			}
			l.paragraph(p, o, mark, level)
			previous = p.Start
			if l.err != nil {
				return
			}
		}
	}
}

// paragraph adds a line with speaker and time, and the text. The line stays on one page with the first two lines of text.
// A bookmark leads to it unless mark is empty.
func (l *pdfLayout) paragraph(p captions.Utterance, o Options, mark string, level int) {
	text := l.lines(p.Text, bodyStyle, l.full())
	var name []typeset.Line
	if p.Name != "" {
		name = l.name(p.Name)
	}
	named := len(name) > 0 || !o.OmitTimestamps
	need := 0.6*textSize + l.height(min(len(text), 2), bodyStyle)
	if named {
		need += 2 + l.height(max(len(name), 1), nameStyle)
	}
	l.begin(need)
	if mark != "" {
		l.bookmark(mark, level)
	}
	element := l.tree.add("P", documentElement)
	if !l.atTop() {
		l.y -= 0.6 * textSize
	}
	if named {
		if len(name) > 0 {
			l.put(l.tree.add("Span", element), name, nameStyle, l.full())
		}
		if !o.OmitTimestamps {
			l.time(l.clock(p.Start), name, element)
		}
		l.y -= 2
	}
	l.putLinked(element, p.Text, text, bodyStyle, l.full(), linksIn(p.Text))
}

// name returns the lines of a name. Few speakers have many paragraphs.
func (l *pdfLayout) name(name string) []typeset.Line {
	lines, ok := l.names[name]
	if !ok {
		lines = l.lines(name+" ", nameStyle, l.full()) // screen readers pause at the space
		l.names[name] = lines
	}
	return lines
}

// clock returns the line of a time. Each of its characters is shaped once: every paragraph has another time.
func (l *pdfLayout) clock(t time.Duration) typeset.Line {
	var line typeset.Line
	text := clock(t) + " "
	for i := range text {
		c := text[i : i+1]
		shaped, ok := l.digits[c]
		if !ok {
			shaped = l.lines(c, timeStyle, l.full())[0]
			l.digits[c] = shaped
		}
		line.Glyphs = append(line.Glyphs, shaped.Glyphs...)
		line.Width += shaped.Width
	}
	return line
}

// time adds the time after the name, or on a separate line if there is no name or not enough space.
func (l *pdfLayout) time(line typeset.Line, name []typeset.Line, element int) {
	c := l.full()
	after := c
	if n := len(name); n > 0 && !name[n-1].RTL {
		after.left += name[n-1].Width*nameStyle.size/1000 + timeGap
	}
	if len(name) == 0 || after.left+line.Width*timeStyle.size/1000 > c.right {
		l.y -= l.height(1, nameStyle)
		after = c
	}
	l.draw(line, timeStyle, after, element)
}
