package engine_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// silence is a Media with a duration and a sound that may be longer.
type silence struct {
	stubMedia
	length time.Duration
}

func (m silence) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(io.LimitReader(zeros{}, int64(m.length/time.Millisecond)*32)), nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// sound is a Media that describes its sound like this.
func sound(length time.Duration, rate, channels int) stubMedia {
	return stubMedia{info: engine.MediaInfo{Format: "wav", Duration: length, Audio: &engine.AudioStream{
		Codec: "pcm_s16le", SampleRate: rate, Channels: channels, Duration: length,
	}}}
}

// Media whose header exceeds a limit is refused before the transcriber gets it. The error names the limit.
func TestMediaLimits(t *testing.T) {
	t.Parallel()
	const longer = "Split it into shorter parts, or raise the limit with --max-duration (in Go, Config.MaxDuration)."
	for name, c := range map[string]struct {
		media   engine.Media
		longest time.Duration
		want    string // "" if it is accepted
		hint    string
	}{
		"12 h":               {sound(12*time.Hour, 16_000, 1), 0, "", ""},
		"more than 12 h":     {sound(12*time.Hour+1, 16_000, 1), 0, "The media must be at most 12 h long.", longer},
		"1 Hz plays 555 h":   {sound(555*time.Hour, 1, 1), 0, "The sample rate of the audio must be between 4000 and 384000 Hz (got 1).", "Convert the audio to 16 kHz."},
		"a shorter limit":    {sound(time.Minute, 16_000, 1), 59 * time.Second, "The media must be at most 59s long.", longer},
		"a longer limit":     {sound(13*time.Hour, 16_000, 1), 13 * time.Hour, "", ""},
		"lowest rate":        {sound(time.Minute, 4_000, 1), 0, "", ""},
		"below the lowest":   {sound(time.Minute, 3_999, 1), 0, "The sample rate of the audio must be between 4000 and 384000 Hz (got 3999).", "Convert the audio to 16 kHz."},
		"highest rate":       {sound(time.Minute, 384_000, 16), 0, "", ""},
		"above the highest":  {sound(time.Minute, 384_001, 1), 0, "The sample rate of the audio must be between 4000 and 384000 Hz (got 384001).", "Convert the audio to 16 kHz."},
		"many channels":      {sound(time.Minute, 16_000, 17), 0, "The audio must have at most 16 channels (got 17).", "Mix the audio down to one channel."},
		"unknown properties": {sound(time.Minute, 0, 0), 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, engine.Config{Media: c.media, MaxDuration: c.longest})
				defer s.start()()
				r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
				require.Equal(t, c.want != "", err != nil)
				got := s.transcript(r.TranscriptID)
				require.Equal(t, []any{c.want, c.hint}, []any{got.Error, got.ErrorHint})
				if c.want != "" {
					require.Equal(t, engine.CodeBadMedia, got.ErrorCode)
					require.Equal(t, engine.TranscriptError, got.Status)
				}
			})
		})
	}
}

// The engine limits what its diarizer hears.
func TestDiarizerHearsNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		unlabeled := hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{Words: []transcript.Word{{Text: "Hello.", End: time.Second}}}, nil
		})
		s := newStage(t, engine.Config{
			Media: silence{minuteOfSound(), 2 * time.Minute}, Diarizer: readsAll{}, Transcriber: unlabeled, MaxDuration: time.Minute,
		})
		defer s.start()()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.Error(t, err)
		require.Equal(t, "The media must be at most 1m0s long.", s.transcript(r.TranscriptID).Error)
	})
}

// readsAll is a Diarizer that reads all sound.
type readsAll struct{}

func (readsAll) Diarize(_ context.Context, pcm io.Reader, _ transcript.DiarizeOptions) ([]transcript.Turn, error) {
	_, err := io.Copy(io.Discard, pcm)
	return nil, err
}

// listens is a Diarizer implemented by a function.
type listens func(context.Context) error

func (l listens) Diarize(ctx context.Context, _ io.Reader, _ transcript.DiarizeOptions) ([]transcript.Turn, error) {
	return nil, l(ctx)
}

// A transcription, a diarization, and a render that take longer than the deadline for the media's length end once, with an error that says
// so. Config.Deadline replaces the default.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	for name, c := range map[string]struct {
		config engine.Config
		want   time.Duration
	}{
		"transcription": {engine.Config{Transcriber: hear(func(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, hang(ctx)
		}), Deadline: engine.DefaultDeadline}, 14 * time.Minute},
		"diarization": {engine.Config{
			Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Words: []transcript.Word{{Text: "Hello.", End: time.Second}}}, nil
			}),
			Diarizer: listens(hang), Deadline: engine.DefaultDeadline,
		}, 14 * time.Minute},
		"own deadline": {engine.Config{
			Transcriber: hear(func(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{}, engine.Errorf(engine.CodeCanceled, "", "Canceled.").Because(hang(ctx))
			}),
			Deadline: func(length time.Duration) time.Duration { return length / 2 },
		}, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, c.config)
				defer s.start()()
				began := time.Now()
				r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
				requireCode(t, engine.CodeUnavailable, err)
				require.Equal(t, c.want, time.Since(began))
				got := s.transcript(r.TranscriptID)
				require.Equal(t, "The work took longer than its limit of "+c.want.String()+".", got.Error)
				require.Equal(t, engine.CodeUnavailable, got.ErrorCode)
			})
		})
	}
	t.Run("render", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, engine.Config{Renderer: draws(func(ctx context.Context, req engine.RenderRequest) (string, error) {
				require.Less(t, req.Window.End, 3*time.Second)
				return "", hang(ctx)
			}), Deadline: engine.DefaultDeadline})
			defer s.start()()
			began := time.Now()
			r, err := s.WaitRender(t.Context(), s.caller, s.render(engine.NewRender{}).ID)
			requireCode(t, engine.CodeUnavailable, err)
			require.Equal(t, engine.RenderFailed, r.Status)
			require.Contains(t, r.Message, "The work took longer than its limit of 14m")
			require.Less(t, time.Since(began), 15*time.Minute)
		})
	})
	require.Equal(t, 10*time.Minute+48*time.Hour, engine.DefaultDeadline(media.DefaultMaxDuration))
}

// Without Config.Deadline, an attempt may take 10 min plus 4 times the media's length.
func TestDefaultDeadline(t *testing.T) {
	t.Parallel()
	for length, want := range map[time.Duration]time.Duration{time.Minute: 14 * time.Minute, 12 * time.Hour: 48*time.Hour + 10*time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := &stage{t: t, store: memory.NewStore()}
			e, err := engine.New(engine.Config{
				Store: s.store, Blobs: memory.NewBlobs(), Media: sound(length, 16_000, 1),
				Transcriber: hear(func(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
					<-ctx.Done()
					return engine.Transcription{}, context.Cause(ctx)
				}),
			})
			require.NoError(t, err)
			s.Engine = e
			s.caller, err = e.CreateAccount(t.Context(), engine.NewAccount{Name: "Test"})
			require.NoError(t, err)
			defer s.start()()
			began := time.Now()
			r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
			require.Error(t, err)
			require.Equal(t, want, time.Since(began))
			require.Equal(t, "The work took longer than its limit of "+want.String()+".", s.transcript(r.TranscriptID).Error)
		})
	}
}

// The error of work that fails before its deadline stays as it is.
func TestErrorsBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, errors.New("broken")
		})})
		defer s.start()()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.Error(t, err)
		require.Equal(t, engine.CodeInternal, s.transcript(r.TranscriptID).ErrorCode)
	})
}
