package engine_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// fails returns a function that returns an error for the first n calls.
func fails(n int) func() error {
	calls := 0
	return func() error {
		if calls++; calls <= n {
			return engine.Errorf(engine.CodeBadMedia, "Test", "Broken.").WithHint("Mend it.")
		}
		return nil
	}
}

// slowBlobs needs a minute to delete a blob, so that clean-up jobs take long.
type slowBlobs struct{ *memory.Blobs }

func (b slowBlobs) Delete(ctx context.Context, key string) error {
	time.Sleep(time.Minute)
	return b.Blobs.Delete(ctx, key)
}

// A failed render is retried with its settings, and its video isn't removed with what the first try left.
func TestRetryRender(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		blobs, broken := memory.NewBlobs(), fails(1)
		s := newStage(t, engine.Config{Blobs: slowBlobs{blobs}, Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			if err := broken(); err != nil {
				return "", err
			}
			_, err := io.WriteString(req.Output, "video")
			return "", err
		})})
		stop := s.start()
		first := s.render(engine.NewRender{Title: "Mine"})
		_, err := s.RetryRender(t.Context(), s.caller, first.ID)
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, "The render has not failed: its status is rendering.", engine.Message(err))
		failed, err := s.WaitRender(t.Context(), s.caller, first.ID)
		require.ErrorContains(t, err, "Broken.")
		require.Equal(t, []any{engine.RenderFailed, "Broken. Mend it.", "Mend it."}, []any{failed.Status, failed.Message, failed.ErrorHint})
		// What a try of the first job could have left, in the place of the retried one's video.
		w, err := blobs.Create(t.Context(), "renders/"+string(first.ID)+"/1.mp4", engine.BlobMeta{})
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, err)

		_, err = s.RetryRender(t.Context(), s.otherCaller(), first.ID)
		requireCode(t, engine.CodeNotFound, err)
		again, err := s.RetryRender(t.Context(), s.caller, first.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.RenderRendering, "Waiting.", "", engine.Code(""), 0.0}, []any{again.Status, again.Message, again.ErrorHint, again.ErrorCode, again.Progress})
		done, err := s.WaitRender(t.Context(), s.caller, first.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.RenderCompleted, "Mine", first.Window}, []any{done.Status, done.Title, done.Window})
		time.Sleep(time.Hour)
		body, err := s.OpenAsset(t.Context(), s.caller, first.ID, 0, -1)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		_, err = s.RetryRender(t.Context(), s.caller, first.ID)
		requireCode(t, engine.CodeConflict, err)
		stop()
	})
}

// A failed output is retried; a canceled one is not.
func TestRetryOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := fails(1)
		s := newStage(t, engine.Config{LLM: drafts(func(context.Context, engine.WriteRequest) (string, error) { return "Text.", broken() })})
		s.disableAutoGenerate()
		stop := s.start()
		r := s.completed()
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Write."})
		require.NoError(t, err)
		_, err = s.RetryOutput(t.Context(), s.caller, o.ID)
		requireCode(t, engine.CodeConflict, err)
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.ErrorContains(t, err, "Broken.")
		require.Equal(t, []any{engine.OutputFailed, "Broken."}, []any{o.Status, o.Error})
		_, err = s.RetryOutput(t.Context(), s.otherCaller(), o.ID)
		requireCode(t, engine.CodeNotFound, err)
		o, err = s.RetryOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.OutputQueued, "", "", engine.Code("")}, []any{o.Status, o.Error, o.ErrorHint, o.ErrorCode})
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.OutputCompleted, "Text."}, []any{o.Status, o.Text})
		stop()
		o, err = s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Write."})
		require.NoError(t, err)
		require.NoError(t, s.CancelOutput(t.Context(), s.caller, o.ID))
		_, err = s.RetryOutput(t.Context(), s.caller, o.ID)
		requireCode(t, engine.CodeConflict, err)
	})
}

// A failed import is retried, unless its external id is taken.
func TestRetryImport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := fails(2)
		s := newStage(t, engine.Config{Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			if err := broken(); err != nil {
				return engine.FetchInfo{}, err
			}
			return fetchesAnything(ctx, r, w)
		})})
		stop := s.start()
		var failed []engine.Import
		for range 2 {
			i := s.imported(s.importing(engine.NewImport{Tags: engine.Tags{ExternalID: "mine"}}).ID)
			require.Equal(t, []any{engine.ImportError, "Broken."}, []any{i.Status, i.Error})
			failed = append(failed, i)
		}
		_, err := s.RetryImport(t.Context(), s.otherCaller(), failed[0].ID)
		requireCode(t, engine.CodeNotFound, err)
		again, err := s.RetryImport(t.Context(), s.caller, failed[0].ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.ImportQueued, "", "", engine.Code(""), 0.0}, []any{again.Status, again.Error, again.ErrorHint, again.ErrorCode, again.Progress})
		done := s.imported(failed[0].ID)
		require.Equal(t, engine.ImportCompleted, done.Status)
		time.Sleep(time.Hour)
		body, err := s.OpenMedia(t.Context(), s.caller, done.RecordingID, 0, -1)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		_, err = s.RetryImport(t.Context(), s.caller, failed[0].ID)
		requireCode(t, engine.CodeConflict, err)
		_, err = s.RetryImport(t.Context(), s.caller, failed[1].ID)
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, `Another recording or import has the external id "mine".`, engine.Message(err))
		stop()
	})
}

// A failed import of a feed's item is retried, unless the feed was imported again and has its item by now.
func TestRetryImportOfItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := fails(2)
		s := feedStage(t, engine.Config{Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			if err := broken(); err != nil {
				return engine.FetchInfo{}, err
			}
			return fetchesAnything(ctx, r, w)
		})}, feedItem("a"))
		defer s.start()()
		first := s.imported(s.feed(0).Imports[0].ID)
		second := s.imported(s.feed(0).Imports[0].ID)
		require.Equal(t, []engine.ImportStatus{engine.ImportError, engine.ImportError}, []engine.ImportStatus{first.Status, second.Status})
		_, err := s.RetryImport(t.Context(), s.caller, second.ID)
		require.NoError(t, err)
		_, err = s.RetryImport(t.Context(), s.caller, first.ID)
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, "Another import has the item of the feed.", engine.Message(err))
		require.Equal(t, engine.ImportCompleted, s.imported(second.ID).Status)
		_, err = s.RetryImport(t.Context(), s.caller, first.ID)
		requireCode(t, engine.CodeConflict, err)
		page, err := s.ListRecordings(t.Context(), s.caller, engine.ListRecordings{})
		require.NoError(t, err)
		require.Len(t, page.Recordings, 1)
	})
}

// A failed transcript of a URL is downloaded again.
func TestRetryTranscriptOfURL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := fails(1)
		s := newStage(t, engine.Config{Blobs: slowBlobs{memory.NewBlobs()}, Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			if err := broken(); err != nil {
				return engine.Transcription{}, err
			}
			time.Sleep(5 * time.Minute)
			body, err := req.Source.Open(ctx, 0, -1)
			if err != nil {
				return engine.Transcription{}, err
			}
			require.NoError(t, body.Close())
			return says(chat)(ctx, req)
		})})
		stop := s.start()
		n, err := s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://media.example/talk.mp3"})
		require.NoError(t, err)
		failed, err := s.WaitTranscript(t.Context(), s.caller, n.ID)
		require.ErrorContains(t, err, "Broken.")
		require.Equal(t, []any{engine.TranscriptError, "Broken."}, []any{failed.Status, failed.Error})
		_, err = s.RetryTranscript(t.Context(), s.otherCaller(), n.ID)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.RetryTranscript(t.Context(), s.caller, n.ID)
		require.NoError(t, err)
		done, err := s.WaitTranscript(t.Context(), s.caller, n.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, done.Status)
		require.NotEmpty(t, done.Utterances)
		stop()
	})
}
