package answer

import (
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var (
	chapterLine = lazyregexp.New(`^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?[*_(\[]{0,3}(\d{1,3}):(\d{2})(?::(\d{2}))?(?:\s*[–—-]\s*\d{1,3}:\d{2}(?::\d{2})?)?\b(.*)$`)
	listItem    = lazyregexp.New(`^ ?(?:[-*+•]|\d{1,3}[.)])\s+(.*)$`)
)

// CheckChapters returns what is wrong with a list of chapters. Each begins with the time of an utterance and has a title, and the times ascend.
func (s *Source) CheckChapters(text string) []Fault {
	var f faults
	s.checkCitations(&f, text, false)
	count, last := 0, -1
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		m := chapterLine.FindStringSubmatch(line)
		if m == nil {
			if listItem.MatchString(line) {
				f.add(FaultChapter, "This line doesn't begin with a place: “%s”", line)
			}
			continue
		}
		if count++; count > maxItems {
			f.add(FaultChapter, "There are more than %d chapters.", maxItems)
			break
		}
		at := timeOf(m[1:4])
		switch {
		case !s.starts[at]:
			f.add(FaultChapter, "No line of the transcript begins at this place: “%s”", line)
		case at <= last:
			f.add(FaultOrder, "This chapter is not after the one before it: “%s”", line)
		case letters(m[4]) == "":
			f.add(FaultChapter, "A chapter has no title.")
		}
		last = max(last, at)
	}
	if count == 0 {
		f.add(FaultNothing, "There is no chapter: a line that begins with a place and has a title.")
	}
	return f
}
