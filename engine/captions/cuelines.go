package captions

import "strings"

// lineWriter writes the lines of an utterance's cues into one text, which takes less time than one for each line.
type lineWriter struct {
	*breaker
	text strings.Builder
}

func (b *breaker) newLineWriter() *lineWriter {
	size := 0
	for i := range b.tokens {
		size += len(b.tokens[i].gap) + len(b.tokens[i].Text)
	}
	w := &lineWriter{breaker: b}
	w.text.Grow(size)
	return w
}

// cue returns the cue of words i to j-1, with its times and lines.
func (w *lineWriter) cue(i, j, first, lines int) Cue {
	c := Cue{Start: w.tokens[i].Start, Lines: make([]Line, 0, 2)}
	for i < j {
		lower := i + 1
		_, end, _ := w.splitLine(i, j, first, lines, &lower)
		c.Lines = append(c.Lines, w.line(i, end))
		for k := i; k < end; k++ {
			if t := &w.tokens[k]; c.End == 0 || !t.closes() {
				c.End = max(c.End, t.End)
			}
		}
		i, first, lines = end, w.o.Columns, lines-1
	}
	return c
}

// line returns words i to j-1 as a line.
func (w *lineWriter) line(i, j int) Line {
	from := w.text.Len()
	for k := i; k < j; k++ {
		t := &w.tokens[k]
		if k > i {
			w.text.WriteString(t.gap)
		}
		w.text.WriteString(t.Text)
	}
	return Line{Text: w.text.String()[from:], Words: w.words[i:j:j]}
}
