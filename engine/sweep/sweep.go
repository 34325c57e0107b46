// Package sweep removes blobs that nothing needs any more. The engine removes its own blobs, with three exceptions: a process dies just
// after it stored a blob, a worker that was paused stores a blob after another one has finished its job, or the removal itself fails for
// days. Call [Blobs] now and then, for example after each start:
//
//	removed, err := sweep.Blobs(ctx, store, blobs)
//
// [Run] also says what it removes, and what it would remove. `soundstage sweep` calls it.
package sweep

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// MinAge is how old a blob must be to be removed, and a writer to be treated as dead. No upload and no [engine.Engine.Restore] may take
// longer.
const MinAge = 24 * time.Hour

// batch is how many blobs one transaction asks for.
const batch = 100

// Options say what Run removes.
type Options struct {
	// Before is a time: blobs that were stored later stay, and so does what writers left behind that began later. It is MinAge ago if it is
	// zero or later than that.
	Before time.Time
	// DryRun removes nothing.
	DryRun bool
	// Found is called for each blob that nothing needs, before it is removed. It may be nil.
	Found func(engine.BlobInfo)
}

// Result is what Run found.
type Result struct {
	Blobs   int   // that nothing needs, and that were removed unless Options.DryRun
	Bytes   int64 // of these blobs
	NoRow   int   // blobs without a row, which stay: another store may own them
	Writers int   // that began before Options.Before and left something behind, which was removed; 0 with Options.DryRun
}

// Blobs removes what Run removes, and returns how many blobs and dead writers there were.
func Blobs(ctx context.Context, store engine.Store, blobs engine.Blobs) (removed int, err error) {
	r, err := Run(ctx, store, blobs, Options{})
	return r.Blobs + r.Writers, err
}

// Run removes every blob of an upload, import, transcript, render, or restored recording that is over and doesn't need it, if it was stored
// before a time. Blobs of work in progress stay, and so do blobs without a row. What writers left behind that began before that time is
// removed, too. Engines may run meanwhile, because each job writes to keys of its own: what no row needs once, no row will need later. After
// an error of a blob, Run goes on and returns the errors at the end.
func Run(ctx context.Context, store engine.Store, blobs engine.Blobs, o Options) (Result, error) {
	if newest := time.Now().Add(-MinAge); o.Before.IsZero() || o.Before.After(newest) {
		o.Before = newest
	}
	s := &sweeping{store: store, blobs: blobs, o: o}
	for _, noun := range nouns {
		s.sweep(ctx, noun)
	}
	if collecting, ok := blobs.(engine.CollectingBlobs); ok && !o.DryRun && ctx.Err() == nil {
		n, err := collecting.Collect(ctx, o.Before)
		s.result.Writers += n
		s.failed(err)
	}
	return s.result, errors.Join(s.errs...)
}

// sweeping is the state of one Run.
type sweeping struct {
	store  engine.Store
	blobs  engine.Blobs
	o      Options
	result Result
	errs   []error
}

func (s *sweeping) failed(err error) {
	if err != nil {
		s.errs = append(s.errs, err)
	}
}

// sweep removes the blobs of a noun.
func (s *sweeping) sweep(ctx context.Context, n noun) {
	var waiting []engine.BlobInfo
	s.failed(s.blobs.List(ctx, n.prefix, func(b engine.BlobInfo) error {
		if b.ModTime.Before(s.o.Before) {
			waiting = append(waiting, b)
		}
		if len(waiting) == batch {
			s.remove(ctx, n, waiting)
			waiting = waiting[:0]
		}
		return ctx.Err()
	}))
	s.remove(ctx, n, waiting)
}

// remove removes those of the blobs that nothing needs.
func (s *sweeping) remove(ctx context.Context, n noun, blobs []engine.BlobInfo) {
	if len(blobs) == 0 || ctx.Err() != nil {
		return
	}
	var unused []engine.BlobInfo
	noRow := 0
	err := s.store.View(ctx, func(tx engine.ReadTx) error {
		unused, noRow = nil, 0
		for _, b := range blobs {
			id, _, _ := strings.Cut(strings.TrimPrefix(b.Key, n.prefix), "/")
			needed, err := n.needs(tx, id, b.Key)
			switch {
			case engine.CodeOf(err) == engine.CodeNotFound:
				noRow++
			case err != nil:
				return err
			case !needed:
				unused = append(unused, b)
			}
		}
		return nil
	})
	if err != nil {
		s.failed(err)
		return
	}
	s.result.NoRow += noRow
	for _, b := range unused {
		if s.o.Found != nil {
			s.o.Found(b)
		}
		if !s.o.DryRun {
			if err := s.blobs.Delete(ctx, b.Key); err != nil {
				s.failed(err)
				continue
			}
		}
		s.result.Blobs++
		s.result.Bytes += b.Size
	}
}

// noun is a kind of row that owns blobs.
type noun struct {
	prefix string // of the keys, before the id of the row
	// needs reports whether the row with an id needs a blob. A missing row is CodeNotFound. What it doesn't need, it must never need again.
	needs func(tx engine.ReadTx, id, key string) (bool, error)
}

// nouns has every prefix of blob keys.
var nouns = []noun{
	{"uploads/", func(tx engine.ReadTx, id, key string) (bool, error) {
		u, err := tx.Upload(engine.UploadID(id))
		return u.Status != engine.UploadExpired && (u.Status != engine.UploadUsed || u.BlobKey == key), err
	}},
	{"imports/", func(tx engine.ReadTx, id, key string) (bool, error) {
		i, err := tx.Import(engine.ImportID(id))
		if err != nil || i.RecordingID == "" {
			return !i.Status.Over(), err
		}
		r, err := tx.Recording(i.RecordingID)
		return r.BlobKey == key, err
	}},
	{"transcripts/", func(tx engine.ReadTx, id, key string) (bool, error) {
		t, err := tx.Transcript(engine.TranscriptID(id))
		if strings.HasPrefix(key, "transcripts/"+id+"/notes/") { // a retry of a failed transcript saves them under the same key
			return t.Status != engine.TranscriptCompleted, err
		}
		return !t.Status.Over(), err
	}},
	{"renders/", func(tx engine.ReadTx, id, key string) (bool, error) {
		r, err := tx.Render(engine.RenderID(id))
		return !r.Status.Over() || r.BlobKey == key, err
	}},
	{"restored/", func(tx engine.ReadTx, id, key string) (bool, error) {
		r, err := tx.Recording(engine.RecordingID(id))
		return r.BlobKey == key, err
	}},
}
