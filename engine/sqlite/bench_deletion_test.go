package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// BenchmarkDelete deletes a recording of an hour with 100 renders of 1 MiB, from the call to the last byte: on a durable database and in a
// folder. call-ms is what the caller waits.
func BenchmarkDelete(b *testing.B) {
	s, err := sqlite.Open(b.Context(), newPath(b))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	blobs, err := files.New(filepath.Join(b.TempDir(), "blobs"), files.Options{})
	require.NoError(b, err)
	e, err := engine.New(engine.Config{Store: s, Blobs: blobs, Media: wav.Media{}, Transcriber: &fake.Transcriber{Media: wav.Media{}}})
	require.NoError(b, err)
	caller, err := e.CreateAccount(b.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(b, err)
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	var call time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		id := hourWithRenders(b, e, s, blobs, caller)
		b.StartTimer()
		began := time.Now()
		require.NoError(b, e.DeleteRecording(ctx, caller, id))
		call += time.Since(began)
		for !deleted(b, s, id) {
			time.Sleep(time.Millisecond)
		}
	}
	b.ReportMetric(float64(call.Milliseconds())/float64(n), "call-ms")
	cancel()
	require.NoError(b, <-done)
}

// hourWithRenders adds a recording with a transcript of 9,000 words, and 100 renders.
func hourWithRenders(b *testing.B, e *engine.Engine, s engine.Store, blobs engine.Blobs, c engine.Caller) engine.RecordingID {
	b.Helper()
	t := transcript.Transcript{Language: "en", Duration: time.Hour}
	for i := range 600 {
		start := time.Duration(i) * 6 * time.Second
		u := transcript.Utterance{Speaker: "Speaker 0", Start: start, End: start + 6*time.Second, Confidence: 1}
		for w := range 15 {
			at := start + time.Duration(w)*400*time.Millisecond
			u.Words = append(u.Words, transcript.Word{Text: fmt.Sprintf("word%d", i*w%3000), Start: at, End: at + 300*time.Millisecond, Confidence: 1, Speaker: "Speaker 0"})
			u.Text += u.Words[w].Text + " "
		}
		u.Text = strings.TrimSpace(u.Text)
		t.Utterances = append(t.Utterances, u)
	}
	made, err := e.Restore(b.Context(), c, engine.Archive{Spaces: []engine.ArchiveSpace{{Recordings: []engine.ArchiveRecording{{
		Recording: engine.Recording{Title: "Talk"}, Transcript: &t, ContentType: "audio/wav", Media: func() (io.ReadCloser, error) { return os.Open("../../testdata/conversation.wav") },
	}}}}})
	require.NoError(b, err)
	video := strings.Repeat("v", 1<<20)
	update(b, s, func(tx engine.Tx) error {
		for i := range 100 {
			id := fmt.Sprintf("%s-%d", made.Recordings[0], i)
			if err := tx.PutRender(engine.Render{ID: engine.RenderID(id), RecordingID: made.Recordings[0], Status: engine.RenderCompleted, BlobKey: "renders/" + id + "/1.mp4"}); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range 100 {
		w, err := blobs.Create(b.Context(), fmt.Sprintf("renders/%s-%d/1.mp4", made.Recordings[0], i), engine.BlobMeta{ContentType: "video/mp4"})
		require.NoError(b, err)
		_, err = io.WriteString(w, video)
		require.NoError(b, err)
		_, err = w.Commit()
		require.NoError(b, err)
	}
	return made.Recordings[0]
}

func deleted(b *testing.B, s engine.Store, id engine.RecordingID) bool {
	b.Helper()
	err := s.View(b.Context(), func(tx engine.ReadTx) error { _, err := tx.DeletionOf(id); return err })
	if engine.CodeOf(err) == engine.CodeNotFound {
		return true
	}
	require.NoError(b, err)
	return false
}
