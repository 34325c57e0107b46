package engine

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// RecordingMedia describes the media of a recording, and returns it as a Source. It has no Caller: it is for tools of the operator, such
// as the sandbox's console. CodeNotFound.
func (e *Engine) RecordingMedia(ctx context.Context, id RecordingID) (r Recording, info BlobInfo, src Source, err error) {
	const op = "RecordingMedia"
	if err = e.store.View(ctx, func(tx ReadTx) error {
		r, err = tx.Recording(id)
		return err
	}); err != nil {
		return Recording{}, BlobInfo{}, nil, wrap(op, err)
	}
	if info, err = e.blobs.Stat(ctx, r.BlobKey); err != nil {
		return Recording{}, BlobInfo{}, nil, wrap(op, err)
	}
	src, err = e.source(ctx, r.BlobKey)
	return r, info, src, wrap(op, err)
}

// RecordingPeaks returns at most n peaks of a recording's sound, in order: the largest amplitude of each part, from 0 to 1. They draw its waveform. It
// decodes the whole media. Like RecordingMedia, it has no Caller. CodeNotFound; CodeBadMedia when the media has no sound.
func (e *Engine) RecordingPeaks(ctx context.Context, id RecordingID, n int) (peaks []float64, err error) {
	const op = "RecordingPeaks"
	if n < 1 {
		return nil, Errorf(CodeInvalid, op, "The number of peaks must be at least 1 (got %d).", n)
	}
	_, _, src, err := e.RecordingMedia(ctx, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	pcm, err := e.media.Decode(ctx, src)
	if err != nil {
		return nil, wrap(op, err)
	}
	peaks, err = media.Peaks(pcm, n)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return peaks, wrap(op, err)
}
