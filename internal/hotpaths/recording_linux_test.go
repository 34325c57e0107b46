package hotpaths_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/internal/hotpaths"
	"github.com/soundstage-dev/soundstage/render"
)

// listened counts the sound that is decoded and the probes.
type listened struct {
	engine.Media
	bytes, probes atomic.Int64
}

func (l *listened) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	l.probes.Add(1)
	return l.Media.Probe(ctx, src)
}

func (l *listened) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	pcm, err := l.Media.Decode(ctx, src)
	if err != nil {
		return nil, err
	}
	before := int64(0)
	return media.Counted(pcm, func(n int64) { l.bytes.Add(n - before); before = n }), nil
}

// transactions counts the transactions of a Store, and the events that they write.
type transactions struct {
	engine.Store
	views, updates, eventful, events atomic.Int64
}

func (s *transactions) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	s.views.Add(1)
	return s.Store.View(ctx, fn)
}

func (s *transactions) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.updates.Add(1)
	counted := eventTx{}
	err := s.Store.Update(ctx, func(tx engine.Tx) error {
		counted = eventTx{Tx: tx}
		return fn(&counted)
	})
	s.events.Add(counted.events)
	if counted.events > 0 {
		s.eventful.Add(1)
	}
	return err
}

func (s *transactions) Exclusive() bool { return true }

type eventTx struct {
	engine.Tx
	events int64
}

func (tx *eventTx) AppendEvent(v engine.Event) (int64, error) {
	tx.events++
	return tx.Tx.AppendEvent(v)
}

// receiver accepts webhooks.
type receiver struct{ sent, bytes atomic.Int64 }

func (r *receiver) Check(context.Context, string) error { return nil }

func (r *receiver) Send(_ context.Context, req engine.SendRequest) (engine.SendResponse, error) {
	r.sent.Add(1)
	r.bytes.Add(int64(len(req.Body)))
	return engine.SendResponse{Status: 200}, nil
}

// unlabelled is a Transcriber whose words have turns but no speakers, as in the sandbox. So a job labels them.
type unlabelled struct{ engine.Transcriber }

func (u unlabelled) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	heard, err := u.Transcriber.Transcribe(ctx, req)
	for i := range heard.Words {
		heard.Words[i].Speaker = ""
	}
	return heard, err
}

// program returns a program that makes an empty file in a folder at each start and becomes another. It may not write bytes: their number is
// limited.
func program(t *testing.T, name, folder string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\n: >'%s'/$$\nexec %s \"$@\"\n", folder, name), 0o700))
	return path
}

// recording counts what one MP3 costs, from its file to a transcript with speakers, its texts, and the webhooks about them.
func recording(t *testing.T) []hotpaths.Count {
	starts := t.TempDir()
	ffmpeg := render.FFmpeg{FFmpeg: program(t, "ffmpeg", starts), FFprobe: program(t, "ffprobe", starts)}
	if err := (render.FFmpeg{}).Check(t.Context()); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), err)
		t.Skip(err)
	}
	decoder, store, hook := &listened{Media: ffmpeg}, &transactions{Store: memory.NewStore()}, &receiver{}
	e, err := engine.New(engine.Config{
		Store: store, Blobs: memory.NewBlobs(), Media: decoder, Transcriber: unlabelled{&fake.Transcriber{Media: decoder, Diarizer: diarize.Diarizer{}}},
		Diarizer: diarize.Diarizer{}, LLM: writer.LLM{}, Sender: hook,
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(t, e.Run(ctx)) })
	me, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Studio"})
	require.NoError(t, err)
	_, _, err = e.CreateWebhook(ctx, me, engine.NewWebhook{URL: "https://example.com/hook", Events: engine.EventTypes()})
	require.NoError(t, err)
	views, updates, eventful, events := store.views.Load(), store.updates.Load(), store.eventful.Load(), store.events.Load()
	r, err := e.AddFile(ctx, me, "../../testdata/conversation.mp3", engine.NewFile{})
	require.NoError(t, err)
	r, err = e.WaitRecording(ctx, me, r.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
	require.Eventually(t, func() bool { return idle(t, store.Store) }, time.Minute, time.Millisecond)
	views, updates, eventful, events = store.views.Load()-views, store.updates.Load()-updates, store.eventful.Load()-eventful, store.events.Load()-events
	spoken, err := e.GetRecordingTranscript(ctx, me, r.ID)
	require.NoError(t, err)
	require.Len(t, spoken.Transcript.Labels(), 2)
	stop()
	running.Wait()
	started, err := os.ReadDir(starts)
	require.NoError(t, err)
	const path = "MP3 to transcript and webhooks"
	return []hotpaths.Count{
		{Path: path, What: "seconds decoded per second", Value: float64(decoder.bytes.Load()) / 32_000 / r.Duration.Seconds(), Tolerance: 0},
		{Path: path, What: "probes", Value: float64(decoder.probes.Load())},
		{Path: path, What: "programs started", Value: float64(len(started))},
		{Path: path, What: "write transactions", Value: float64(updates), Tolerance: 0.5},
		{Path: path, What: "write transactions with events", Value: float64(eventful)},
		{Path: path, What: "read transactions", Value: float64(views), Tolerance: 0.5},
		{Path: path, What: "events", Value: float64(events)},
		{Path: path, What: "webhooks sent", Value: float64(hook.sent.Load())},
		{Path: path, What: "bytes of webhooks", Value: float64(hook.bytes.Load()), Tolerance: 0.02},
	}
}

// idle reports whether no job runs or waits.
func idle(t *testing.T, store engine.Store) (done bool) {
	require.NoError(t, store.View(t.Context(), func(tx engine.ReadTx) error {
		leased, err := tx.LeasedJobs()
		if err != nil {
			return err
		}
		waiting, err := tx.WaitingJobs(1)
		done = len(leased) == 0 && (len(waiting) == 0 || waiting[0].RunAt.After(time.Now().Add(time.Minute)))
		return err
	}))
	return done
}

// speakers counts what telling the speakers of a conversation apart allocates.
func speakers(t *testing.T) []hotpaths.Count {
	wav, err := os.ReadFile("../../testdata/conversation.wav")
	require.NoError(t, err)
	return allocated("speakers of 25 s", 0.05, 1, func() {
		turns, err := diarize.Run(t.Context(), bytes.NewReader(wav[44:]), diarize.Config{})
		require.NoError(t, err)
		require.Equal(t, 2, turns.Speakers())
	})
}
