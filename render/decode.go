package render

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Decode streams the first audio stream as 16 kHz mono PCM, as engine.Media specifies. Memory stays constant. Sample n is at
// time n/16000 of the media; gaps become silence.
//
// Decode returns when the first samples are available, so most errors come from it. It returns CodeBadMedia if the media has
// no audio, isn't media, or can't be decoded at all. The decodable part of a damaged file is decoded without an error. A
// later error is returned by Read instead of io.EOF, and again by Close: CodeCanceled when ctx has ended, CodeUnavailable
// after Timeout. Closing early is not an error. The caller must call Close, and may do so while another goroutine reads.
func (f FFmpeg) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	const op = "Decode"
	program, err := f.ffmpeg(op)
	if err != nil {
		return nil, err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return nil, err
	}
	s, err := f.openPCM(ctx, op, program, file, func() ([]string, error) { return decodeArgs(file.path, 0) })
	if channels := unmixable(err); channels > 0 {
		s, err = f.openPCM(ctx, op, program, file, func() ([]string, error) { return decodeArgs(file.path, channels) })
	}
	if err != nil {
		file.remove()
		return nil, err
	}
	return s, nil
}

// DecodeChannels streams the first audio stream with all its channels: interleaved signed 16-bit little-endian samples at a rate of
// samples per second. rate and channels should be those of Probe; other values convert the sound. Everything else is as in Decode.
func (f FFmpeg) DecodeChannels(ctx context.Context, src engine.Source, rate, channels int) (io.ReadCloser, error) {
	const op = "DecodeChannels"
	if rate < media.MinSampleRate || rate > media.MaxSampleRate || channels < 1 || channels > media.MaxChannels {
		return nil, engine.Errorf(engine.CodeBadMedia, op, "The audio must have %d to %d Hz and at most %d channels (got %d Hz and %d channels).",
			media.MinSampleRate, media.MaxSampleRate, media.MaxChannels, rate, channels)
	}
	program, err := f.ffmpeg(op)
	if err != nil {
		return nil, err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return nil, err
	}
	s, err := f.openPCM(ctx, op, program, file, func() ([]string, error) { return channelArgs(file.path, rate, channels) })
	if err != nil {
		file.remove()
		return nil, err
	}
	return s, nil
}

// DecodeStereo is Decode for media of two channels, whose samples are interleaved.
func (f FFmpeg) DecodeStereo(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	return f.DecodeChannels(ctx, src, transcript.SampleRate, 2)
}

// openPCM starts a decoder and waits for its first samples.
func (f FFmpeg) openPCM(ctx context.Context, op, program string, file localFile, arguments func() ([]string, error)) (*pcm, error) {
	args, err := arguments()
	if err != nil {
		return nil, internal(op, err)
	}
	p, err := f.start(ctx, program, args)
	if err != nil {
		return nil, startError(ctx, op, err)
	}
	s := &pcm{op: op, process: p, file: file, head: make([]byte, 4<<10)}
	s.close = sync.OnceValue(s.end)
	n, _ := p.Read(s.head)
	if s.head = s.head[:n]; n > 0 {
		return s, nil
	}
	end := p.wait()
	if err = failure(op, p, end, file, false); err == nil && p.stderr.String() != "" {
		err = badMedia(op, p, file, true) // it was opened, and every frame failed
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return s, nil
}

// unmixable returns the number of channels that ffmpeg can't mix because their layout is unknown, as in the 14 tracks of a
// podcast recorder. It returns 0 for any other error.
func unmixable(err error) int {
	var e *engine.Error
	if !errors.As(err, &e) || e.Err == nil {
		return 0
	}
	m := unknownChannels.FindStringSubmatch(e.Err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

var unknownChannels = lazyregexp.New(`Rematrix is needed between (\d{1,3}) channels`)

// pcm is a stream of decoded audio.
type pcm struct {
	op      string
	process *process
	file    localFile
	head    []byte // already read
	close   func() error
}

func (s *pcm) Read(b []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(b, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	n, err := s.process.Read(b)
	if err == nil || len(b) == 0 {
		return n, nil
	}
	if err := failure(s.op, s.process, s.process.wait(), s.file, true); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

// Close ends the decoder, removes the copy of the media, and returns the error that ended the stream early, if any.
func (s *pcm) Close() error { return s.close() }

func (s *pcm) end() error {
	end := s.process.close()
	s.file.remove()
	if end == wasClosed {
		return nil
	}
	return failure(s.op, s.process, end, s.file, true)
}

// startError returns the error for a program that exists but can't be started.
func startError(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	return engine.Errorf(engine.CodeUnavailable, op, "FFmpeg could not be started.").Because(err).
		WithHint("Check that the program can be executed, and that the machine isn't out of memory or processes.")
}
