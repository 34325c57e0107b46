package answer

import (
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Chapter is a line of a list of chapters.
type Chapter struct {
	Start time.Duration // whole seconds
	Title string        // on one line, without markdown
}

var (
	citedPlaces = lazyregexp.New(`\[\d+(?:\s*[,–-]\s*\d+)*\]`)
	escapedMark = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")
)

// Chapters reads a list of chapters as CheckChapters accepts it: lines such as "- 12:30 Questions". It skips other lines, chapters without a
// title, and those that are not after the one before them. It returns at most 300 chapters.
func Chapters(text string) (all []Chapter) {
	for line := range strings.Lines(text) {
		m := chapterLine.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		if m == nil {
			continue
		}
		c := Chapter{Start: time.Duration(timeOf(m[1:4])) * time.Second, Title: plainTitle(m[4])}
		if c.Title == "" || len(all) > 0 && c.Start <= all[len(all)-1].Start {
			continue
		}
		if all = append(all, c); len(all) == maxItems {
			break
		}
	}
	return all
}

// plainTitle returns what is behind the time of a chapter without separators, emphasis, citations, and escapes.
func plainTitle(s string) string {
	const around = " \t*_:–—-|)]"
	s = citedPlaces.ReplaceAllString(s, "")
	s = strings.TrimLeft(s, around)
	s = strings.TrimRight(s, " \t*_")
	return strings.Join(strings.Fields(escapedMark.ReplaceAllString(strings.NewReplacer("**", "", "__", "").Replace(s), "$1")), " ")
}
