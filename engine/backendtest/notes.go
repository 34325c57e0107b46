package backendtest

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Notes are engine.Notes in memory that hold an adapter to what the port says of names and contexts.
type Notes struct {
	mu   sync.Mutex
	kept map[string][]byte
	fail error
}

var _ engine.Notes = (*Notes)(nil)

var noteName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// Note returns what is kept.
func (n *Notes) Note(ctx context.Context, name string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.check(ctx, name); err != nil {
		return nil, err
	}
	return append([]byte(nil), n.kept[name]...), nil
}

// Keep keeps a copy.
func (n *Notes) Keep(ctx context.Context, name string, note []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.check(ctx, name); err != nil {
		return err
	}
	if n.kept == nil {
		n.kept = map[string][]byte{}
	}
	n.kept[name] = append([]byte(nil), note...)
	return nil
}

func (n *Notes) check(ctx context.Context, name string) error {
	if !noteName.MatchString(name) {
		return fmt.Errorf("%q is no name of a note", name)
	}
	if n.fail != nil {
		return n.fail
	}
	return ctx.Err()
}

// Kept returns all that is kept, by name.
func (n *Notes) Kept() map[string]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make(map[string]string, len(n.kept))
	for name := range maps.Keys(n.kept) {
		all[name] = string(n.kept[name])
	}
	return all
}

// Fail makes every further use return an error; nil ends that.
func (n *Notes) Fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail = err
}
