// Package wav is an engine.Media for WAV files in pure Go, without processes or temporary files. Its information about a file of PCM is
// exactly that of FFmpeg, unless 16-bit samples hide another codec, such as DTS. For 16-bit mono at 16 kHz, the format that the engine works
// on, its samples are, too. It also decodes other PCM formats, for programs without FFmpeg.
//
// Use it alone, or in front of FFmpeg:
//
//	media := wav.Media{Fallback: render.FFmpeg{}}
package wav

import (
	"context"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// Media reads WAV files. It describes plain files of PCM itself, and decodes those of 16-bit mono at 16 kHz. Everything else it passes to
// Fallback. If Fallback is nil or returns CodeUnavailable, Media decodes PCM and 32-bit float of any rate and number of channels itself. It
// then resamples by linear interpolation, which is good enough for tests. It is safe for concurrent use if Fallback is.
//
// What Media describes itself has the limits of media.Limit for sample rates and channels, so it lasts at most 1 s per 4 kB of the
// file. Use media.Limit for a limit of the duration, and for Fallback.
type Media struct {
	Fallback engine.Media // usually FFmpeg; default none
}

var _ engine.Media = Media{}

// Probe returns information about the media. It returns CodeBadMedia for a WAV file beyond the limits and, without Fallback, for anything but
// a supported WAV file; otherwise the errors of Fallback.
func (m Media) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	const op = "Probe"
	f, err := parse(ctx, src)
	if err == nil && f.plain {
		return limited{info: f.info()}.check(ctx)
	}
	if ctx.Err() != nil {
		return engine.MediaInfo{}, canceled(ctx, op)
	}
	if m.Fallback != nil {
		info, otherErr := m.Fallback.Probe(ctx, src)
		if err != nil || engine.CodeOf(otherErr) != engine.CodeUnavailable {
			return info, otherErr
		}
	}
	if err != nil {
		return engine.MediaInfo{}, unreadable(op, err)
	}
	return limited{info: f.info()}.check(ctx)
}

// limited is a Media that reports information.
type limited struct {
	engine.Media
	info engine.MediaInfo
}

func (m limited) Probe(context.Context, engine.Source) (engine.MediaInfo, error) { return m.info, nil }

// check returns the information, or CodeBadMedia if the sample rate or the channels are beyond the engine's limits.
func (m limited) check(ctx context.Context) (engine.MediaInfo, error) {
	return media.Limit(m, math.MaxInt64).Probe(ctx, nil)
}

// Decode streams the sound in the format of engine.Media. It returns the errors of Probe. Reading returns CodeCanceled when ctx is done.
func (m Media) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	const op = "Decode"
	f, err := parse(ctx, src)
	if err == nil && f.plain && f.native() {
		return f.open(ctx, src, true)
	}
	if ctx.Err() != nil {
		return nil, canceled(ctx, op)
	}
	if m.Fallback != nil {
		pcm, otherErr := m.Fallback.Decode(ctx, src)
		if err != nil || engine.CodeOf(otherErr) != engine.CodeUnavailable {
			return pcm, otherErr
		}
	}
	if err != nil {
		return nil, unreadable(op, err)
	}
	if _, err := (limited{info: f.info()}).check(ctx); err != nil {
		return nil, err
	}
	return f.open(ctx, src, f.native())
}

// DecodeStereo streams the sound of a file of two channels, interleaved. It decodes 16-bit PCM at 16 kHz itself; everything else needs a Fallback
// that is an engine.StereoMedia. Otherwise it returns CodeUnavailable.
func (m Media) DecodeStereo(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	const op = "Decode"
	f, err := parse(ctx, src)
	if err == nil && f.plain && f.stereo() {
		return f.open(ctx, src, true)
	}
	if ctx.Err() != nil {
		return nil, canceled(ctx, op)
	}
	if s, ok := m.Fallback.(engine.StereoMedia); ok {
		return s.DecodeStereo(ctx, src)
	}
	return nil, engine.Errorf(engine.CodeUnavailable, op, "The channels can't be kept apart.")
}

// info returns the result of Probe. Like FFmpeg, it rounds durations to microseconds, and that of the stream as printf does.
func (f file) info() engine.MediaInfo {
	frames, rate := f.available/int64(f.frameSize), int64(f.rate)
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

// open starts decoding. raw says to take the samples as they are.
func (f file) open(ctx context.Context, src engine.Source, raw bool) (io.ReadCloser, error) {
	body, err := src.Open(ctx, f.offset, f.available)
	if err != nil {
		return nil, err
	}
	s := &stream{ctx: ctx, body: body}
	if raw {
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
	return engine.Errorf(engine.CodeBadMedia, op, "The media can't be read: without ffmpeg, only WAV files are supported.").
		WithHint("Install ffmpeg, or use a WAV file with PCM.").Because(err)
}
