package fetch

import "strings"

// headBuffer keeps the first limit bytes that are written to it. It calls full once when there are more, and drops them.
type headBuffer struct {
	kept  []byte
	limit int
	full  func()
	cut   bool
}

func (b *headBuffer) Write(p []byte) (int, error) {
	room := b.limit - len(b.kept)
	b.kept = append(b.kept, p[:min(room, len(p))]...)
	if len(p) > room && !b.cut {
		b.cut = true
		b.full()
	}
	return len(p), nil
}

func (b *headBuffer) over() bool { return b.cut }

// tailBuffer keeps the last limit bytes that are written to it.
type tailBuffer struct {
	kept  []byte
	limit int
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - t.limit; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

func (t *tailBuffer) String() string { return strings.TrimSpace(string(t.kept)) }
