package main

import (
	"context"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// openedMedia is a media file that can be used.
type openedMedia struct {
	src     engine.Source
	limited engine.Media // decodes no more than the longest duration
	info    engine.MediaInfo
}

// openMedia checks ffmpeg, and probes a media file that must not be longer than longest (0 for the default).
func openMedia(ctx context.Context, ffmpeg render.FFmpeg, path string, longest time.Duration) (openedMedia, error) {
	if err := ffmpeg.Check(ctx); err != nil {
		return openedMedia{}, err
	}
	if _, err := os.Stat(path); err != nil {
		return openedMedia{}, fileError(path, err)
	}
	m := openedMedia{src: files.Source(path), limited: media.Limit(wav.Media{Fallback: ffmpeg}, longest)}
	var err error
	m.info, err = m.limited.Probe(ctx, m.src)
	return m, err
}
