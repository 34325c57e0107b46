package fetch

import "strings"

// bounded keeps what is written to it up to a limit, and calls full once when more comes. What comes then is dropped.
type bounded struct {
	kept  []byte
	limit int
	full  func()
	cut   bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - len(b.kept)
	b.kept = append(b.kept, p[:min(room, len(p))]...)
	if len(p) > room && !b.cut {
		b.cut = true
		b.full()
	}
	return len(p), nil
}

func (b *bounded) over() bool { return b.cut }

// tail keeps the end of what is written to it.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - t.limit; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.kept)) }
