package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/progress"
)

const downloadShare = 0.95 // of an import's progress

// importProgress returns a function that writes the progress of a download. A failed write is ignored, because the next report follows.
func (e *Engine) importProgress(ctx context.Context, w *work, id ImportID) func(done, total int64) {
	var limit progress.Throttle
	return func(done, total int64) {
		limit.Do(e.now, "", func(time.Time) { _ = w.writeProgress(ctx, id, downloadShare*progress.Fraction(done, total)) })
	}
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
