package openai_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// fiveSeconds divides a hundred seconds into twenty parts.
var fiveSeconds = speech.Limits{MaxDuration: 5 * time.Second}

// A transcription in parts equals one in a single part, whether the cuts are in silence or in speech.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	for name, sound := range map[string]pcm{"pauses": noiseBursts(120, 300, 60, 5), "no pauses": noiseBursts(150, 250, 50, 0)} {
		for _, dialect := range []openai.Dialect{openai.OpenAI, openai.WhisperCPP} {
			t.Run(name+" "+string(dialect), func(t *testing.T) {
				t.Parallel()
				s := backendtest.NewWhisperCPP(t)
				hear := func(limits speech.Limits) []transcript.Word {
					c := openai.TranscriberConfig{URL: s.URL + "/v1", Media: sound, Limits: limits}
					if dialect == openai.WhisperCPP {
						c.URL, c.Dialect, c.Concurrency = s.URL, dialect, 8
					}
					got, err := newTranscriber(t, c).Transcribe(t.Context(), engine.TranscribeRequest{Language: "en", Info: sound.info()})
					require.NoError(t, err)
					return got.Words
				}
				whole := hear(speech.Limits{})
				require.Greater(t, len(whole), 100)
				require.Equal(t, lower(texts(whole)), lower(texts(hear(fiveSeconds))))
				require.Greater(t, len(s.Requests()), 8)
				if dialect == openai.WhisperCPP {
					require.Equal(t, 1, s.MaxConcurrent(), "it transcribes one part at a time, regardless of the config")
				}
			})
		}
	}
}

// lower returns words without case and punctuation, which depend on the cuts.
func lower(words []string) (out []string) {
	for _, w := range words {
		out = append(out, string(bytes.ToLower(bytes.Trim([]byte(w), ".,"))))
	}
	return out
}

// Speakers are returned for a single part. Those of several parts can't be compared, and are left to the diarizer.
func TestSpeakers(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAISpeech(t)
	sound := noiseBursts(30, 300, 60, 5)
	for limit, want := range map[time.Duration]int{time.Minute: 2, 5 * time.Second: 0} {
		got, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Model: "gpt-4o-transcribe-diarize", Media: sound, Limits: speech.Limits{MaxDuration: limit}}).
			Transcribe(t.Context(), sound.request())
		require.NoError(t, err)
		speakers := map[string]bool{}
		for _, w := range got.Words {
			if w.Speaker != "" {
				speakers[w.Speaker] = true
			}
		}
		require.Len(t, speakers, want)
	}
}

// After a crash within twenty parts, the next attempt sends only the missing parts.
func TestResume(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dialect openai.Dialect
		fault   backendtest.Fault
	}{
		"openai":     {openai.OpenAI, backendtest.Status(500, "", "")},
		"whispercpp": {openai.WhisperCPP, backendtest.CutOff("{")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound := twentyParts()
			s := backendtest.NewWhisperCPP(t)
			config := openai.TranscriberConfig{URL: s.URL, Dialect: c.dialect, Media: sound, Limits: fiveSeconds, Concurrency: 1}
			if c.dialect == openai.OpenAI {
				config.URL += "/v1"
			}
			tr := newTranscriber(t, config)
			req := engine.TranscribeRequest{Language: "en", Info: sound.info()}
			whole, err := tr.Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.Len(t, s.Requests(), 20)

			req.Checkpoints = &notes{}
			s.Break(append(make([]backendtest.Fault, 9), c.fault)...)
			_, err = tr.Transcribe(t.Context(), req)
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
			require.Len(t, s.Requests(), 20+10)
			got, err := newTranscriber(t, config).Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, whole, got)
			require.Len(t, s.Requests(), 20+10+11, "nine parts were transcribed before, the tenth was not")
			got, err = newTranscriber(t, config).Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, whole, got)
			require.Len(t, s.Requests(), 20+10+11)
		})
	}
}

// twentyParts returns groups of ten words in 4.35 s, each followed by silence.
func twentyParts() pcm { return noiseBursts(200, 300, 60, 10) }

// An engine that is stopped within twenty parts, and restarted on the same files, sends the missing parts and completes
// the transcript.
func TestResumeOfAnEngine(t *testing.T) {
	t.Parallel()
	const heardFirst = 7
	sound := twentyParts()
	s := backendtest.NewWhisperCPP(t)
	begun, stopped := make(chan struct{}), make(chan struct{})
	s.Break(append(make([]backendtest.Fault, heardFirst), func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done() // until the transcriber closes the connection
		close(stopped)
	})...)
	blobs, err := files.New(t.TempDir(), files.Options{})
	require.NoError(t, err)
	store := exclusive{memory.NewStore()}
	open := func() *engine.Engine {
		e, err := engine.New(engine.Config{Store: store, Blobs: blobs, Media: wav.Media{}, Transcriber: newTranscriber(t, openai.TranscriberConfig{
			URL: s.URL, Dialect: openai.WhisperCPP, Media: wav.Media{}, Limits: fiveSeconds,
		})})
		require.NoError(t, err)
		return e
	}
	first := open()
	caller, err := first.CreateAccount(t.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(t, err)
	file := wave(sound)
	up, err := first.CreateUpload(t.Context(), caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: int64(len(file))})
	require.NoError(t, err)
	_, err = first.ReceiveUpload(t.Context(), up.ID, bytes.NewReader(file))
	require.NoError(t, err)
	rec, _, err := first.CreateRecording(t.Context(), caller, engine.NewRecording{ObjectID: up.ID})
	require.NoError(t, err)
	stop := run(t, first)
	<-begun
	stop()
	<-stopped
	require.Len(t, s.Requests(), heardFirst+1)

	second := open()
	defer run(t, second)()
	done, err := second.WaitRecording(t.Context(), caller, rec.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, done.TranscriptStatus)
	require.Len(t, s.Requests(), 20+1, "only the canceled part is sent again")
	got, err := second.GetRecordingTranscript(t.Context(), caller, rec.ID)
	require.NoError(t, err)
	require.Len(t, got.Transcript.Words(), 200)
}

// exclusive is a store with a single engine, which resumes interrupted jobs immediately.
type exclusive struct{ *memory.Store }

func (exclusive) Exclusive() bool { return true }

// run runs an engine until stop is called. stop may be called repeatedly.
func run(t *testing.T, e *engine.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
}

// A part that the server answers with an error and status 200 is sent again. Its words are never left out.
func TestErrorOfOnePart(t *testing.T) {
	t.Parallel()
	for _, dialect := range []openai.Dialect{openai.OpenAI, openai.WhisperCPP} {
		s, sound := backendtest.NewWhisperCPP(t), noiseBursts(30, 300, 60, 5)
		c := openai.TranscriberConfig{URL: s.URL + "/v1", Media: sound, Limits: fiveSeconds}
		if dialect == openai.WhisperCPP {
			c.URL, c.Dialect = s.URL, dialect
		}
		whole, err := newTranscriber(t, c).Transcribe(t.Context(), sound.request())
		require.NoError(t, err)
		s.Break(nil, backendtest.Answer("application/json", `{"error":"failed to process audio"}`))
		_, err = newTranscriber(t, c).Transcribe(t.Context(), sound.request())
		require.ErrorContains(t, err, "failed to process audio")
		again, err := newTranscriber(t, c).Transcribe(t.Context(), sound.request())
		require.NoError(t, err)
		require.Equal(t, whole.Words, again.Words)
	}
}
