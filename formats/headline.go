package formats

import (
	"strings"
	"time"
)

const (
	defaultTitle  = "Transcript"
	maxSpeakers   = 12 // most names in the meta line
	metaSeparator = " · "
)

// headline returns the title of a document. It is never empty.
func (s script) headline() string {
	if s.title == "" {
		return defaultTitle
	}
	return s.title
}

// metaLine returns the line below the title: date, duration, language and speakers, if known.
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

// blockStart returns the start of the block that a paragraph is in, and whether the paragraph is the first in its block. Blocks
// are used for headings and bookmarks at regular times.
func blockStart(previous, start, every time.Duration) (time.Duration, bool) {
	block := start.Truncate(every)
	return block, previous < 0 || block > previous.Truncate(every)
}
