// Package sweep removes blobs that nothing needs any more. The engine removes its own blobs, with three exceptions: a process dies just
// after it stored a blob, a worker that was paused stores a blob after another one has finished its job, or the removal itself fails for
// days. Call [Blobs] now and then, for example after each start:
//
//	removed, err := sweep.Blobs(ctx, store, blobs)
package sweep

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Blobs removes every blob of an upload, import, transcript, or render that is over and doesn't need it, and returns how many it removed.
// Blobs of work in progress stay, and so do blobs without a row: another store may own them. What writers left behind that began more than
// a day ago is removed and counted too. Engines may run meanwhile. After an error of a blob, it goes on and returns the errors at the end.
func Blobs(ctx context.Context, store engine.Store, blobs engine.Blobs) (removed int, err error) {
	var errs []error
	for _, noun := range nouns {
		errs = append(errs, blobs.List(ctx, noun.prefix, func(b engine.BlobInfo) error {
			id, _, _ := strings.Cut(strings.TrimPrefix(b.Key, noun.prefix), "/")
			var needed bool
			err := store.View(ctx, func(tx engine.ReadTx) (err error) {
				needed, err = noun.needs(tx, id, b.Key)
				return err
			})
			if err == nil && !needed {
				if err = blobs.Delete(ctx, b.Key); err == nil {
					removed++
				}
			}
			if engine.CodeOf(err) != engine.CodeNotFound {
				errs = append(errs, err)
			}
			return ctx.Err()
		}))
	}
	if collecting, ok := blobs.(engine.CollectingBlobs); ok {
		n, err := collecting.Collect(ctx, time.Now().Add(-staleAfter))
		removed += n
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

// staleAfter is the age at which a writer is treated as dead. No upload takes longer.
const staleAfter = 24 * time.Hour

// nouns has every prefix of blob keys, and whether the row with an id needs a blob. A missing row is CodeNotFound.
var nouns = []struct {
	prefix string
	needs  func(tx engine.ReadTx, id, key string) (bool, error)
}{
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
	{"transcripts/", func(tx engine.ReadTx, id, _ string) (bool, error) {
		t, err := tx.Transcript(engine.TranscriptID(id))
		return !t.Status.Over(), err
	}},
	{"renders/", func(tx engine.ReadTx, id, key string) (bool, error) {
		r, err := tx.Render(engine.RenderID(id))
		return !r.Status.Over() || r.BlobKey == key, err
	}},
}
