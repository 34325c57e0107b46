package engine

import (
	"context"
	"sync"
	"time"
)

const (
	downloadShare = 0.95       // of an import's progress
	halfway       = 64_000_000 // bytes at which a download of unknown size counts as half done
)

// importProgress returns a function that writes how far the download is, not too often and never backwards. That it could not be
// written is no failure: the next report tells more.
func (e *Engine) importProgress(ctx context.Context, w *work, id ImportID) func(done, total int64) {
	var mu sync.Mutex
	var last time.Time
	return func(done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		now := e.now()
		if now.Sub(last) < progressEvery {
			return
		}
		last = now
		_ = w.writeProgress(ctx, id, downloadShare*fraction(done, total))
	}
}

// fraction is how much of a download is done, 0 to 1. Where the total isn't known, it grows with the bytes and never gets to 1.
func fraction(done, total int64) float64 {
	if done <= 0 {
		return 0
	}
	if total <= 0 {
		return float64(done) / (float64(done) + halfway)
	}
	return min(1, float64(done)/float64(total))
}

func (w *work) writeProgress(ctx context.Context, id ImportID, progress float64) error {
	return w.update(ctx, func(tx Tx) error {
		i, err := tx.Import(id)
		if err != nil || progress <= i.Progress {
			return err
		}
		i.Progress, i.UpdatedAt = progress, w.e.now()
		return tx.PutImport(i)
	})
}
