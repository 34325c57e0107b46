package backendtest

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Checkpoints implements engine.Checkpoints in memory. It rejects names and contexts that the port doesn't allow.
type Checkpoints struct {
	mu   sync.Mutex
	kept map[string][]byte
	fail error
}

var _ engine.Checkpoints = (*Checkpoints)(nil)

var checkpointName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// Load returns a copy of the stored value, or nil.
func (n *Checkpoints) Load(ctx context.Context, name string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.check(ctx, name); err != nil {
		return nil, err
	}
	return append([]byte(nil), n.kept[name]...), nil
}

// Save stores a copy of a value.
func (n *Checkpoints) Save(ctx context.Context, name string, note []byte) error {
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

func (n *Checkpoints) check(ctx context.Context, name string) error {
	if !checkpointName.MatchString(name) {
		return fmt.Errorf("invalid name %q", name)
	}
	if n.fail != nil {
		return n.fail
	}
	return ctx.Err()
}

// All returns all stored values by name.
func (n *Checkpoints) All() map[string]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make(map[string]string, len(n.kept))
	for name := range maps.Keys(n.kept) {
		all[name] = string(n.kept[name])
	}
	return all
}

// Fail makes every further call return err; nil restores normal behaviour.
func (n *Checkpoints) Fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail = err
}
