package writer

import (
	"fmt"
	"strings"
	"time"
)

// escape escapes a line so that markdown shows it verbatim, even at the start of a block (CommonMark, "Backslash escapes").
func escape(s string) string {
	var b strings.Builder
	digits := true // whether all characters so far are digits
	for i, r := range s {
		begins := i == 0 && strings.ContainsRune("#+-=", r)
		numbers := digits && i > 0 && (r == '.' || r == ')')
		if begins || numbers || strings.ContainsRune("\\`*_[]<>&~|", r) {
			b.WriteByte('\\')
		}
		digits = digits && '0' <= r && r <= '9'
		b.WriteRune(r)
	}
	return b.String()
}

// clock formats a time as m:ss, or as h:mm:ss from 1 h.
func clock(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// bullets returns a markdown list.
func bullets(items []string) string {
	return "- " + strings.Join(items, "\n- ")
}

// paragraphs joins the blocks that aren't empty.
func paragraphs(blocks ...string) string {
	var full []string
	for _, b := range blocks {
		if b != "" {
			full = append(full, b)
		}
	}
	return strings.Join(full, "\n\n")
}
