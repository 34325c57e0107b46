package engine_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// closedBlobs are blobs that answer nothing but an error while it is set.
type closedBlobs struct {
	*memory.Blobs
	err atomic.Pointer[engine.Error]
}

func (b *closedBlobs) set(err *engine.Error) { b.err.Store(err) }

func (b *closedBlobs) refused() error {
	if err := b.err.Load(); err != nil {
		return err
	}
	return nil
}

func (b *closedBlobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	if err := b.refused(); err != nil {
		return engine.BlobInfo{}, err
	}
	return b.Blobs.Stat(ctx, key)
}

func (b *closedBlobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	if err := b.refused(); err != nil {
		return err
	}
	return b.Blobs.List(ctx, prefix, fn)
}

// storageOutages are what a storage answers that can't work for some time.
var storageOutages = map[string]*engine.Error{
	"refused credentials": engine.Errorf(engine.CodeUnavailable, "", "The storage refuses the credentials."),
	"no answer":           engine.Errorf(engine.CodeUnavailable, "", "The storage does not answer.").Transient(),
}

// An upload without bytes releases its storage also if the storage can't work for hours when the upload ends.
func TestUploadExpiresAfterOutage(t *testing.T) {
	t.Parallel()
	for name, outage := range storageOutages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				blobs := &closedBlobs{Blobs: memory.NewBlobs()}
				direct, err := files.NewDirect(blobs, files.DirectOptions{URL: "http://example.com/media"})
				require.NoError(t, err)
				s := newStage(t, engine.Config{Blobs: direct.Blobs()})
				defer s.start()()
				u, _, err := s.PresignUpload(t.Context(), s.caller, directWAV(1000))
				require.NoError(t, err)
				time.Sleep(20 * time.Minute)
				blobs.set(outage)
				time.Sleep(3 * time.Hour)
				require.EqualValues(t, 1000, s.storageUsed())
				blobs.set(nil)
				time.Sleep(time.Hour)
				require.Zero(t, s.storageUsed())
				u, err = s.GetUpload(t.Context(), u.ID)
				require.NoError(t, err)
				require.Equal(t, engine.UploadExpired, u.Status)
			})
		})
	}
}

// A clean-up job removes its blobs also after an outage of hours.
func TestCleanUpAfterOutage(t *testing.T) {
	t.Parallel()
	for kind, key := range map[queue.Kind]string{
		engine.JobTranscriptClean: "transcripts/row/words-1.json", engine.JobRenderClean: "renders/row/1.mp4", engine.JobImportClean: "imports/row/media-1",
		engine.JobUploadExpire: "uploads/row/a",
	} {
		for name, outage := range storageOutages {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					blobs := &closedBlobs{Blobs: memory.NewBlobs()}
					s := newStage(t, engine.Config{Blobs: blobs})
					s.blobs = blobs.Blobs
					directStage{stage: s}.put(key, riff)
					blobs.set(outage)
					s.enqueue(kind, "row")
					defer s.start()()
					time.Sleep(3 * time.Hour)
					require.Equal(t, []string{key}, s.keys())
					blobs.set(nil)
					time.Sleep(time.Hour)
					require.Empty(t, s.keys())
				})
			})
		}
	}
}

// enqueue enqueues a job of ClassMaintain about a row.
func (s *stage) enqueue(kind queue.Kind, ref string) queue.ID {
	s.t.Helper()
	id := queue.ID(kind)
	require.NoError(s.t, s.store.Update(s.t.Context(), func(tx engine.Tx) error {
		return tx.Enqueue(queue.Job{
			ID: id, Kind: kind, Key: queue.Key(kind, ref), Ref: ref, Class: queue.ClassMaintain, Status: queue.Queued, RunAt: s.Now(), CreatedAt: s.Now(),
		})
	}))
	return id
}

// No job that removes something is given up, also if an operator cancels it.
func TestCanceledCleanUp(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	for _, kind := range []queue.Kind{
		engine.JobTranscriptClean, engine.JobRenderClean, engine.JobImportClean, engine.JobUploadExpire, engine.JobDeliveryExpire,
		engine.JobRecordingDelete, engine.JobRecordingExpire, engine.JobSpeakerForget,
	} {
		require.NoError(t, s.CancelJob(t.Context(), s.enqueue(kind, "row")), kind)
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			j, err := tx.JobByKey(queue.Key(kind, "row") + ":again")
			require.NoError(t, err, kind)
			require.Equal(t, queue.Queued, j.Status)
			return nil
		}))
	}
}

// A retried render waits until what the failed try left is removed, and not for the time of the clean-up's next attempt. So the clean-up
// doesn't remove its video.
func TestRetryRenderAfterOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		blobs, broken := &closedBlobs{Blobs: memory.NewBlobs()}, fails(1)
		s := newStage(t, engine.Config{Blobs: blobs, Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			if err := broken(); err != nil {
				blobs.set(storageOutages["refused credentials"])
				return "", err
			}
			_, err := io.WriteString(req.Output, "video")
			return "", err
		})})
		defer s.start()()
		first := s.render(engine.NewRender{})
		_, err := s.WaitRender(t.Context(), s.caller, first.ID)
		require.ErrorContains(t, err, "Broken.")
		time.Sleep(3 * time.Hour)
		again, err := s.RetryRender(t.Context(), s.caller, first.ID)
		require.NoError(t, err)
		_, err = s.WaitRender(t.Context(), s.caller, again.ID)
		require.ErrorContains(t, err, "not removed yet")
		require.Less(t, s.Now().Sub(again.UpdatedAt), time.Minute)
		blobs.set(nil)
		again, err = s.RetryRender(t.Context(), s.caller, first.ID)
		require.NoError(t, err)
		done, err := s.WaitRender(t.Context(), s.caller, first.ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, done.Status)
		require.Less(t, s.Now().Sub(again.UpdatedAt), time.Minute)
		time.Sleep(time.Hour)
		body, err := s.OpenAsset(t.Context(), s.caller, first.ID, 0, -1)
		require.NoError(t, err)
		require.NoError(t, body.Close())
	})
}

// hasten hastens the waiting job about a row, three times, and waits for it each time.
func (s *stage) hasten(ref string) {
	s.t.Helper()
	for range 3 {
		var id queue.ID
		require.NoError(s.t, s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
			jobs, err := tx.JobsOf(ref)
			for _, j := range jobs {
				if j.Status.Waiting() {
					id = j.ID
				}
			}
			return err
		}))
		require.NotEmpty(s.t, id, "no job about %s waits", ref)
		require.NoError(s.t, s.HastenJob(s.t.Context(), id))
		time.Sleep(time.Second)
	}
}

// A clean-up that an operator hastens also runs at its time, so that nothing is left.
func TestHastenedUploadExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		stored := s.upload()
		late, latePut := s.presign()
		deleted, deletedPut := s.presign()
		s.send(deletedPut, strings.NewReader(riff))
		r, err := s.use(deleted.ID)
		require.NoError(t, err)
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		time.Sleep(10 * time.Minute)
		s.hasten(string(deleted.ID))
		s.send(deletedPut, strings.NewReader(riff))
		in, out := io.Pipe()
		status := make(chan int, 1)
		go func() {
			code, _ := s.send(latePut, in)
			status <- code
		}()
		time.Sleep(30 * time.Minute)
		s.hasten(string(stored.ID))
		s.hasten(string(late.ID))
		_, err = io.WriteString(out, riff)
		require.NoError(t, err)
		require.NoError(t, out.Close())
		require.Equal(t, http.StatusOK, <-status)
		require.Len(t, s.keys(), 3)
		time.Sleep(25 * time.Hour)
		require.Empty(t, s.keys())
		require.Zero(t, s.storageUsed())
		for _, id := range []engine.UploadID{stored.ID, late.ID, deleted.ID} {
			require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
				jobs, err := tx.JobsOf(string(id))
				for _, j := range jobs {
					require.True(t, j.Status.Terminal(), j.Key)
				}
				return err
			}))
		}
	})
}

// So does the clean-up of deliveries, for the deliveries that were too young.
func TestHastenedDeliveryExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{WebhookRetry: []time.Duration{}}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		s.test(w.ID)
		s.hasten(s.Now().Format(time.DateOnly))
		require.Len(t, s.deliveries(w.ID), 1)
		time.Sleep(32 * 24 * time.Hour)
		require.Empty(t, s.deliveries(w.ID))
	})
}
