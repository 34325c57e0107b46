package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sweep"
)

// store writes an empty blob for each key.
func store(t testing.TB, blobs engine.Blobs, keys ...string) {
	t.Helper()
	for _, key := range keys {
		w, err := blobs.Create(context.Background(), key, engine.BlobMeta{})
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, err)
	}
}

// keys returns the key of every blob.
func keys(t *testing.T, blobs engine.Blobs) (all []string) {
	t.Helper()
	require.NoError(t, blobs.List(t.Context(), "", func(b engine.BlobInfo) error {
		all = append(all, b.Key)
		return nil
	}))
	return all
}

// old are blobs that were stored two days before what their List says.
type old struct{ engine.Blobs }

func (b old) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	return b.Blobs.List(ctx, prefix, func(i engine.BlobInfo) error {
		i.ModTime = i.ModTime.Add(-48 * time.Hour)
		return fn(i)
	})
}

// rows returns a store with an upload, an import, a transcript, and a render in each state that matters.
func rows(t *testing.T) *memory.Store {
	t.Helper()
	s := memory.NewStore()
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(
			tx.PutUpload(engine.Upload{ID: "stored", Status: engine.UploadStored, BlobKey: "uploads/stored/a"}),
			tx.PutUpload(engine.Upload{ID: "used", Status: engine.UploadUsed, BlobKey: "uploads/used/a"}),
			tx.PutUpload(engine.Upload{ID: "expired", Status: engine.UploadExpired}),
			tx.PutImport(engine.Import{ID: "running", Status: engine.ImportProcessing}),
			tx.PutImport(engine.Import{ID: "done", Status: engine.ImportCompleted, RecordingID: "r"}),
			tx.PutImport(engine.Import{ID: "failed", Status: engine.ImportError}),
			tx.PutRecording(engine.Recording{ID: "r", BlobKey: "imports/done/media-2"}),
			tx.PutRecording(engine.Recording{ID: "s", BlobKey: "restored/s/b"}),
			tx.PutTranscript(engine.Transcript{ID: "running", Status: engine.TranscriptProcessing}),
			tx.PutTranscript(engine.Transcript{ID: "done", Status: engine.TranscriptCompleted}),
			tx.PutTranscript(engine.Transcript{ID: "failed", Status: engine.TranscriptError}),
			tx.PutRender(engine.Render{ID: "running", Status: engine.RenderRendering}),
			tx.PutRender(engine.Render{ID: "done", Status: engine.RenderCompleted, BlobKey: "renders/done/2.mp4"}),
			tx.PutRender(engine.Render{ID: "failed", Status: engine.RenderFailed}),
		)
	}))
	return s
}

var needed = []string{
	"imports/done/media-2", "imports/running/media-1", "other/used/b", "renders/done/2.mp4", "renders/running/1.mp4", "restored/nobody/a", "restored/s/b",
	"transcripts/failed/notes/job", "transcripts/running/notes/job",
	"uploads/nobody/a", "uploads/stored/a", "uploads/stored/b", "uploads/used/a",
}

var unneeded = []string{
	"imports/done/media-1", "imports/failed/media-1", "renders/done/1.mp4", "renders/failed/1.mp4", "restored/s/a", "transcripts/done/notes/job",
	"transcripts/done/words-1.json", "transcripts/failed/words-1.json", "uploads/expired/a", "uploads/used/b",
}

// Only blobs of rows that are over and don't name them are removed, once they are a day old.
func TestBlobs(t *testing.T) {
	t.Parallel()
	blobs := memory.NewBlobs()
	store(t, blobs, needed...)
	store(t, blobs, unneeded...)
	all := keys(t, blobs)
	removed, err := sweep.Blobs(t.Context(), rows(t), blobs)
	require.NoError(t, err)
	require.Zero(t, removed)
	require.Equal(t, all, keys(t, blobs))

	removed, err = sweep.Blobs(t.Context(), rows(t), old{blobs})
	require.NoError(t, err)
	require.Equal(t, len(unneeded), removed)
	require.Equal(t, needed, keys(t, blobs))
}

// A dry run finds what a run removes, and removes nothing. No time in the last day is young enough to be a limit.
func TestRun(t *testing.T) {
	t.Parallel()
	blobs := memory.NewBlobs()
	store(t, blobs, needed...)
	store(t, blobs, unneeded...)
	all := keys(t, blobs)
	var found []string
	o := sweep.Options{DryRun: true, Found: func(b engine.BlobInfo) { found = append(found, b.Key) }}
	want := sweep.Result{Blobs: len(unneeded), NoRow: 2}
	for _, before := range []time.Time{{}, time.Now(), time.Now().Add(-47 * time.Hour)} {
		found, o.Before = nil, before
		result, err := sweep.Run(t.Context(), rows(t), old{blobs}, o)
		require.NoError(t, err)
		require.Equal(t, want, result)
		require.ElementsMatch(t, unneeded, found)
		require.Equal(t, all, keys(t, blobs))
	}
	o.Before = time.Now().Add(-49 * time.Hour)
	result, err := sweep.Run(t.Context(), rows(t), old{blobs}, o)
	require.NoError(t, err)
	require.Equal(t, sweep.Result{}, result)
	o.Before = time.Now()
	result, err = sweep.Run(t.Context(), rows(t), blobs, o)
	require.NoError(t, err)
	require.Equal(t, sweep.Result{}, result)

	found, o.DryRun = nil, false
	result, err = sweep.Run(t.Context(), rows(t), old{blobs}, o)
	require.NoError(t, err)
	require.Equal(t, want, result)
	require.ElementsMatch(t, unneeded, found)
	require.Equal(t, needed, keys(t, blobs))
}

// Many blobs are asked for in several transactions.
func TestManyBlobs(t *testing.T) {
	t.Parallel()
	blobs := memory.NewBlobs()
	for i := range 1001 {
		store(t, blobs, fmt.Sprintf("renders/done/%d.mp4", i))
	}
	removed, err := sweep.Blobs(t.Context(), rows(t), old{blobs})
	require.NoError(t, err)
	require.Equal(t, 1000, removed)
	require.Equal(t, []string{"renders/done/2.mp4"}, keys(t, blobs))
}

// sticky are blobs of which one can't be deleted.
type sticky struct{ engine.Blobs }

var errSticky = errors.New("the disk is read-only")

func (s sticky) Delete(ctx context.Context, key string) error {
	if key == "renders/done/1.mp4" {
		return errSticky
	}
	return s.Blobs.Delete(ctx, key)
}

// An error of one blob doesn't keep the others.
func TestErrors(t *testing.T) {
	t.Parallel()
	blobs := memory.NewBlobs()
	store(t, blobs, "imports/failed/media-1", "renders/done/1.mp4", "renders/failed/1.mp4", "uploads/nobody/a")
	removed, err := sweep.Blobs(t.Context(), rows(t), old{sticky{blobs}})
	require.ErrorIs(t, err, errSticky)
	require.Equal(t, 2, removed)
	require.Equal(t, []string{"renders/done/1.mp4", "uploads/nobody/a"}, keys(t, blobs))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = sweep.Blobs(ctx, rows(t), old{blobs})
	require.ErrorIs(t, err, context.Canceled)
}

func ExampleBlobs() {
	rows, blobs := memory.NewStore(), memory.NewBlobs()
	ctx := context.Background()
	err := rows.Update(ctx, func(tx engine.Tx) error {
		return tx.PutRender(engine.Render{ID: "clip", Status: engine.RenderCompleted, BlobKey: "renders/clip/2.mp4"})
	})
	for _, key := range []string{"renders/clip/1.mp4", "renders/clip/2.mp4"} {
		w, createErr := blobs.Create(ctx, key, engine.BlobMeta{})
		_, commitErr := w.Commit()
		err = errors.Join(err, createErr, commitErr)
	}
	removed, sweepErr := sweep.Blobs(ctx, rows, old{blobs})
	fmt.Println(removed, errors.Join(err, sweepErr))
	// Output: 1 <nil>
}
