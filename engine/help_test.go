package engine_test

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

const ms = time.Millisecond

// stubMedia is a Media that reports one minute of sound for everything.
type stubMedia struct {
	info engine.MediaInfo
	err  error
}

func minuteOfSound() stubMedia {
	return stubMedia{info: engine.MediaInfo{Format: "wav", Duration: time.Minute, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}}
}

func (m stubMedia) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return m.info, m.err
}

func (m stubMedia) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(make([]byte, 32000))), nil
}

// hear is a Transcriber implemented by a function.
type hear func(context.Context, engine.TranscribeRequest) (engine.Transcription, error)

func (h hear) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	return h(ctx, req)
}

// hears is a Transcriber that returns these words of the first speaker.
func hears(words ...string) hear {
	return func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
		var t engine.Transcription
		for i, w := range words {
			t.Words = append(t.Words, sample.Said("A", w, i*1000, i*1000+900))
		}
		return t, nil
	}
}

// fetches is a Fetcher implemented by a function.
type fetches func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error)

func (f fetches) Check(context.Context, string) error { return nil }

func (f fetches) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	return f(ctx, r, w)
}

func fetchesAnything(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	n, err := io.WriteString(w, "media")
	return engine.FetchInfo{URL: r.URL, Size: int64(n)}, err
}

// stage is an engine with its test doubles.
type stage struct {
	*engine.Engine
	t      *testing.T
	store  engine.Store
	blobs  *memory.Blobs
	caller engine.Caller
}

// newStage returns an engine. c needs only what differs from a memory store, a minute of sound, and two words.
func newStage(t *testing.T, c engine.Config) *stage {
	t.Helper()
	s := &stage{t: t, blobs: memory.NewBlobs()}
	if c.Store == nil {
		c.Store = memory.NewStore()
	}
	if c.Blobs == nil {
		c.Blobs = s.blobs
	}
	if c.Media == nil {
		c.Media = minuteOfSound()
	}
	if c.Transcriber == nil {
		c.Transcriber = hears("Hello", "there.")
	}
	if c.Fetcher == nil {
		c.Fetcher = fetches(fetchesAnything)
	}
	if c.Deadline == nil { // simulated work may take any time
		c.Deadline = func(time.Duration) time.Duration { return 1000 * time.Hour }
	}
	s.store = c.Store
	e, err := engine.New(c)
	require.NoError(t, err)
	s.Engine = e
	s.caller, err = e.CreateAccount(t.Context(), engine.NewAccount{Name: "Test", AccountID: "account", UserID: "user", SpaceID: "space"})
	require.NoError(t, err)
	return s
}

// start runs the engine until the returned function is called, which waits for its end.
func (s *stage) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return func() {
		cancel()
		require.NoError(s.t, <-done)
	}
}

// upload creates an upload whose bytes have arrived.
func (s *stage) upload() engine.Upload {
	s.t.Helper()
	u, err := s.CreateUpload(s.t.Context(), s.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(s.t, err)
	u, err = s.ReceiveUpload(s.t.Context(), u.ID, bytes.NewReader([]byte("bytes")))
	require.NoError(s.t, err)
	return u
}

// record creates a recording from a new upload.
func (s *stage) record() engine.Recording {
	s.t.Helper()
	r, _, err := s.CreateRecording(s.t.Context(), s.caller, engine.NewRecording{ObjectID: s.upload().ID})
	require.NoError(s.t, err)
	return r
}

// transcript reads a transcript's row.
func (s *stage) transcript(id engine.TranscriptID) (t engine.Transcript) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(context.Background(), func(tx engine.ReadTx) (err error) {
		t, err = tx.Transcript(id)
		return err
	}))
	return t
}

func requireCode(t *testing.T, want engine.Code, err error) {
	t.Helper()
	require.Equal(t, want, engine.CodeOf(err), "%v", err)
}
