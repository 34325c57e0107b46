package s3

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// copyIdle is how long a local copy that nobody holds is kept for the next step of the same job.
const copyIdle = 10 * time.Minute

// copies are local files with the bytes of blobs. Their size together never exceeds a quota.
type copies struct {
	dir   string
	own   bool // dir is removed at the end
	quota int64

	mu      sync.Mutex
	files   map[string]*localCopy // by id
	used    int64                 // bytes, also of files that are being written
	changed chan struct{}         // closed when a file is released
}

// localCopy is one file.
type localCopy struct {
	path    string
	size    int64
	holders int
	ready   chan struct{} // closed when it is written, or failed
	err     error
	idle    time.Time // when the last holder released it
}

func newCopies(dir string, quota int64) (*copies, error) {
	c := &copies{dir: dir, quota: quota, files: map[string]*localCopy{}, changed: make(chan struct{})}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, copyFailure(err)
		}
		return c, nil
	}
	var err error
	c.dir, err = os.MkdirTemp("", "soundstage-media-")
	c.own = true
	return c, copyFailure(err)
}

// hold returns the path of a copy, which stays until release is called. fetch writes it if there is none; others that want the same copy
// wait for it. It waits while the copies that are held leave too little of the quota. CodeNoSpace for a size above the quota.
func (c *copies) hold(ctx context.Context, id string, size int64, fetch func(context.Context, io.Writer) error) (path string, release func(), err error) {
	if size > c.quota {
		return "", nil, engine.Errorf(engine.CodeNoSpace, "", "The media has %d bytes, but local copies may have %d.", size, c.quota).
			WithHint("Raise the quota of local copies.")
	}
	for {
		file, first, wait := c.claim(id, size)
		switch {
		case first:
			file.err = c.fetch(ctx, file, fetch)
			close(file.ready)
		case file != nil:
			wait = file.ready
		}
		if !first {
			select {
			case <-wait:
			case <-ctx.Done():
				if file != nil {
					c.release(id, file)
				}
				return "", nil, context.Cause(ctx)
			}
		}
		if file == nil {
			continue
		}
		if file.err == nil {
			return file.path, sync.OnceFunc(func() { c.release(id, file) }), nil
		}
		c.release(id, file)
		if first || engine.CodeOf(file.err) != engine.CodeCanceled { // else only the other one was canceled
			return "", nil, file.err
		}
	}
}

// claim holds a copy. first says that the caller must write it. Without a file, there is too little space until wait is closed.
func (c *copies) claim(id string, size int64) (file *localCopy, first bool, wait chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if file, ok := c.files[id]; ok {
		file.holders++
		return file, false, nil
	}
	c.evict(size)
	if c.used+size > c.quota {
		return nil, false, c.changed
	}
	file = &localCopy{size: size, holders: 1, ready: make(chan struct{})}
	c.files[id], c.used = file, c.used+size
	return file, true, nil
}

// evict removes copies that nobody holds until there is space for size bytes, those first that have been idle longest.
func (c *copies) evict(size int64) {
	for c.used+size > c.quota {
		oldest := ""
		for id, file := range c.files {
			if file.holders == 0 && (oldest == "" || file.idle.Before(c.files[oldest].idle)) {
				oldest = id
			}
		}
		if oldest == "" {
			return
		}
		c.drop(oldest)
	}
}

// drop removes a copy that nobody holds.
func (c *copies) drop(id string) {
	file := c.files[id]
	delete(c.files, id)
	c.used -= file.size
	if file.path != "" {
		_ = os.Remove(file.path)
	}
}

func (c *copies) release(id string, file *localCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	file.holders--
	if file.holders > 0 || c.files[id] != file {
		return
	}
	file.idle = time.Now()
	close(c.changed)
	c.changed = make(chan struct{})
	if file.err != nil {
		c.drop(id)
		return
	}
	time.AfterFunc(copyIdle, func() { c.expire(id, file) })
}

// expire removes a copy that nobody has held for copyIdle.
func (c *copies) expire(id string, file *localCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files[id] == file && file.holders == 0 && time.Since(file.idle) >= copyIdle {
		c.drop(id)
	}
}

// fetch writes a copy.
func (c *copies) fetch(ctx context.Context, file *localCopy, fetch func(context.Context, io.Writer) error) error {
	out, err := os.CreateTemp(c.dir, "soundstage-*.media")
	if err != nil {
		return copyFailure(err)
	}
	file.path, err = filepath.Abs(out.Name())
	if err == nil {
		err = fetch(ctx, out)
	}
	return copyFailure(errors.Join(err, out.Close()))
}

// close removes all copies.
func (c *copies) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.files {
		c.drop(id)
	}
	if c.own {
		return copyFailure(os.RemoveAll(c.dir))
	}
	return nil
}

func copyFailure(err error) error {
	var known *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case fault.NoSpace(err):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full, so the media could not be copied.").
			WithHint("Free some space, or lower the quota of local copies.").Because(err).Transient()
	}
	return engine.Errorf(engine.CodeUnavailable, "", "The folder for local copies is not writable.").WithHint("Check its permissions, or choose another one.").Because(err)
}

// Hold returns the path of a file with the blob's bytes, for programs that can't read ranges. It stays until release is called.
func (p pinned) Hold(ctx context.Context, key string) (path string, release func(), err error) {
	return p.copies.hold(ctx, key+mark+p.etag, p.size, func(ctx context.Context, to io.Writer) error {
		from, err := p.Open(ctx, key, 0, -1)
		if err != nil {
			return err
		}
		defer func() { _ = from.Close() }()
		return blob.Copy(ctx, to, from)
	})
}
