package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// fault is what goes wrong in a call of a port.
type fault int

const (
	fine     fault = iota
	busy           // 429 or 503: retryable, often with Retry-After
	broken         // permanent
	hangs          // no answer until the deadline, and sometimes not even then
	garbled        // an answer that makes no sense
	halfway        // a part of the answer, then an error
	panics         // a bug in an adapter
	lost           // it took effect, but the answer is lost
	repeated       // a transaction that ran twice
)

// fault decides what goes wrong in a call, if anything.
func (p *process) fault(ctx context.Context, port string, possible ...fault) fault {
	if p.reliable || !p.sim.stormy() || !p.percent(ctx, p.sim.weather[port], port) {
		return fine
	}
	return possible[p.below(ctx, len(possible), port+" fault")]
}

// work is the duration of work. It ends early when ctx is done, unless the backend is stubborn.
func (p *process) work(ctx context.Context, longest time.Duration) {
	length := p.span(ctx, longest, "length")
	if p.percent(ctx, 20, "stubborn") {
		ctx = context.WithoutCancel(ctx)
	}
	p.sleep(ctx, length)
}

var errHung = errors.New("i/o timeout")

// fail returns the error of a fault, or nil for those that only the caller can carry out.
func (p *process) fail(ctx context.Context, f fault, permanent engine.Code) error {
	switch f {
	case busy:
		err := engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
		if wait := p.span(ctx, time.Minute, "retry"); wait > 30*time.Second {
			err = engine.Errorf(engine.CodeRateLimited, "", "Slow down.").After(wait)
		}
		return err
	case broken:
		return engine.Errorf(permanent, "", "Broken.")
	case hangs:
		p.work(ctx, 20*time.Minute)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return errHung
	case panics:
		panic("a bug")
	}
	return nil
}

// shakyStore is the store of a process.
type shakyStore struct{ *process }

var (
	errPartition = engine.Errorf(engine.CodeUnavailable, "", "The database can't be reached.").Transient()
	errLost      = engine.Errorf(engine.CodeUnavailable, "", "The connection broke during the commit.").Transient()
)

func (s shakyStore) Exclusive() bool { return s.exclusive }

func (s shakyStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if err := s.enter(ctx, "view"); err != nil {
		return err
	}
	if s.fault(ctx, "store", busy) != fine || !s.connected() {
		return errPartition
	}
	return s.sim.rows.View(ctx, func(tx engine.ReadTx) error {
		if s.sim.tamperRead != nil {
			tx = s.sim.tamperRead(tx)
		}
		return fn(tx)
	})
}

func (s shakyStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if err := s.enter(ctx, "update"); err != nil {
		return err
	}
	if !s.connected() {
		return errPartition
	}
	switch s.fault(ctx, "store", busy, lost, lost, repeated, hangs) {
	case busy:
		return errPartition
	case hangs:
		s.sleep(context.Background(), s.span(ctx, time.Minute, "hang"))
		if s.isDead() {
			return errDead
		}
	case repeated:
		_ = s.sim.rows.Update(ctx, func(tx engine.Tx) error { return errors.Join(fn(tx), errPartition) })
	case lost:
		if err := s.sim.update(ctx, s.process, fn); err != nil {
			return err
		}
		s.sleep(context.Background(), s.span(ctx, 5*time.Second, "lost"))
		return errLost
	}
	return s.sim.update(ctx, s.process, fn)
}

// shakyBlobs are the blobs of a process.
type shakyBlobs struct{ *process }

func (b shakyBlobs) disturb(ctx context.Context, op string) error {
	if err := b.enter(ctx, op); err != nil {
		return err
	}
	switch b.fault(ctx, "blobs", busy, broken) {
	case busy:
		return engine.Errorf(engine.CodeUnavailable, "", "The disk does not answer.").Transient()
	case broken:
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.")
	}
	return nil
}

func (b shakyBlobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := b.disturb(ctx, "create"); err != nil {
		return nil, err
	}
	w, err := b.sim.blobs.Create(ctx, key, meta)
	if err == nil {
		b.writers.Add(1)
	}
	return &shakyWriter{BlobWriter: w, process: b.process, ctx: ctx}, err
}

func (b shakyBlobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	if err := b.disturb(ctx, "open"); err != nil {
		return nil, err
	}
	r, err := b.sim.blobs.Open(ctx, key, off, n)
	if err == nil && b.fault(ctx, "blobs", halfway) == halfway {
		return io.NopCloser(io.MultiReader(io.LimitReader(r, 2), failingReader{})), nil
	}
	return r, err
}

// failingReader fails.
type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (b shakyBlobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	if err := b.disturb(ctx, "stat"); err != nil {
		return engine.BlobInfo{}, err
	}
	if b.sim.hasty {
		_ = b.sim.blobs.Delete(ctx, key)
	}
	return b.sim.blobs.Stat(ctx, key)
}

func (b shakyBlobs) Delete(ctx context.Context, key string) error {
	if err := b.disturb(ctx, "delete"); err != nil {
		return err
	}
	if b.sim.undeletable {
		return nil
	}
	err := b.sim.blobs.Delete(ctx, key)
	if b.fault(ctx, "blobs", lost) == lost {
		return errLost
	}
	return err
}

func (b shakyBlobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	if err := b.disturb(ctx, "list"); err != nil {
		return err
	}
	return b.sim.blobs.List(ctx, prefix, fn)
}

// shakyWriter fails sometimes, and does nothing after the death of its process.
type shakyWriter struct {
	engine.BlobWriter
	*process
	ctx  context.Context
	over bool
}

func (w *shakyWriter) end() {
	if !w.over {
		w.over = true
		w.writers.Add(-1)
	}
}

func (w *shakyWriter) Write(b []byte) (int, error) {
	if w.fault(w.ctx, "blobs", broken) == broken {
		n, _ := w.BlobWriter.Write(b[:len(b)/2])
		return n, engine.Errorf(engine.CodeNoSpace, "", "The disk is full.")
	}
	return w.BlobWriter.Write(b)
}

func (w *shakyWriter) Commit() (engine.BlobInfo, error) {
	if err := w.enter(w.ctx, "commit"); err != nil {
		return engine.BlobInfo{}, err
	}
	if w.fault(w.ctx, "blobs", broken) == broken {
		return engine.BlobInfo{}, fmt.Errorf("sync: %w", io.ErrShortWrite)
	}
	w.end()
	return w.BlobWriter.Commit()
}

func (w *shakyWriter) Abort() error {
	if w.sim.careless {
		return nil
	}
	w.end()
	return w.BlobWriter.Abort()
}
