package files

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Verifier compares files with their SHA-256 before they are read, and remembers the result while a file keeps its identity, size,
// and modification time. The zero value is ready to use. It is safe for concurrent use.
type Verifier struct {
	mu   sync.Mutex
	seen map[string]verdict       // by path
	busy map[string]chan struct{} // by path; closed when its file has been read
}

// verdict is the result of reading a file.
type verdict struct {
	key   string
	state os.FileInfo
	err   error // nil if the file is right
}

// maxSeen is how many verdicts a Verifier remembers. It then starts again.
const maxSeen = 10_000

// Verify returns CodeUnavailable unless the file has the SHA-256 want. It reads the file at most once, even for concurrent calls. The
// file's offset doesn't change. Damaged returns the key of a damaged file.
func (v *Verifier) Verify(ctx context.Context, key string, file *os.File, want [32]byte) error {
	path := file.Name()
	for {
		state, err := file.Stat()
		if err != nil {
			return failure(err)
		}
		known, wait, turn := v.begin(path, state)
		switch {
		case known != nil:
			return known.err
		case turn == nil:
			select {
			case <-wait:
				continue
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		err = compare(ctx, file, state.Size(), want)
		if err == nil || isDamage(err) {
			v.remember(path, verdict{key, state, failure(err)})
		}
		if v.end(path, turn); ctx.Err() != nil && !isDamage(err) {
			return err
		}
		return failure(err)
	}
}

// begin returns the verdict on a file that hasn't changed since, or a channel to wait for another caller, or the caller's turn.
func (v *Verifier) begin(path string, state os.FileInfo) (known *verdict, wait, turn chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if seen, ok := v.seen[path]; ok && unchanged(seen.state, state) {
		return &seen, nil, nil
	}
	if wait, ok := v.busy[path]; ok {
		return nil, wait, nil
	}
	if v.busy == nil {
		v.busy = map[string]chan struct{}{}
	}
	turn = make(chan struct{})
	v.busy[path] = turn
	return nil, nil, turn
}

func (v *Verifier) end(path string, turn chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.busy, path)
	close(turn)
}

func (v *Verifier) remember(path string, found verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = map[string]verdict{}
	}
	if len(v.seen) >= maxSeen {
		maps.DeleteFunc(v.seen, func(_ string, old verdict) bool { return old.err == nil })
	}
	v.seen[path] = found
}

func unchanged(old, now os.FileInfo) bool {
	return os.SameFile(old, now) && old.Size() == now.Size() && old.ModTime().Equal(now.ModTime())
}

// Damaged returns the keys of files that were found damaged and haven't been changed or removed since, sorted.
func (v *Verifier) Damaged() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	keys := map[string]bool{}
	for path, found := range v.seen {
		if found.err == nil {
			continue
		}
		if now, err := os.Stat(path); err != nil || !unchanged(found.state, now) {
			delete(v.seen, path)
			continue
		}
		keys[found.key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// compare reads a file and compares its SHA-256.
func compare(ctx context.Context, file *os.File, size int64, want [32]byte) error {
	h := sha256.New()
	if err := blob.Copy(ctx, h, io.NewSectionReader(file, 0, size)); err != nil {
		return err
	}
	return compareSum(file.Name(), h, want)
}

func compareSum(path string, h hash.Hash, want [32]byte) error {
	if got := [32]byte(h.Sum(nil)); got != want {
		return &damagedError{fmt.Sprintf("%s has the SHA-256 %x, want %x", path, got, want)}
	}
	return nil
}

// Reader reads a whole file of size bytes from its start. It compares the bytes with want as it reads them: the last Read of a damaged
// file returns no bytes but CodeUnavailable, so that nobody gets the whole file. Close closes the file.
func (v *Verifier) Reader(key string, file *os.File, size int64, want [32]byte) io.ReadCloser {
	return &verifiedReader{Closer: file, from: io.NewSectionReader(file, 0, size), left: size, hash: sha256.New(), end: func(h hash.Hash) error {
		err := failure(compareSum(file.Name(), h, want))
		if state, statErr := file.Stat(); err != nil && statErr == nil {
			v.remember(file.Name(), verdict{key, state, err})
		}
		return err
	}}
}

type verifiedReader struct {
	io.Closer
	from io.Reader
	left int64
	hash hash.Hash
	end  func(hash.Hash) error // compares
	err  error                 // of the end
}

func (r *verifiedReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.from.Read(p)
	r.hash.Write(p[:n])
	if r.left -= int64(n); n > 0 && r.left == 0 || errors.Is(err, io.EOF) && r.left > 0 {
		if r.err = r.end(r.hash); r.err != nil {
			return 0, r.err
		}
	}
	return n, err
}

// damagedError says which file is damaged, and how.
type damagedError struct{ what string }

func (e *damagedError) Error() string { return "files: " + e.what }

func isDamage(err error) bool {
	var damaged *damagedError
	return errors.As(err, &damaged)
}

// damageError returns the error for a damaged file.
func damageError(err error) error {
	return engine.Errorf(engine.CodeUnavailable, "", "The stored file is damaged.").
		WithHint("Stop the server, run `soundstage verify DIR` to see what is damaged, then `soundstage repair DIR` or restore a backup.").Because(err)
}
