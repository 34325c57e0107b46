package media_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// file is a Reader of a file that has this description and decodes to this much silence.
type file struct {
	info   media.Info
	length time.Duration
}

func (f file) Probe(context.Context, media.Source) (media.Info, error) { return f.info, nil }

func (f file) Decode(context.Context, media.Source) (io.ReadCloser, error) {
	return io.NopCloser(io.LimitReader(zeros{}, int64(f.length/time.Millisecond)*32)), nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func requireBad(t *testing.T, want string, err error) {
	t.Helper()
	require.Equal(t, fault.CodeBadMedia, fault.CodeOf(err))
	require.Equal(t, want, fault.Message(err))
}

// What a file claims has limits. The longest of its durations counts. Zeros are unknown.
func TestClaimsLimit(t *testing.T) {
	t.Parallel()
	const channels = "The audio must have at most 16 channels (got 17)."
	for name, c := range map[string]struct {
		duration, audio time.Duration
		rate, channels  int
		want            string
	}{
		"unknown":     {},
		"longest":     {duration: time.Minute, rate: media.MaxSampleRate, channels: media.MaxChannels},
		"too long":    {duration: time.Minute + 1, want: "The media must be at most 1m0s long."},
		"long audio":  {duration: time.Second, audio: 2 * time.Minute, want: "The media must be at most 1m0s long."},
		"slow":        {rate: media.MinSampleRate},
		"too slow":    {rate: media.MinSampleRate - 1, want: "The sample rate of the audio must be between 4000 and 384000 Hz (got 3999)."},
		"too fast":    {rate: media.MaxSampleRate + 1, want: "The sample rate of the audio must be between 4000 and 384000 Hz (got 384001)."},
		"many voices": {channels: media.MaxChannels + 1, want: channels},
	} {
		m := media.Limit(file{info: media.Info{Duration: c.duration, Audio: &media.Audio{SampleRate: c.rate, Channels: c.channels, Duration: c.audio}}}, time.Minute)
		_, err := m.Probe(t.Context(), nil)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		requireBad(t, c.want, err)
	}
	_, err := media.Limit(file{info: media.Info{Duration: 12*time.Hour + 1}}, 0).Probe(t.Context(), nil)
	requireBad(t, "The media must be at most 12 h long.", err)
}

// Media that decodes to more than its header claims ends with the same error, and after the limit is not read on.
func TestDecodeLimit(t *testing.T) {
	t.Parallel()
	for length, want := range map[time.Duration]string{time.Minute + time.Second: "", 10 * time.Minute: "The media must be at most 1m0s long."} {
		pcm, err := media.Limit(file{length: length}, time.Minute).Decode(t.Context(), nil)
		require.NoError(t, err)
		n, err := io.Copy(io.Discard, pcm)
		require.NoError(t, pcm.Close())
		require.LessOrEqual(t, n, int64(61*32_000))
		if want == "" {
			require.NoError(t, err)
			require.Equal(t, int64(61*32_000), n)
			continue
		}
		requireBad(t, want, err)
		_, again := pcm.Read(make([]byte, 1))
		require.Equal(t, err, again)
	}
}

// Speech needs an audio stream of 160 ms.
func TestCheckSpeech(t *testing.T) {
	t.Parallel()
	require.NoError(t, media.Info{Duration: media.MinSpeech, Audio: &media.Audio{}}.CheckSpeech())
	requireBad(t, "The audio is too short: at least 160 milliseconds are needed.", media.Info{Duration: media.MinSpeech - 1, Audio: &media.Audio{}}.CheckSpeech())
	requireBad(t, "The media has no audio stream.", media.Info{Duration: time.Hour, Video: &media.Video{}}.CheckSpeech())
}

// twoChannels is a file that may keep two channels apart.
type twoChannels struct {
	file
	err error
}

func (m twoChannels) DecodeStereo(ctx context.Context, src media.Source) (io.ReadCloser, error) {
	if m.err != nil {
		return nil, m.err
	}
	m.length *= 2
	return m.Decode(ctx, src)
}

// Two channels stay apart where that is possible. They have the same limit.
func TestDecodeStereo(t *testing.T) {
	t.Parallel()
	cannot := fault.Errorf(fault.CodeUnavailable, "", "Not of this file.")
	broken := fault.Errorf(fault.CodeBadMedia, "", "Not a file.")
	mono := file{length: time.Second}
	for name, c := range map[string]struct {
		media.Reader
		bytes int64
	}{
		"apart":  {twoChannels{mono, nil}, 64_000},
		"cannot": {twoChannels{mono, cannot}, 32_000},
		"never":  {mono, 32_000},
	} {
		pcm, apart, err := media.DecodeStereo(t.Context(), media.Limit(c.Reader, time.Minute), nil)
		require.NoError(t, err, name)
		require.Equal(t, name == "apart", apart, name)
		n, err := io.Copy(io.Discard, pcm)
		require.NoError(t, err, name)
		require.Equal(t, c.bytes, n, name)
	}
	_, _, err := media.DecodeStereo(t.Context(), media.Limit(twoChannels{mono, broken}, 0), nil)
	require.ErrorIs(t, err, broken)

	for length, want := range map[time.Duration]string{time.Minute + time.Second: "", 2 * time.Minute: "The media must be at most 1m0s long."} {
		pcm, apart, err := media.DecodeStereo(t.Context(), media.Limit(twoChannels{file{length: length}, nil}, time.Minute), nil)
		require.NoError(t, err)
		require.True(t, apart)
		if _, err = io.Copy(io.Discard, pcm); want == "" {
			require.NoError(t, err)
			continue
		}
		requireBad(t, want, err)
	}
}
