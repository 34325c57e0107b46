package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
)

// RecordingMedia describes the media of a recording. CodeNotFound.
func (w *world) RecordingMedia(ctx context.Context, id engine.RecordingID) (engine.Recording, engine.BlobInfo, engine.Source, error) {
	return w.engine.RecordingMedia(ctx, id)
}

// RecordingPeaks returns at most n peaks of a recording's sound. CodeNotFound, CodeBadMedia.
func (w *world) RecordingPeaks(ctx context.Context, id engine.RecordingID, n int) ([]float64, error) {
	return w.engine.RecordingPeaks(ctx, id, n)
}
