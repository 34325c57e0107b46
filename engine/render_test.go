package engine_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// draws is a Renderer implemented by a function.
type draws func(context.Context, engine.RenderRequest) (string, error)

func (d draws) Render(ctx context.Context, req engine.RenderRequest) (string, error) {
	return d(ctx, req)
}

// drawsSlowly writes two halves of a video with a pause between them.
func drawsSlowly(pause time.Duration) draws {
	return func(ctx context.Context, req engine.RenderRequest) (string, error) {
		for i, half := range []string{"vid", "eo"} {
			if _, err := io.WriteString(req.Output, half); err != nil {
				return "", err
			}
			req.Progress(float64(i+1)/2, "Rendering.")
			select {
			case <-ctx.Done():
				return "", context.Cause(ctx)
			case <-time.After(pause):
			}
			req.Progress(0.1, "Rendering.") // progress that falls
		}
		return "An emoji could not be drawn.", nil
	}
}

// render creates a recording with a transcript, and a render of it.
func (s *stage) render(n engine.NewRender) engine.Render {
	s.t.Helper()
	rec := s.record()
	_, err := s.WaitRecording(s.t.Context(), s.caller, rec.ID)
	require.NoError(s.t, err)
	n.RecordingID = rec.ID
	if n.Window.End == 0 {
		n.Window = sample.Window(200, 1500)
	}
	r, err := s.CreateRender(s.t.Context(), s.caller, n)
	require.NoError(s.t, err)
	return r
}

// A render uses the snapped window, reports progress that never falls, and ends with its video.
func TestRender(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got engine.RenderRequest
		s := newStage(t, engine.Config{Renderer: draws(func(ctx context.Context, req engine.RenderRequest) (string, error) {
			got = req
			return drawsSlowly(time.Minute)(ctx, req)
		})})
		stop := s.start()
		r := s.render(engine.NewRender{Title: "Title"})
		require.Equal(t, engine.RenderRendering, r.Status)
		require.Equal(t, engine.StyleAudiogram, r.Style, "the default style without a picture")
		require.Equal(t, engine.AspectVertical, r.AspectRatio)
		require.Equal(t, sample.Window(0, 1900), r.Window)
		_, _, err := s.RenderAsset(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotFound, err)
		last := 0.0
		for r.Status == engine.RenderRendering {
			require.GreaterOrEqual(t, r.Progress, last)
			require.Less(t, r.Progress, 1.0)
			last = r.Progress
			time.Sleep(5 * time.Second)
			r, err = s.GetRender(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
		}
		require.Positive(t, last)
		require.Equal(t, engine.RenderCompleted, r.Status)
		require.Equal(t, 1.0, r.Progress)
		require.Equal(t, "An emoji could not be drawn.", r.Message)
		require.Equal(t, "Title", got.Title)
		require.Len(t, got.Words, 2)
		require.Equal(t, "talk.wav", got.MediaTitle)
		_, info, err := s.RenderAsset(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, int64(5), info.Size)
		body, err := s.OpenAsset(t.Context(), s.caller, r.ID, 1, 3)
		require.NoError(t, err)
		b, err := io.ReadAll(body)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		require.Equal(t, "ide", string(b))
		stop()
	})
}

// An invalid render is refused before anything is queued.
func TestRenderRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Renderer: drawsSlowly(0)})
		waiting := s.record()
		_, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: waiting.ID, Window: sample.Window(0, 1000)})
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "queued")
		stop := s.start()
		rec, err := s.WaitRecording(t.Context(), s.caller, waiting.ID)
		require.NoError(t, err)
		other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
		require.NoError(t, err)
		for name, c := range map[string]struct {
			caller engine.Caller
			ask    engine.NewRender
			want   engine.Code
		}{
			"no recording":      {s.caller, engine.NewRender{Window: sample.Window(0, 1000)}, engine.CodeInvalid},
			"unknown recording": {s.caller, engine.NewRender{RecordingID: "nothing", Window: sample.Window(0, 1000)}, engine.CodeNotFound},
			"another account's": {other, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000)}, engine.CodeNotFound},
			"no window":         {s.caller, engine.NewRender{RecordingID: rec.ID}, engine.CodeInvalid},
			"backwards":         {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(2000, 1000)}, engine.CodeInvalid},
			"too long":          {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 180_001)}, engine.CodeInvalid},
			"outside":           {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(70_000, 80_000)}, engine.CodeInvalid},
			"silence":           {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(30_000, 40_000)}, engine.CodeNoSpeech},
			"unknown aspect":    {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), AspectRatio: "2:1"}, engine.CodeInvalid},
			"unknown style":     {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Style: "loud"}, engine.CodeInvalid},
			"no picture":        {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Style: engine.StylePop}, engine.CodeInvalid},
			"unknown target":    {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Target: "fax"}, engine.CodeInvalid},
			"unknown focus":     {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Focus: "2,2"}, engine.CodeInvalid},
			"unknown snapping":  {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Snap: "page"}, engine.CodeInvalid},
			"nothing to crop":   {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Focus: engine.FocusAuto}, engine.CodeInvalid},
			"control character": {s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1000), Title: "a\x00"}, engine.CodeInvalid},
		} {
			_, err := s.CreateRender(t.Context(), c.caller, c.ask)
			require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
		}
		_, err = s.GetRender(t.Context(), s.caller, "nothing")
		requireCode(t, engine.CodeNotFound, err)
		r := s.render(engine.NewRender{})
		_, err = s.GetRender(t.Context(), other, r.ID)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		stop()
	})
	bare := newStage(t, engine.Config{})
	_, err := bare.CreateRender(t.Context(), bare.caller, engine.NewRender{RecordingID: "x", Window: sample.Window(0, 1000)})
	requireCode(t, engine.CodeUnavailable, err)
}

// A target decides the aspect ratio of a render that asks for none, and the renderer learns it. A window snaps to what the caller asks for.
func TestRenderForTarget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []engine.RenderRequest
		s := newStage(t, engine.Config{Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			asked = append(asked, req)
			return "", nil
		})})
		stop := s.start()
		defer stop()
		for _, n := range []engine.NewRender{
			{Target: engine.TargetLinkedIn}, {Target: engine.TargetLinkedIn, AspectRatio: engine.AspectSquare}, {Window: sample.Window(200, 300)},
			{Window: sample.Window(200, 300), Snap: transcript.SnapSentence},
		} {
			r, err := s.WaitRender(t.Context(), s.caller, s.render(n).ID)
			require.NoError(t, err)
			require.Equal(t, n.Target, r.Target)
		}
		require.Len(t, asked, 4)
		require.Equal(t, engine.AspectPortrait, asked[0].AspectRatio)
		require.Equal(t, engine.TargetLinkedIn, asked[0].Target)
		require.Equal(t, engine.AspectSquare, asked[1].AspectRatio)
		require.Equal(t, engine.AspectVertical, asked[2].AspectRatio)
		require.Greater(t, asked[3].Window.End, asked[2].Window.End, "a sentence is longer than its words inside the window")
	})
}

// A failed or canceled render has a message and leaves no bytes. The next render works.
func TestRenderFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fails := true
		s := newStage(t, engine.Config{Renderer: draws(func(ctx context.Context, req engine.RenderRequest) (string, error) {
			if fails {
				_, _ = io.WriteString(req.Output, "half")
				return "", engine.Errorf(engine.CodeUnavailable, "", "No font for Devanagari was found.").WithHint("Install the Noto fonts.")
			}
			return drawsSlowly(time.Hour)(ctx, req)
		})})
		stop := s.start()
		leaves := func() {
			time.Sleep(time.Hour)
			require.NoError(t, s.blobs.List(t.Context(), "renders/", func(b engine.BlobInfo) error { return fmt.Errorf("%s is left", b.Key) }))
		}
		r := s.render(engine.NewRender{})
		r, err := s.WaitRender(t.Context(), s.caller, r.ID)
		require.Error(t, err)
		require.Equal(t, engine.RenderFailed, r.Status)
		require.Equal(t, "No font for Devanagari was found. Install the Noto fonts.", r.Message)
		leaves()
		fails = false
		r = s.render(engine.NewRender{})
		time.Sleep(time.Minute)
		n, err := s.CancelJobsOf(t.Context(), string(r.ID))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		r, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.Error(t, err)
		require.Equal(t, engine.RenderFailed, r.Status)
		require.Equal(t, "The operation was canceled.", r.Message)
		leaves()
		r = s.render(engine.NewRender{})
		r, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, r.Status)
		stop()
	})
}

// If a process dies during a render, the next one starts from the beginning, removes the first attempt's bytes, and never lowers
// the progress.
func TestRenderAfterCrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStage(t, engine.Config{}).store
		cut := &cuttable{Store: store}
		a := newStage(t, engine.Config{Store: cut, Renderer: drawsSlowly(10 * time.Hour)})
		b := newStage(t, engine.Config{Store: store, Blobs: a.blobs, Renderer: drawsSlowly(time.Second)})
		stopA := a.start()
		r := a.render(engine.NewRender{})
		time.Sleep(time.Minute)
		before, err := b.GetRender(t.Context(), b.caller, r.ID)
		require.NoError(t, err)
		require.Positive(t, before.Progress)
		cut.cut.Store(true)
		stopB := b.start()
		last := before.Progress
		for r.Status == engine.RenderRendering {
			r, err = b.GetRender(t.Context(), b.caller, r.ID)
			require.NoError(t, err)
			require.GreaterOrEqual(t, r.Progress, last)
			last = r.Progress
			time.Sleep(time.Second)
		}
		require.Equal(t, engine.RenderCompleted, r.Status)
		stopA()
		n := 0
		require.NoError(t, a.blobs.List(t.Context(), "renders/", func(engine.BlobInfo) error { n++; return nil }))
		require.Equal(t, 1, n)
		stopB()
	})
}

// slowSource is a Blobs that opens some blobs late and ignores cancellation.
type slowSource struct {
	*memory.Blobs
	wait <-chan struct{}
}

func (s slowSource) Stat(_ context.Context, key string) (engine.BlobInfo, error) {
	<-s.wait
	return s.Blobs.Stat(context.Background(), key)
}

func (s slowSource) List(_ context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	return s.Blobs.List(context.Background(), prefix, fn)
}

func (s slowSource) Delete(_ context.Context, key string) error {
	return s.Blobs.Delete(context.Background(), key)
}

// A paused process that continues a render after another process finished it doesn't remove the finished video.
func TestRenderZombie(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newStage(t, engine.Config{Renderer: drawsSlowly(time.Second)})
		stopB := b.start()
		r := b.completed()
		stopB()
		wakes := make(chan struct{})
		cut := &cuttable{Store: b.store}
		a := newStage(t, engine.Config{Store: cut, Blobs: slowSource{b.blobs, wakes}, Renderer: drawsSlowly(time.Second)})
		v, err := b.CreateRender(t.Context(), b.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 1900)})
		require.NoError(t, err)
		stopA := a.start()
		synctest.Wait()
		cut.cut.Store(true)
		stopB = b.start()
		v, err = b.WaitRender(t.Context(), b.caller, v.ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, v.Status)
		close(wakes)
		stopA()
		_, _, err = b.RenderAsset(t.Context(), b.caller, v.ID)
		require.NoError(t, err)
		stopB()
	})
}

// NaN as progress is ignored.
func TestRenderProgressNaN(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		said := make(chan struct{})
		s := newStage(t, engine.Config{Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
			req.Progress(math.NaN(), "Rendering.")
			<-said
			return "", nil
		})})
		stop := s.start()
		r := s.render(engine.NewRender{})
		synctest.Wait()
		r, err := s.GetRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "Rendering.", r.Message)
		require.Zero(t, r.Progress)
		close(said)
		stop()
	})
}

// The probed duration takes precedence over the stored one.
func TestRenderOfShortenedMedia(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		media := minuteOfSound()
		probe := &media
		var got transcript.Window
		s := newStage(t, engine.Config{Media: mediaOf{probe}, Renderer: draws(func(ctx context.Context, req engine.RenderRequest) (string, error) {
			got = req.Window
			return drawsSlowly(0)(ctx, req)
		})})
		stop := s.start()
		rec := s.record()
		_, err := s.WaitRecording(t.Context(), s.caller, rec.ID)
		require.NoError(t, err)
		probe.info.Duration = 1700 * ms
		r, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(0, 1900)})
		require.NoError(t, err)
		_, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, sample.Window(0, 1700), got)
		probe.info.Duration = 900 * ms
		r, err = s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: rec.ID, Window: sample.Window(1000, 1900)})
		require.NoError(t, err)
		r, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.Error(t, err)
		require.Equal(t, engine.RenderFailed, r.Status)
		require.Contains(t, r.Message, "ends before")
		stop()
	})
}

// mediaOf is a Media whose result can be changed.
type mediaOf struct{ m *stubMedia }

func (m mediaOf) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	return m.m.Probe(ctx, src)
}

func (m mediaOf) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	return m.m.Decode(ctx, src)
}
