// Package wav is engine.Media for sound in WAV files, in pure Go: no process, no temporary file. What it has to say about a file and
// the samples that it decodes are FFmpeg's, to the bit, for the sound that the engine works on, 16-bit mono at 16 kHz. Of everything
// else it knows enough to do without FFmpeg where there is none.
package wav

import (
	"context"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Media reads WAV files. Files whose sound is as Decode gives it, and which have no tags that Probe tells, it reads itself; others
// are Other's. Where Other is nil or fails with CodeUnavailable, it reads what is PCM or 32-bit float of any rate and number of
// channels, resampled by straight lines between samples, which is good enough for tests. It is safe for concurrent use when Other is.
type Media struct {
	Other engine.Media // default none
}

var _ engine.Media = Media{}

// Probe says what is in the media. CodeBadMedia when there is no Other and it is no WAV file that can be read; else errors are Other's.
func (m Media) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	const op = "Probe"
	f, err := parse(ctx, src)
	if err == nil && f.plain {
		return f.info(), nil
	}
	if ctx.Err() != nil {
		return engine.MediaInfo{}, canceled(ctx, op)
	}
	if m.Other != nil {
		info, otherErr := m.Other.Probe(ctx, src)
		if err != nil || engine.CodeOf(otherErr) != engine.CodeUnavailable {
			return info, otherErr
		}
	}
	if err != nil {
		return engine.MediaInfo{}, unreadable(op, err)
	}
	return f.info(), nil
}

// Decode streams the sound as engine.Media says. Errors are those of Probe; a stream that ends early because ctx has ended says so
// with CodeCanceled.
func (m Media) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	const op = "Decode"
	f, err := parse(ctx, src)
	if err == nil && f.plain {
		return f.open(ctx, src)
	}
	if ctx.Err() != nil {
		return nil, canceled(ctx, op)
	}
	if m.Other != nil {
		pcm, otherErr := m.Other.Decode(ctx, src)
		if err != nil || engine.CodeOf(otherErr) != engine.CodeUnavailable {
			return pcm, otherErr
		}
	}
	if err != nil {
		return nil, unreadable(op, err)
	}
	return f.open(ctx, src)
}

// info is what Probe tells. FFmpeg's times are in whole microseconds; those of a stream are rounded as printf does.
func (f file) info() engine.MediaInfo {
	frames, rate := f.size/int64(f.frame), int64(f.rate)
	exact := strconv.FormatFloat(float64(frames)/float64(rate), 'f', 6, 64)
	seconds, _ := strconv.ParseFloat(exact, 64)
	whole := frames/rate*1_000_000 + (frames%rate*1_000_000+rate/2)/rate
	return engine.MediaInfo{
		Format: "wav", Duration: time.Duration(whole) * time.Microsecond, Title: f.title,
		Audio: &engine.AudioStream{
			Codec: f.codec, SampleRate: f.rate, Channels: f.channels, Duration: time.Duration(math.Round(seconds*1e6)) * time.Microsecond,
		},
	}
}

// open starts to decode.
func (f file) open(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	body, err := src.Open(ctx, f.offset, f.there)
	if err != nil {
		return nil, err
	}
	s := &stream{ctx: ctx, body: body}
	if f.rate == transcript.SampleRate && f.channels == 1 && f.codec == codec16 {
		s.pcm = body
	} else {
		s.pcm = newResampler(body, f)
	}
	return s, nil
}

// stream is decoded sound.
type stream struct {
	ctx  context.Context
	body io.Closer
	pcm  io.Reader
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, canceled(s.ctx, "Decode")
	}
	return s.pcm.Read(p)
}

// Close implements io.Closer.
func (s *stream) Close() error { return s.body.Close() }

func canceled(ctx context.Context, op string) error {
	return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(context.Cause(ctx))
}

func unreadable(op string, err error) error {
	return engine.Errorf(engine.CodeBadMedia, op, "The media can't be read: without ffmpeg only sound in WAV files can.").
		WithHint("Install ffmpeg, or send PCM in a WAV file.").Because(err)
}
