package main

import (
	"cmp"
	"context"
	"sync"
	"time"

	assisted "github.com/soundstage-dev/soundstage/assistant/library"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/render"
)

// shelf opens a library for the calls of an assistant. It closes it soon after the last one, because only one process can have it open.
type shelf struct {
	base context.Context // of all calls
	stop context.CancelFunc
	work *workFlags
	made *backends.Backends
	std  streams
	wait time.Duration // how long a call waits while another process has the library

	mu     sync.Mutex
	opened *openedLibrary // nil when closed
	users  int
	idle   *time.Timer
	over   bool
	left   chan struct{} // closed when it is over and nobody uses it

	adding sync.Map // what is being added: a channel by external id
}

// openedLibrary is a library that a goroutine holds open.
type openedLibrary struct {
	*worker
	ctx     context.Context // ends when the library closes
	end     context.CancelCauseFunc
	start   func() // starts the work, once
	closed  chan struct{}
	outcome error // after closed
}

const (
	shelfIdle  = 2 * time.Second        // how long a library stays open without a call
	shelfWait  = 5 * time.Second        // longer than shelfIdle, so that assistants take turns
	shelfRetry = 100 * time.Millisecond // between two attempts
)

func newShelf(ctx context.Context, work *workFlags, made *backends.Backends, std streams) *shelf {
	s := &shelf{work: work, made: made, std: std, wait: shelfWait, left: make(chan struct{})}
	s.base, s.stop = context.WithCancel(ctx)
	return s
}

// with calls fn with the open library. ctx of fn also ends when the library closes.
func (s *shelf) with(ctx context.Context, need assisted.Need, fn func(context.Context, *worker) error) error {
	if need == assisted.Rendering {
		if err := (render.FFmpeg{}).Check(ctx); err != nil {
			return err
		}
	}
	o, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer s.release()
	if need > assisted.Reading {
		o.start()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(o.ctx, cancel)()
	defer context.AfterFunc(s.base, cancel)()
	err = fn(ctx, o.worker)
	if cause := context.Cause(o.ctx); err != nil && cause != nil {
		err = cmp.Or(cause, err) // the engine stopped
	}
	return err
}

// acquire opens the library unless it is open. It waits for another process that has it for a moment.
func (s *shelf) acquire(ctx context.Context) (*openedLibrary, error) {
	limit := time.Now().Add(s.wait)
	for {
		o, err := s.tryAcquire()
		if engine.CodeOf(err) != engine.CodeConflict || time.Now().After(limit) {
			return o, err
		}
		select {
		case <-time.After(shelfRetry):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *shelf) tryAcquire() (*openedLibrary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, context.Canceled
	}
	if s.opened != nil && s.opened.ctx.Err() != nil && s.users == 0 {
		s.shut()
	}
	if s.opened == nil {
		o, err := s.open()
		if err != nil {
			return nil, err
		}
		s.opened = o
	}
	if s.idle != nil {
		s.idle.Stop()
	}
	s.users++
	return s.opened, nil
}

func (s *shelf) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	if s.over {
		close(s.left)
		return
	}
	s.idle = time.AfterFunc(shelfIdle, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.users == 0 {
			s.shut()
		}
	})
}

// shut closes the library if it is open, and waits until it is closed. s.mu is held.
func (s *shelf) shut() {
	if s.opened != nil {
		s.opened.end(nil)
		<-s.opened.closed
		s.opened = nil
	}
}

// close ends all calls and closes the library.
func (s *shelf) close() {
	s.stop()
	s.mu.Lock()
	s.over = true
	busy := s.users > 0
	s.mu.Unlock()
	if busy {
		select {
		case <-s.left:
		case <-time.After(stopTimeout):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut()
}

// open opens the library in a goroutine, which holds it until the end.
func (s *shelf) open() (*openedLibrary, error) {
	o := &openedLibrary{closed: make(chan struct{})}
	o.ctx, o.end = context.WithCancelCause(context.WithoutCancel(s.base))
	opened := make(chan struct{})
	go func() {
		defer close(o.closed)
		o.outcome = s.work.open(context.WithoutCancel(s.base), s.made, false, s.std, func(ctx context.Context, w *worker) error {
			o.worker = w
			working := make(chan struct{})
			o.start = sync.OnceFunc(func() { close(working) })
			close(opened)
			select {
			case <-o.ctx.Done():
				return nil
			case <-working:
			}
			return w.work(ctx, func(ctx context.Context) error {
				select {
				case <-o.ctx.Done():
				case <-ctx.Done():
				}
				return nil
			})
		})
		o.end(o.outcome)
	}()
	select {
	case <-opened:
		return o, nil
	case <-o.closed:
		return nil, o.outcome
	}
}

// stopTimeout is how long stopping what an assistant no longer wants may take.
const stopTimeout = 10 * time.Second

// add adds media and waits for its transcript. If ctx ends, nothing of new media stays.
func (s *shelf) add(ctx context.Context, w *worker, a assisted.Addition) (added assisted.Added, err error) {
	from := source{name: a.Path, id: externalID(a.Path)}
	if a.URL != "" {
		from = source{name: a.URL, id: externalID(a.URL), url: true}
	}
	unlock, err := s.lock(ctx, from.id)
	if err != nil {
		return added, err
	}
	defer unlock()
	adder := &adder{worker: w, settings: a.Settings}
	r, known, err := adder.known(ctx, from)
	if err == nil && known {
		r, err = adder.retry(ctx, r)
	}
	switch {
	case err != nil:
	case known:
	case from.url:
		a.Progress(0, "Downloading")
		r, err = s.download(ctx, adder, from)
	default:
		a.Progress(0, "Copying")
		r, err = adder.addFile(ctx, from)
	}
	if err != nil {
		return added, err
	}
	defer w.progress.listen(r.TranscriptID, func(done float64) { a.Progress(done, "Transcribing") })()
	finished, err := adder.wait(ctx, r.ID)
	if ctx.Err() != nil && !known {
		stopping, cancel := stopContext(ctx)
		defer cancel()
		return added, cmp.Or(w.DeleteRecording(stopping, w.me, r.ID), ctx.Err())
	}
	return assisted.Added{Recording: finished, Known: known, Changed: known && from.changed(finished)}, err
}

func stopContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
}

// download adds a URL. If ctx ends, it stops the download and removes what came of it.
func (s *shelf) download(ctx context.Context, a *adder, from source) (engine.Recording, error) {
	i, err := a.startURL(ctx, from)
	if err != nil {
		return engine.Recording{}, err
	}
	r, err := a.finishURL(ctx, i)
	if ctx.Err() != nil && i.ID != "" {
		stopping, cancel := stopContext(ctx)
		defer cancel()
		_ = a.CancelImport(stopping, i.ID) // it may be over
		if i, err := a.GetImport(stopping, a.me, i.ID); err == nil && i.RecordingID != "" {
			_ = a.DeleteRecording(stopping, a.me, i.RecordingID)
		}
		return engine.Recording{}, ctx.Err()
	}
	return r, err
}

// lock waits until no other call adds the same media.
func (s *shelf) lock(ctx context.Context, id string) (unlock func(), err error) {
	mine := make(chan struct{})
	for {
		other, busy := s.adding.LoadOrStore(id, mine)
		if !busy {
			return func() { s.adding.Delete(id); close(mine) }, nil
		}
		select {
		case <-other.(chan struct{}):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
