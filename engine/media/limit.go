package media

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Limits of media. A file of a few kilobytes can claim, or decode to, days of sound.
const (
	MinSpeech          = 160 * time.Millisecond // the shortest audio that can be transcribed
	DefaultMaxDuration = 12 * time.Hour

	MinSampleRate = 4_000
	MaxSampleRate = 384_000
	MaxChannels   = 16
)

// decodeSlack is how much longer than its limit media may decode to, because containers round durations.
const decodeSlack = time.Second

// Limit returns m with limits: both methods return CodeBadMedia for media that is longer than longest (0 for DefaultMaxDuration), has
// a sample rate outside MinSampleRate to MaxSampleRate, or more than MaxChannels channels. Probe checks what the media claims, and reading
// from Decode what it really contains. engine.New limits Config.Media; use Limit for the Reader of a Transcriber.
func Limit(m Reader, longest time.Duration) Reader {
	if longest <= 0 {
		longest = DefaultMaxDuration
	}
	return limited{m, longest}
}

type limited struct {
	Reader
	longest time.Duration
}

// Probe implements Reader.
func (m limited) Probe(ctx context.Context, src Source) (Info, error) {
	info, err := m.Reader.Probe(ctx, src)
	if err == nil {
		err = m.check(info)
	}
	return info, err
}

// check returns CodeBadMedia for media beyond the limits. Values of 0 are unknown.
func (m limited) check(info Info) error {
	const op = "Probe"
	length := info.Duration
	if a := info.Audio; a != nil {
		length = max(length, a.Duration)
		switch {
		case a.SampleRate != 0 && (a.SampleRate < MinSampleRate || a.SampleRate > MaxSampleRate):
			return fault.Errorf(fault.CodeBadMedia, op, "The sample rate of the audio must be between %d and %d Hz (got %d).", MinSampleRate, MaxSampleRate, a.SampleRate).
				WithHint("Convert the audio to 16 kHz.")
		case a.Channels > MaxChannels:
			return fault.Errorf(fault.CodeBadMedia, op, "The audio must have at most %d channels (got %d).", MaxChannels, a.Channels).
				WithHint("Mix the audio down to one channel.")
		}
	}
	if length > m.longest {
		return tooLong(op, m.longest).Because(errors.New("duration " + length.String()))
	}
	return nil
}

func tooLong(op string, longest time.Duration) *fault.Error {
	return fault.Errorf(fault.CodeBadMedia, op, "The media must be at most %s long.", hours(longest)).
		WithHint("Split it into shorter parts, or raise the limit with --max-duration (in Go, Config.MaxDuration).")
}

// hours formats a limit: "12 h", or "1h30m0s" if it is not in whole hours.
func hours(d time.Duration) string {
	if d%time.Hour == 0 {
		return strconv.FormatInt(int64(d/time.Hour), 10) + " h"
	}
	return d.String()
}

// Decode implements Reader.
func (m limited) Decode(ctx context.Context, src Source) (io.ReadCloser, error) {
	pcm, err := m.Reader.Decode(ctx, src)
	if err != nil {
		return nil, err
	}
	return LimitSound(pcm, m.longest, transcript.SampleRate, 1), nil
}

// DecodeStereo implements StereoReader.
func (m limited) DecodeStereo(ctx context.Context, src Source) (io.ReadCloser, error) {
	s, ok := m.Reader.(StereoReader)
	if !ok {
		return nil, fault.Errorf(fault.CodeUnavailable, "Decode", "The channels can't be kept apart.")
	}
	pcm, err := s.DecodeStereo(ctx, src)
	if err != nil {
		return nil, err
	}
	return LimitSound(pcm, m.longest, transcript.SampleRate, 2), nil
}

// LimitSound returns pcm, 16-bit samples at a rate with a number of channels, with a limit: reading returns CodeBadMedia where it is longer
// than longest (0 for DefaultMaxDuration).
func LimitSound(pcm io.ReadCloser, longest time.Duration, rate, channels int) io.ReadCloser {
	if longest <= 0 {
		longest = DefaultMaxDuration
	}
	return &limitedSound{pcm, longest, size(longest+decodeSlack, 2*int64(rate)*int64(channels))}
}

// size returns the bytes of sound of a duration.
func size(d time.Duration, bytesPerSecond int64) int64 {
	return int64(d/time.Second)*bytesPerSecond + int64(d%time.Second)*bytesPerSecond/int64(time.Second)
}

// limitedSound is decoded sound that ends with an error where it exceeds a limit.
type limitedSound struct {
	io.ReadCloser
	longest time.Duration
	left    int64
}

// Read implements io.Reader.
func (s *limitedSound) Read(p []byte) (int, error) {
	if s.left < 0 {
		return 0, tooLong("Decode", s.longest)
	}
	n, err := s.ReadCloser.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return 0, tooLong("Decode", s.longest)
	}
	return n, err
}
