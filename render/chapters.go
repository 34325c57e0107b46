package render

import (
	"slices"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Chapter is a part of the media with a title.
type Chapter = engine.Chapter

// chapter is the part of a Chapter that is in the result, in its time.
type chapter struct {
	from, to time.Duration
	title    string // never ""
	filler   bool   // it is what is before the first chapter
}

const (
	maxChapters       = 100         // of a result
	maxChapterTitle   = 200         // characters
	shortestChapter   = time.Second // at the edges of a window: less is a remainder of another chapter, or silence before a sentence
	titleOfBeginning  = "–"         // of what is before the first chapter, without a title of the file
	maxSourceChapters = 1000        // of the media: as many as a book of ten hours has
)

// chaptersIn returns the chapters of a window. beginning is the title of what is before the first one: players need a chapter at the start.
func chaptersIn(all []Chapter, w transcript.Window, beginning string) (in []chapter) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Chapter) int { return int(a.Start - b.Start) })
	for i, c := range all {
		to := w.End
		if i+1 < len(all) {
			to = min(to, all[i+1].Start)
		}
		from := max(c.Start, w.Start)
		if from >= to {
			continue
		}
		title := oneLine(c.Title, maxChapterTitle)
		if title == "" {
			title = strconv.Itoa(i + 1)
		}
		if in = append(in, chapter{from: from - w.Start, to: to - w.Start, title: title}); len(in) == maxChapters {
			in[len(in)-1].to = w.End - w.Start
			break
		}
	}
	return fillWindow(in, w.End-w.Start, beginning)
}

// fillWindow makes chapters cover a length from its start to its end.
func fillWindow(in []chapter, length time.Duration, beginning string) []chapter {
	if len(in) > 1 && in[0].from == 0 && in[0].to < shortestChapter {
		in = in[1:]
	}
	if last := len(in) - 1; last > 0 && length-in[last].from < shortestChapter {
		in = in[:last]
		in[last-1].to = length
	}
	switch {
	case len(in) == 0:
		return nil
	case in[0].from >= shortestChapter:
		if beginning == "" {
			beginning = titleOfBeginning
		}
		return append([]chapter{{to: in[0].from, title: beginning, filler: true}}, in...)
	}
	in[0].from = 0
	return in
}
