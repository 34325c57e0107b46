package sim_test

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// timings implements JobSimulator by a function.
type timings func(tx engine.ReadTx, j queue.Job) sim.Timing

func (t timings) Timing(_ context.Context, tx engine.ReadTx, j queue.Job) (sim.Timing, error) {
	return t(tx, j), nil
}

// takes returns a JobSimulator that makes every job begin at once and take d.
func takes(d time.Duration) timings {
	return func(engine.ReadTx, queue.Job) sim.Timing { return sim.Timing{Duration: d, AtOnce: true} }
}

// media implements engine.Media: every file is one minute of sound.
type media struct{}

func (media) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{Format: "wav", Duration: time.Minute, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}, nil
}

func (media) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(make([]byte, 32000))), nil
}

// transcriber transcribes everything as one word, and counts its calls.
type transcriber struct {
	mu    sync.Mutex
	asked int
}

func (t *transcriber) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	t.mu.Lock()
	t.asked++
	t.mu.Unlock()
	return engine.Transcription{Words: []transcript.Word{{Text: "Hello.", Speaker: "A", End: time.Second}}}, nil
}

// exclusive is a memory store that a single engine uses.
type exclusive struct{ *memory.Store }

func (exclusive) Exclusive() bool { return true }

// stage is an engine with simulated jobs.
type stage struct {
	*engine.Engine
	t      *testing.T
	sim    *sim.Simulation
	clock  *clock.Clock
	store  engine.Store
	heard  transcriber
	caller engine.Caller
}

// newStage returns an engine on a clock of the given mode.
func newStage(t *testing.T, mode clock.Mode, jobs sim.JobSimulator, more func(*engine.Config)) *stage {
	t.Helper()
	s := &stage{t: t, store: exclusive{memory.NewStore()}}
	var err error
	s.clock, err = clock.New(clock.Setting{Mode: mode})
	require.NoError(t, err)
	s.sim = sim.New(sim.Config{Clock: s.clock, Store: s.store, Jobs: jobs, AdvanceWait: time.Minute, PollWait: time.Minute})
	c := engine.Config{
		Store: s.store, Blobs: memory.NewBlobs(), Media: media{}, Transcriber: &s.heard, Clock: s.clock, Observer: s.sim,
		Workers: map[queue.Class]int{queue.ClassTranscribe: 1, queue.ClassGenerate: 1, queue.ClassMaintain: 1, queue.ClassDeliver: 2},
	}
	if more != nil {
		more(&c)
	}
	s.Engine, err = engine.New(c)
	require.NoError(t, err)
	s.caller, err = s.CreateAccount(t.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(t, err)
	return s
}

// start runs the engine. The returned function stops it and waits until it has stopped.
func (s *stage) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		require.NoError(s.t, <-done)
	})
}

// record creates a recording from a new upload.
func (s *stage) record() engine.Recording {
	s.t.Helper()
	u, err := s.CreateUpload(s.t.Context(), s.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(s.t, err)
	u, err = s.ReceiveUpload(s.t.Context(), u.ID, bytes.NewReader([]byte("bytes")))
	require.NoError(s.t, err)
	r, _, err := s.CreateRecording(s.t.Context(), s.caller, engine.NewRecording{ObjectID: u.ID})
	require.NoError(s.t, err)
	return r
}

func (s *stage) statusOf(id engine.RecordingID) engine.TranscriptStatus {
	s.t.Helper()
	r, _, err := s.GetRecording(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	return r.TranscriptStatus
}

// bubble runs a test in its own synctest bubble, where sleeping takes no time.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
