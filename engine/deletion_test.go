package engine_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A deleted recording can't be read in any way as soon as the call returns, even if no job has run. Other recordings stay.
func TestDeleteRecording(t *testing.T) {
	t.Parallel()
	s := quietStage(t, engine.Config{Renderer: drawsSlowly(0), LLM: writes(func(context.Context, engine.WriteRequest) (string, error) { return "Hello [1.1].", nil })})
	stop := s.start()
	add := func(id string) engine.Recording {
		r, err := s.AddReader(t.Context(), s.caller, strings.NewReader("bytes"), engine.NewFile{NewRecording: engine.NewRecording{Title: "Talk " + id, Tags: engine.Tags{ExternalID: id}}})
		require.NoError(t, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		return r
	}
	r, other := add("one"), add("two")
	o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Sum it up."})
	require.NoError(t, err)
	_, err = s.WaitOutput(t.Context(), s.caller, o.ID)
	require.NoError(t, err)
	v, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 1500)})
	require.NoError(t, err)
	_, err = s.WaitRender(t.Context(), s.caller, v.ID)
	require.NoError(t, err)
	both := s.chat("Who?", other.ID, r.ID)
	stop()

	requireCode(t, engine.CodeNotFound, s.DeleteRecording(t.Context(), s.otherCaller(), r.ID))
	require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
	for name, ask := range map[string]func() error{
		"recording":   func() error { _, _, err := s.GetRecording(t.Context(), s.caller, r.ID); return err },
		"media":       func() error { _, err := s.OpenMedia(t.Context(), s.caller, r.ID, 0, -1); return err },
		"transcript":  func() error { _, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID); return err },
		"output":      func() error { _, err := s.GetOutput(t.Context(), s.caller, o.ID); return err },
		"outputs":     func() error { _, err := s.ListOutputs(t.Context(), s.caller, r.ID, ""); return err },
		"render":      func() error { _, err := s.GetRender(t.Context(), s.caller, v.ID); return err },
		"video":       func() error { _, err := s.OpenAsset(t.Context(), s.caller, v.ID, 0, -1); return err },
		"suggestions": func() error { _, err := s.ListSuggestions(t.Context(), s.caller, r.ID, true); return err },
		"labels":      func() error { _, err := s.ListLabels(t.Context(), s.caller, r.ID); return err },
		"chat":        func() error { _, err := s.GetChat(t.Context(), s.caller, both.ID); return err },
		"upload":      func() error { _, err := s.GetUpload(t.Context(), r.UploadID); return err },
		"wait":        func() error { _, err := s.WaitRecording(t.Context(), s.caller, r.ID); return err },
		"twice":       func() error { return s.DeleteRecording(t.Context(), s.caller, r.ID) },
		"update": func() error {
			_, err := s.UpdateRecording(t.Context(), s.caller, r.ID, func(*engine.Recording) error { return nil })
			return err
		},
	} {
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(ask()), name)
	}
	require.Equal(t, []engine.Recording{other}, s.recordings())
	found, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "Hello"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, other.ID, found[0].RecordingID)

	defer s.start()()
	again := add("one")
	require.NotEqual(t, r.ID, again.ID, "the external id must be free at once")
	s.awaitDeletion(r.ID)
	require.ElementsMatch(t, []string{other.BlobKey, again.BlobKey}, s.keys())
	require.Equal(t, int64(10), s.storage())
}

// awaitDeletion waits until nothing is left of a deleted recording; the engine must be running.
func (s *stage) awaitDeletion(id engine.RecordingID) {
	s.t.Helper()
	for {
		changed := s.Changes()
		err := s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
			_, err := tx.DeletionOf(id)
			return err
		})
		if engine.CodeOf(err) == engine.CodeNotFound {
			return
		}
		require.NoError(s.t, err)
		<-changed
	}
}

// The deletion of an imported recording removes the import, so that its feed item and external id are free.
func TestDeleteImportedRecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Fetcher: serves("media bytes", "talk.mp3")})
		defer s.start()()
		i := s.imported(s.importing(engine.NewImport{Tags: engine.Tags{ExternalID: "x"}}).ID)
		require.Equal(t, int64(11), s.storage())
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, i.RecordingID))
		_, err := s.GetImport(t.Context(), s.caller, i.ID)
		requireCode(t, engine.CodeNotFound, err)
		s.awaitDeletion(i.RecordingID)
		require.Empty(t, s.keys())
		require.Zero(t, s.storage())
		again := s.imported(s.importing(engine.NewImport{Tags: engine.Tags{ExternalID: "x"}}).ID)
		require.NotEqual(t, i.ID, again.ID)
	})
}

// stubborn is a Renderer that doesn't stop when it is asked to, and then writes its video.
func stubborn(began, done chan struct{}) draws {
	return func(_ context.Context, req engine.RenderRequest) (string, error) {
		close(began)
		<-done
		_, err := io.WriteString(req.Output, "video")
		return "", err
	}
}

// A render that runs while its recording is deleted ends, and leaves nothing behind even if it writes its video after the deletion.
func TestDeleteDuringRender(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]engine.Store{"one process": exclusive{memory.NewStore()}, "many": memory.NewStore()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began, done := make(chan struct{}), make(chan struct{})
				s := newStage(t, engine.Config{Store: store, Renderer: stubborn(began, done)})
				stop := s.start()
				v := s.render(engine.NewRender{})
				<-began
				require.NoError(t, s.DeleteRecording(t.Context(), s.caller, v.RecordingID))
				time.Sleep(time.Hour)
				late := len(s.keys()) == 0
				close(done)
				time.Sleep(time.Hour)
				s.requireForgotten(v.RecordingID, string(v.ID))
				require.Equal(t, name == "many", late, "with leases, the deletion ends before the render does")
				stop()
			})
		})
	}
}

// A checkpoint that a lost transcriber saves after the deletion of its recording is removed.
func TestDeleteBeforeCheckpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		done, saved := make(chan struct{}), make(chan error, 1)
		s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			<-done
			saved <- req.Checkpoints.Save(context.WithoutCancel(ctx), "note", []byte("Hello"))
			return engine.Transcription{}, errors.New("no")
		})})
		stop := s.start()
		r := s.record()
		synctest.Wait()
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		time.Sleep(time.Hour)
		require.Empty(t, s.keys())
		close(done)
		requireCode(t, engine.CodeNotFound, <-saved)
		s.requireForgotten(r.ID, string(r.TranscriptID))
		stop()
	})
}

// requireForgotten checks that no bytes, no storage, and no job about a recording are left.
func (s *stage) requireForgotten(id engine.RecordingID, refs ...string) {
	s.t.Helper()
	require.Empty(s.t, s.keys())
	require.Zero(s.t, s.storage())
	require.NoError(s.t, s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
		for _, ref := range append(refs, string(id)) {
			jobs, err := tx.JobsOf(ref)
			require.NoError(s.t, err)
			require.Empty(s.t, jobs, ref)
		}
		_, err := tx.DeletionOf(id)
		requireCode(s.t, engine.CodeNotFound, err)
		renders, err := tx.Renders(id)
		require.Empty(s.t, renders)
		return err
	}))
}

// The transcription of a deleted recording stops, whether it runs or waits. Its webhook isn't called, and nothing is left.
func TestDeleteDuringTranscription(t *testing.T) {
	t.Parallel()
	for name, running := range map[string]bool{"running": true, "waiting": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				stopped := make(chan error, 1)
				s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
					if err := req.Checkpoints.Save(ctx, "note", []byte("Hello")); err != nil {
						return engine.Transcription{}, err
					}
					<-ctx.Done()
					stopped <- context.Cause(ctx)
					return engine.Transcription{}, context.Cause(ctx)
				})})
				stop := func() {}
				if running {
					stop = s.start()
				}
				r := s.record()
				synctest.Wait()
				require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
				if running {
					require.ErrorIs(t, <-stopped, queue.ErrCanceled)
				} else {
					stop = s.start()
				}
				time.Sleep(time.Minute)
				require.Empty(t, stopped)
				s.requireForgotten(r.ID, string(r.TranscriptID), string(r.UploadID))
				stop()
			})
		})
	}
}

// Nothing that is made while a recording is deleted is written afterwards: an output, a translation.
func TestDeleteDuringGeneration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, done := make(chan struct{}, 2), make(chan struct{})
		s := quietStage(t, engine.Config{
			LLM: writes(func(context.Context, engine.WriteRequest) (string, error) {
				began <- struct{}{}
				<-done
				return "Late text.", nil
			}),
			Translator: translates(func(req engine.TranslateRequest) ([]string, error) {
				began <- struct{}{}
				<-done
				return upperCase(req)
			}),
		})
		defer s.start()()
		r := s.completed()
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Sum it up."})
		require.NoError(t, err)
		translated := make(chan error, 1)
		go func() {
			_, err := s.TranslateTranscript(t.Context(), s.caller, r.ID, "de")
			translated <- err
		}()
		<-began
		<-began
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		close(done)
		requireCode(t, engine.CodeNotFound, <-translated)
		time.Sleep(time.Minute)
		s.requireForgotten(r.ID, string(o.ID))
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			_, err := tx.Output(o.ID)
			requireCode(t, engine.CodeNotFound, err)
			_, err = tx.Translation(r.TranscriptID, "de")
			requireCode(t, engine.CodeNotFound, err)
			return nil
		}))
		found, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "late"})
		require.NoError(t, err)
		require.Empty(t, found)
	})
}

// undeletable is a Blobs that can't delete until it is mended.
type undeletable struct {
	engine.Blobs
	until time.Time
}

func (b undeletable) Delete(ctx context.Context, key string) error {
	if time.Now().Before(b.until) {
		return errors.New("no")
	}
	return b.Blobs.Delete(ctx, key)
}

// A deletion is never given up: not when an operator cancels its job, and not when the storage fails for days.
func TestDeletionIsNotGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		e, err := engine.New(engine.Config{Store: s.store, Blobs: undeletable{s.blobs, time.Now().Add(50 * time.Hour)}, Media: minuteOfSound(), Transcriber: hears("Hello")})
		require.NoError(t, err)
		s.Engine = e
		r := s.record()
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		var d engine.Deletion
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) (err error) { d, err = tx.DeletionOf(r.ID); return err }))
		n, err := s.cancelDeletion(d)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		defer s.start()()
		time.Sleep(49 * time.Hour)
		require.NotEmpty(t, s.keys())
		time.Sleep(2 * time.Hour)
		s.requireForgotten(r.ID)
	})
}

// cancelDeletion cancels the job of a deletion, as an operator may, and returns how many there were.
func (s *stage) cancelDeletion(d engine.Deletion) (int, error) {
	var jobs []queue.Job
	err := s.store.View(s.t.Context(), func(tx engine.ReadTx) (err error) { jobs, err = tx.JobsOf(string(d.ID)); return err })
	for _, j := range jobs {
		err = errors.Join(err, s.CancelJob(s.t.Context(), j.ID))
	}
	return len(jobs), err
}

// A recording that is being deleted can't be restored before its deletion has ended, because it would lose its media.
func TestRestoreDeleted(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	archive := engine.Archive{Spaces: []engine.ArchiveSpace{{ID: "space", Recordings: []engine.ArchiveRecording{{
		Recording: engine.Recording{ID: "known", Title: "Talk"}, Media: restoredMedia("bytes"),
	}}}}}
	restore := func() error { _, err := s.Restore(t.Context(), s.caller, archive); return err }
	require.NoError(t, restore())
	require.NoError(t, s.DeleteRecording(t.Context(), s.caller, "known"))
	requireCode(t, engine.CodeConflict, restore())
	require.Len(t, s.keys(), 1)
	defer s.start()()
	s.awaitDeletion("known")
	require.Empty(t, s.keys())
	require.NoError(t, restore())
	_, err := s.WaitRecording(t.Context(), s.caller, "known")
	require.NoError(t, err)
	require.Len(t, s.keys(), 1)
	require.Equal(t, int64(5), s.storage())
}
