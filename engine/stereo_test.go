package engine_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// channels is a Media of a second of sound, whose channels it may keep apart.
type channels struct{ stubMedia }

func (channels) Decode(context.Context, engine.Source) (io.ReadCloser, error) { return pcmOf(1), nil }

type stereo struct{ channels }

func (stereo) DecodeStereo(context.Context, engine.Source) (io.ReadCloser, error) {
	return pcmOf(2), nil
}

func pcmOf(n int64) io.ReadCloser { return io.NopCloser(io.LimitReader(zeros{}, n*32_000)) }

// ears is a Diarizer that remembers what it heard.
type ears struct {
	stereo *bool
	bytes  *int64
}

func (e ears) Diarize(_ context.Context, pcm io.Reader, o transcript.DiarizeOptions) (_ []transcript.Turn, err error) {
	*e.stereo = o.Stereo
	*e.bytes, err = io.Copy(io.Discard, pcm)
	return []transcript.Turn{{End: time.Second}}, err
}

type twoEars struct{ ears }

func (twoEars) HearsStereo() bool { return true }

// A Diarizer that hears stereo gets both channels of media with two, if the Media keeps them apart.
func TestDiarizerHearsStereo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		channels    int
		media, ears bool
		want        bool
	}{
		"a call":             {2, true, true, true},
		"mono":               {1, true, true, false},
		"six channels":       {6, true, true, false},
		"a Media that mixes": {2, false, true, false},
		"a Diarizer of mono": {2, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var heard bool
				var bytes int64
				config := engine.Config{
					Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
						return engine.Transcription{Words: []transcript.Word{{Text: "Hello.", End: time.Second}}}, nil
					}),
					Diarizer: ears{&heard, &bytes},
				}
				if c.ears {
					config.Diarizer = twoEars{ears{&heard, &bytes}}
				}
				mixes := channels{sound(time.Second, transcript.SampleRate, c.channels)}
				if config.Media = mixes; c.media {
					config.Media = stereo{mixes}
				}
				s := newStage(t, config)
				defer s.start()()
				_, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
				require.NoError(t, err)
				require.Equal(t, c.want, heard)
				require.Equal(t, map[bool]int64{false: 32_000, true: 64_000}[c.want], bytes)
			})
		})
	}
}
