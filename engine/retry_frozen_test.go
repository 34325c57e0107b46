package engine_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sweep"
)

// lateCommits pauses before each blob becomes visible, and ignores cancellation, like a process that is frozen.
type lateCommits struct {
	*memory.Blobs
	wait <-chan struct{}
}

func (b lateCommits) Create(_ context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	w, err := b.Blobs.Create(context.Background(), key, meta)
	return lateCommit{w, b.wait}, err
}

type lateCommit struct {
	engine.BlobWriter
	wait <-chan struct{}
}

func (w lateCommit) Commit() (engine.BlobInfo, error) {
	<-w.wait
	return w.BlobWriter.Commit()
}

// frozen is two processes. The first one freezes while it stores a blob, so that the second one takes its job over.
type frozen struct {
	*stage // the second one
	first  *stage
	cut    *cuttable
	wakes  chan struct{}
}

// newFrozen returns two processes. The work of the second one fails once.
func newFrozen(t *testing.T) *frozen {
	t.Helper()
	f := &frozen{wakes: make(chan struct{})}
	broken := fails(1)
	f.stage = newStage(t, engine.Config{
		Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			_, _ = io.WriteString(req.Output, "retried")
			return "", broken()
		}),
		Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			if err := broken(); err != nil {
				return engine.FetchInfo{}, err
			}
			return serves("retried", "a.mp3")(ctx, r, w)
		}),
	})
	f.cut = &cuttable{Store: f.store}
	f.first = newStage(t, engine.Config{
		Store: f.cut, Blobs: lateCommits{f.blobs, f.wakes}, Fetcher: serves("stale", "a.mp3"),
		Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			_, err := io.WriteString(req.Output, "stale")
			return "", err
		}),
	})
	return f
}

// takeOver runs the first process until it freezes, and starts the second one. The returned function wakes the first one, and waits for its end.
func (f *frozen) takeOver() (wake func()) {
	stop := f.first.start()
	synctest.Wait()
	f.cut.cut.Store(true)
	f.t.Cleanup(f.start())
	return func() {
		close(f.wakes)
		stop()
	}
}

// requireRetried checks the bytes of a retry.
func (f *frozen) requireRetried(open func(ctx context.Context) (io.ReadCloser, error)) {
	f.t.Helper()
	body, err := open(f.t.Context())
	require.NoError(f.t, err)
	got, err := io.ReadAll(body)
	require.NoError(f.t, err)
	require.NoError(f.t, body.Close())
	require.Equal(f.t, "retried", string(got))
}

// A process that is frozen in a render doesn't replace the video of a retry when it continues.
func TestRetryRenderKeepsItsVideo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFrozen(t)
		stop := f.start()
		r := f.completed()
		stop()
		v, err := f.CreateRender(t.Context(), f.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 1900)})
		require.NoError(t, err)
		wake := f.takeOver()
		_, err = f.WaitRender(t.Context(), f.caller, v.ID)
		require.ErrorContains(t, err, "Broken.")
		_, err = f.RetryRender(t.Context(), f.caller, v.ID)
		require.NoError(t, err)
		_, err = f.WaitRender(t.Context(), f.caller, v.ID)
		require.NoError(t, err)
		wake()
		f.requireRetried(func(ctx context.Context) (io.ReadCloser, error) { return f.OpenAsset(ctx, f.caller, v.ID, 0, -1) })
	})
}

// A process that is frozen in an import doesn't replace the media of a retry when it continues.
func TestRetryImportKeepsItsMedia(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFrozen(t)
		i := f.importing(engine.NewImport{})
		wake := f.takeOver()
		require.Equal(t, engine.ImportError, f.imported(i.ID).Status)
		_, err := f.RetryImport(t.Context(), f.caller, i.ID)
		require.NoError(t, err)
		i = f.imported(i.ID)
		require.Equal(t, engine.ImportCompleted, i.Status)
		wake()
		time.Sleep(time.Hour)
		f.requireRetried(func(ctx context.Context) (io.ReadCloser, error) {
			return f.OpenMedia(ctx, f.caller, i.RecordingID, 0, -1)
		})
	})
}

// whileDeleting calls a function before it deletes a blob.
type whileDeleting struct {
	engine.Blobs
	call func()
}

func (b whileDeleting) Delete(ctx context.Context, key string) error {
	b.call()
	return b.Blobs.Delete(ctx, key)
}

// A sweep that removes what a frozen process left of a failed render doesn't remove the video of a retry, which is rendered meanwhile.
func TestSweepDuringRetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFrozen(t)
		stop := f.start()
		r := f.completed()
		stop()
		v, err := f.CreateRender(t.Context(), f.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 1900)})
		require.NoError(t, err)
		wake := f.takeOver()
		_, err = f.WaitRender(t.Context(), f.caller, v.ID)
		require.ErrorContains(t, err, "Broken.")
		time.Sleep(time.Hour) // until the clean-up has ended
		wake()
		time.Sleep(2 * sweep.MinAge)
		removed, err := sweep.Blobs(t.Context(), f.store, whileDeleting{f.blobs, func() {
			_, err := f.RetryRender(t.Context(), f.caller, v.ID)
			require.NoError(t, err)
			_, err = f.WaitRender(t.Context(), f.caller, v.ID)
			require.NoError(t, err)
		}})
		require.NoError(t, err)
		require.Equal(t, 1, removed)
		f.requireRetried(func(ctx context.Context) (io.ReadCloser, error) { return f.OpenAsset(ctx, f.caller, v.ID, 0, -1) })
	})
}
