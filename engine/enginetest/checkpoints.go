package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// memoryCheckpoints implements engine.Checkpoints in memory and rejects invalid names.
type memoryCheckpoints struct {
	mu   sync.Mutex
	kept map[string][]byte
}

var _ engine.Checkpoints = (*memoryCheckpoints)(nil)

// checkpointName matches a valid name.
var checkpointName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

func (j *memoryCheckpoints) Load(ctx context.Context, name string) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !checkpointName.MatchString(name) {
		return nil, fmt.Errorf("invalid name %q", name)
	}
	return bytes.Clone(j.kept[name]), ctx.Err()
}

func (j *memoryCheckpoints) Save(ctx context.Context, name string, note []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !checkpointName.MatchString(name) {
		return fmt.Errorf("invalid name %q", name)
	}
	j.kept[name] = bytes.Clone(note)
	return ctx.Err()
}
