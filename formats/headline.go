package formats

import (
	"strings"
	"time"
)

const (
	defaultTitle  = "Transcript"
	maxSpeakers   = 12 // named in the meta line
	metaSeparator = " · "
)

// headline returns the title of a document, which is never empty.
func (s script) headline() string {
	if s.title == "" {
		return defaultTitle
	}
	return s.title
}

// metaLine returns what stands below the title: date, duration, language and speakers, as far as they are known.
func (s script) metaLine(created time.Time) string {
	var parts []string
	if !created.IsZero() {
		parts = append(parts, created.UTC().Format(time.DateOnly))
	}
	if d := s.length(); d > 0 {
		parts = append(parts, clock(d.Round(time.Second)))
	}
	if name := s.Language.Name(); name != "" {
		parts = append(parts, name)
	}
	if names := s.speakers(); len(names) > 0 {
		list := strings.Join(names[:min(len(names), maxSpeakers)], ", ")
		if len(names) > maxSpeakers {
			list += ", …"
		}
		parts = append(parts, list)
	}
	return strings.Join(parts, metaSeparator)
}

// mark returns the time of the block that a paragraph begins, for headings and bookmarks at regular times: the block's
// start, and whether the paragraph is the first in it.
func mark(previous, start, every time.Duration) (time.Duration, bool) {
	block := start.Truncate(every)
	return block, previous < 0 || block > previous.Truncate(every)
}
