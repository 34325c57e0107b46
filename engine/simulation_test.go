package engine_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// auditor is a store that checks every committed change of a transcript: transitions are legal, a final status and its words
// never change, and a recording's status equals its transcript's.
type auditor struct {
	engine.Store
	t    *testing.T
	mu   sync.Mutex
	last map[engine.TranscriptID]engine.Transcript
}

var legalMoves = map[engine.TranscriptStatus][]engine.TranscriptStatus{
	"":                          {engine.TranscriptQueued},
	engine.TranscriptQueued:     {engine.TranscriptQueued, engine.TranscriptProcessing, engine.TranscriptError},
	engine.TranscriptProcessing: {engine.TranscriptProcessing, engine.TranscriptCompleted, engine.TranscriptError},
	engine.TranscriptCompleted:  {engine.TranscriptCompleted},
	engine.TranscriptError:      {engine.TranscriptError},
}

func (a *auditor) Update(ctx context.Context, fn func(engine.Tx) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var written []engine.TranscriptID
	if err := a.Store.Update(ctx, func(tx engine.Tx) error {
		written = nil
		return fn(noting{tx, &written})
	}); err != nil {
		return err
	}
	return a.Store.View(context.Background(), func(tx engine.ReadTx) error {
		for _, id := range written {
			t, err := tx.Transcript(id)
			if err != nil {
				return err
			}
			before := a.last[id]
			require.Contains(a.t, legalMoves[before.Status], t.Status, "from %s", before.Status)
			if before.Status == engine.TranscriptCompleted {
				require.Equal(a.t, before.Utterances, t.Utterances)
			}
			if t.RecordingID != "" {
				r, err := tx.Recording(t.RecordingID)
				if err != nil {
					return err
				}
				require.Equal(a.t, t.Status, r.TranscriptStatus)
			}
			a.last[id] = t
		}
		return nil
	})
}

// noting records which transcripts a transaction writes.
type noting struct {
	engine.Tx
	ids *[]engine.TranscriptID
}

func (n noting) PutTranscript(t engine.Transcript) error {
	*n.ids = append(*n.ids, t.ID)
	return n.Tx.PutTranscript(t)
}

// worker is one process of a simulation: an engine that can be disconnected, stopped, and started.
type worker struct {
	*stage
	cut  *cuttable
	stop func()
}

// simulation is one random schedule.
type simulation struct {
	t       *testing.T
	mu      sync.Mutex
	rng     *rand.Rand
	workers []*worker
	blobs   *memory.Blobs
}

// roll returns a random number below n.
func (s *simulation) roll(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rng.IntN(n)
}

// behaviour returns the behaviour of one attempt: its duration, whether it stops when canceled, and its result.
func (s *simulation) behaviour() hear {
	return func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		length, stubborn, end := time.Duration(s.roll(90_000))*ms, s.roll(4) == 0, s.roll(10)
		return delayed(length, stubborn, hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			switch {
			case end < 3:
				return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
			case end == 3:
				return engine.Transcription{}, engine.Errorf(engine.CodeBadMedia, "", "Broken.")
			case end == 4:
				panic("out of luck")
			case end == 5:
				t, err := hears("No", "speaker.").Transcribe(ctx, req)
				for i := range t.Words {
					t.Words[i].Speaker = ""
				}
				return t, err
			}
			return hears("All", "well.").Transcribe(ctx, req)
		})).Transcribe(ctx, req)
	}
}

// Diarize implements the Diarizer of the simulation's engines.
func (s *simulation) Diarize(ctx context.Context, pcm io.Reader, _ transcript.DiarizeOptions) ([]transcript.Turn, error) {
	_, err := io.Copy(io.Discard, pcm)
	return []transcript.Turn{{Start: 0, End: time.Minute}}, err
}

func (s *simulation) disturb() {
	w := s.workers[s.roll(len(s.workers))]
	switch s.roll(5) {
	case 0:
		w.cut.cut.Store(true)
	case 1:
		w.cut.cut.Store(false)
	case 2:
		if w.stop != nil {
			w.stop()
			w.stop = nil
		}
	case 3:
		if w.stop == nil {
			w.stop = w.start()
		}
	}
}

func (s *simulation) run(seed uint64) {
	ctx := context.Background()
	s.rng = rand.New(rand.NewPCG(seed, 0))
	audit := &auditor{Store: memory.NewStore(), t: s.t, last: map[engine.TranscriptID]engine.Transcript{}}
	s.blobs = memory.NewBlobs()
	for i := range 2 {
		cut := &cuttable{Store: audit}
		jitter := rand.New(rand.NewPCG(seed, uint64(i)+1))
		mu := &sync.Mutex{}
		st := newStage(s.t, engine.Config{
			Store: cut, Blobs: s.blobs, Transcriber: s.behaviour(), Diarizer: s,
			Random: func() float64 { mu.Lock(); defer mu.Unlock(); return jitter.Float64() },
		})
		st.blobs = s.blobs
		s.workers = append(s.workers, &worker{stage: st, cut: cut, stop: st.start()})
	}
	healthy := newStage(s.t, engine.Config{Store: audit, Blobs: s.blobs, Transcriber: hears("All", "well.")})
	var ids []engine.TranscriptID
	for range 2 + s.roll(4) {
		if s.roll(3) == 0 {
			tr, err := healthy.CreateTranscript(ctx, healthy.caller, engine.NewTranscript{URL: "https://media.example/talk.mp3"})
			require.NoError(s.t, err)
			ids = append(ids, tr.ID)
		} else {
			ids = append(ids, healthy.record().TranscriptID)
		}
	}
	for range s.roll(12) {
		time.Sleep(time.Duration(s.roll(40_000)) * ms)
		s.disturb()
		if s.roll(6) == 0 {
			_, err := healthy.CancelJobsOf(ctx, string(ids[s.roll(len(ids))]))
			require.NoError(s.t, err)
		}
	}
	for _, w := range s.workers { // workers that are disconnected permanently are dead; the others shut down
		if w.stop != nil {
			w.stop()
		}
	}
	stop := healthy.start()
	for _, id := range ids {
		for i := 0; ; i++ {
			tr := healthy.transcript(id)
			if tr.Status == engine.TranscriptCompleted || tr.Status == engine.TranscriptError {
				require.Equal(s.t, tr.Status == engine.TranscriptError, tr.Error != "")
				break
			}
			require.Less(s.t, i, 10_000, "transcript %s is still %s after hours", id, tr.Status)
			time.Sleep(time.Second)
		}
	}
	stop()
}

// In a thousand random schedules, two workers die, hang, are disconnected, come back, fail, and panic, while callers cancel.
// Every transcript ends exactly once, by legal transitions, and a healthy worker finishes what the others left.
func TestRandomSchedules(t *testing.T) {
	t.Parallel()
	schedules := uint64(1000)
	if testing.Short() {
		schedules = 100
	}
	for seed := range schedules {
		ok := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { (&simulation{t: t}).run(seed) })
		})
		if !ok {
			return
		}
	}
}
