package engine

import (
	"cmp"
	"context"
	"time"
)

func restorePrefix(id RecordingID) string { return "restored/" + string(id) + "/" }

// storeMedia stores the media of a recording, unless the recording exists.
func (p *restoring) storeMedia(ctx context.Context, s *ArchiveRecording) error {
	err := p.e.store.View(ctx, func(tx ReadTx) error {
		_, err := tx.Recording(s.ID)
		return cmp.Or(checkDeleted(tx, s.ID), err)
	})
	if CodeOf(err) != CodeNotFound {
		return err
	}
	body, err := s.Media()
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	key := restorePrefix(s.ID) + p.e.ids.NewID("blob")
	blob, err := p.e.storeBlob(ctx, key, BlobMeta{ContentType: s.ContentType, MaxSize: MaxUploadSize}, body)
	if err != nil {
		return err
	}
	p.stored[s.ID] = Recording{BlobKey: key, Size: blob.Size}
	if s.Transcript == nil {
		return nil // its transcription probes the media
	}
	src, err := p.e.source(ctx, key)
	if err != nil {
		return err
	}
	info, err := p.e.media.Probe(ctx, src)
	if err != nil {
		return err
	}
	length := max(info.Duration, s.Transcript.Duration)
	for _, u := range s.Transcript.Utterances {
		length = max(length, u.End)
		for _, w := range u.Words {
			length = max(length, w.End)
		}
	}
	p.stored[s.ID] = Recording{BlobKey: key, Size: blob.Size, HasVideo: info.Video != nil, Duration: length.Truncate(time.Microsecond)}
	return nil
}

// removeUnused removes the stored media that no recording uses. Without an answer of the store it removes nothing: the recordings may be
// committed although the answer to that was lost.
func (p *restoring) removeUnused(ctx context.Context) {
	var unused []string
	err := p.e.store.View(ctx, func(tx ReadTx) error {
		unused = nil
		for id, media := range p.stored {
			r, err := tx.Recording(id)
			if err != nil && CodeOf(err) != CodeNotFound {
				return err
			}
			if r.BlobKey != media.BlobKey {
				unused = append(unused, media.BlobKey)
			}
		}
		return nil
	})
	if err != nil {
		p.e.log.Warn("media of a failed restore not removed", "recordings", len(p.stored), "err", err)
		return
	}
	for _, key := range unused {
		p.e.deleteBlob(ctx, key)
	}
}
