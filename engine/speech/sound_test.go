package speech_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// inMemory is a Source in memory.
type inMemory []byte

func (m inMemory) Size() int64 { return int64(len(m)) }

func (m inMemory) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	off = min(off, m.Size())
	if n < 0 || n > m.Size()-off {
		n = m.Size() - off
	}
	return io.NopCloser(bytes.NewReader(m[off : off+n])), nil
}

// Readers accept WAVHeader's headers, of known length and of a stream.
func TestWAVHeader(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{32000, -1, 1 << 40} {
		file := inMemory(append(speech.WAVHeader(size), make([]byte, 32000)...))
		info, err := wav.Media{}.Probe(t.Context(), file)
		require.NoError(t, err)
		require.Equal(t, time.Second, info.Duration)
		require.Equal(t, transcript.SampleRate, info.Audio.SampleRate)
		require.Equal(t, 1, info.Audio.Channels)
	}
	require.Len(t, speech.WAVHeader(0), speech.WAVHeaderSize)
}

// crashed is Media whose decoder fails at the end.
type crashed struct{ engine.Media }

func (b crashed) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	pcm, err := b.Media.Decode(ctx, src)
	return crashing{pcm}, err
}

type crashing struct{ io.ReadCloser }

func (crashing) Close() error { return errors.New("the decoder crashed") }

// SoundOf returns the media, or its decoded audio if it is too large. A decoder's error at the end is not io.EOF.
func TestSoundOf(t *testing.T) {
	t.Parallel()
	file := inMemory(append(speech.WAVHeader(1000), bytes.Repeat([]byte{1}, 1000)...))
	read := func(media engine.Media, most int64) (speech.Sound, []byte, error) {
		s, err := speech.SoundOf(t.Context(), file, media, most)
		if err != nil {
			return s, nil, err
		}
		read := int64(0)
		r, err := s.Counted(func(n int64) { read = n }).Open()
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		_ = r.Close()
		require.EqualValues(t, len(got), read)
		return s, got, err
	}
	s, got, err := read(nil, file.Size())
	require.NoError(t, err)
	require.Equal(t, file.Size(), s.Size)
	require.Equal(t, []byte(file), got)

	s, got, err = read(wav.Media{}, 10)
	require.NoError(t, err)
	require.EqualValues(t, -1, s.Size)
	require.Equal(t, append(speech.WAVHeader(-1), file[speech.WAVHeaderSize:]...), got)

	_, _, err = read(nil, 10)
	require.Equal(t, engine.CodeTooLarge, engine.CodeOf(err))
	_, _, err = read(crashed{wav.Media{}}, 10)
	require.ErrorContains(t, err, "crashed")
}

// Progress never falls, stays within 0 to 1, and accepts a nil function.
func TestProgress(t *testing.T) {
	t.Parallel()
	var told []float64
	p := speech.NewProgress(func(done float64) { told = append(told, done) })
	for _, done := range []float64{-1, 0.5, 0.2, math.NaN(), 7} {
		p.Report(done)
	}
	require.Equal(t, []float64{0, 0.5, 0.5, 1}, told)
	speech.NewProgress(nil).Report(1)
}
