package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// jotter is Notes in memory, that takes only what Notes may be given.
type jotter struct {
	mu   sync.Mutex
	kept map[string][]byte
}

var _ engine.Notes = (*jotter)(nil)

// noteName is what a note may be called.
var noteName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

func (j *jotter) Note(ctx context.Context, name string) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !noteName.MatchString(name) {
		return nil, fmt.Errorf("%q is no name of a note", name)
	}
	return bytes.Clone(j.kept[name]), ctx.Err()
}

func (j *jotter) Keep(ctx context.Context, name string, note []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !noteName.MatchString(name) {
		return fmt.Errorf("%q is no name of a note", name)
	}
	j.kept[name] = bytes.Clone(note)
	return ctx.Err()
}
