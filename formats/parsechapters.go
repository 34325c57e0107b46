package formats

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Limits of a file of chapters.
const (
	maxChapterFile = 4 << 20 // bytes
	maxChapters    = 10_000
)

// ParseChapters reads chapters, which are sorted by start: the JSON of the podcast namespace
// (https://github.com/Podcastindex-org/podcast-namespace, version 1.2), or lines of times and titles, as in descriptions of videos and in
// the outputs of the engine:
//
//	00:00 Welcome
//	- 1:02:30 Questions
//
// JSON chapters that aren't for tables of contents ("toc": false) are skipped. Invalid files are CodeInvalid with the line or the chapter;
// more than 4 MiB or 10,000 chapters are CodeTooLarge.
func ParseChapters(r io.Reader) ([]Chapter, error) {
	text, _, err := readText("ParseChapters", r, maxChapterFile)
	if err != nil {
		return nil, err
	}
	read := chapterLines
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		read = chapterJSON
	}
	chapters, err := read(text)
	switch {
	case err != nil:
		return nil, err
	case len(chapters) == 0:
		return nil, chapterError("The file has no chapters.")
	case len(chapters) > maxChapters:
		return nil, fault.Errorf(fault.CodeTooLarge, "ParseChapters", "The file has %d chapters; at most %d are allowed.", len(chapters), maxChapters)
	}
	slices.SortStableFunc(chapters, byStart)
	return chapters, nil
}

func chapterError(format string, args ...any) error {
	return fault.Errorf(fault.CodeInvalid, "ParseChapters", format, args...).
		WithHint(`Use lines such as "00:12:30 Questions", or the JSON chapters of podcasts.`)
}

func chapterJSON(text []byte) ([]Chapter, error) {
	var file struct {
		Chapters []struct {
			StartTime *float64 `json:"startTime"`
			Title     string   `json:"title"`
			Image     string   `json:"img"`
			Link      string   `json:"url"`
			TOC       *bool    `json:"toc"`
		} `json:"chapters"`
	}
	if err := decode(text, &file); err != nil {
		return nil, err
	}
	var all []Chapter
	for i, c := range file.Chapters {
		switch {
		case c.StartTime == nil:
			return nil, chapterError("Chapter %d has no startTime.", i+1)
		case *c.StartTime < 0 || *c.StartTime >= captions.MaxTime.Seconds():
			return nil, chapterError("The startTime of chapter %d must be at least 0 and less than 10,000 hours (got %g).", i+1, *c.StartTime)
		case c.TOC == nil || *c.TOC:
			all = append(all, Chapter{
				Start: seconds(*c.StartTime), Title: captions.CleanText(c.Title),
				Image: linkOf(captions.CleanText(c.Image)), Link: linkOf(captions.CleanText(c.Link)),
			})
		}
	}
	return all, nil
}

// A list mark, a time that may be in brackets, a dash or colon, and the title.
var chapterLine = lazyregexp.New(`^(?:[-*•]\s+)?[\[(]?(?:([0-9]{1,5}):)?([0-9]{1,5}):([0-9]{2})(?:[.,]([0-9]{1,9}))?[\])]?(?:\s*[-–—:|])?\s+(\S.*)$`)

var markdownEscape = lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{-~])`)

func chapterLines(text []byte) ([]Chapter, error) {
	var all []Chapter
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := chapterLine.FindStringSubmatch(line)
		if m == nil {
			return nil, chapterError("line %d: expected a time and a title.", n)
		}
		hours, _ := strconv.ParseInt("0"+m[1], 10, 64)
		minutes, _ := strconv.ParseInt(m[2], 10, 64)
		secs, _ := strconv.ParseInt(m[3], 10, 64)
		if m[1] == "" {
			hours, minutes = minutes/60, minutes%60 // 75:30
		}
		start, reason := timeOf(hours, minutes, secs)
		if reason != "" {
			return nil, chapterError("line %d: %s.", n, reason)
		}
		fraction, _ := leadingFraction(m[4])
		title := markdownEscape.ReplaceAllString(strings.TrimSpace(m[5]), "$1")
		all = append(all, Chapter{Start: (start + fraction).Round(time.Millisecond), Title: captions.CleanText(title)})
	}
	return all, nil
}
