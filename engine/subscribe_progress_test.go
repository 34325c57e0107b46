package engine_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// reports is a Transcriber that reports progress, a minute apart.
func reports(values ...float64) hear {
	return func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		for _, done := range values {
			req.Progress(done)
			select {
			case <-ctx.Done():
				return engine.Transcription{}, context.Cause(ctx)
			case <-time.After(time.Minute):
			}
		}
		return hears("Hello.")(ctx, req)
	}
}

// collect returns the texts of all events until the context of the subscription ends.
func collect(events func(func(engine.Event, error) bool)) (texts []string) {
	for v, err := range events {
		if err != nil {
			return texts
		}
		texts = append(texts, said(v))
	}
	return texts
}

// Progress comes between the events of its row, within 0 to 1, with the row's ids and the cursor of the last stored event.
func TestProgressEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var late func(float64)
		s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			late = req.Progress
			return reports(-1, 0.25, math.NaN(), 0.5, 7)(ctx, req)
		}), Renderer: draws(drawsSlowly(time.Minute)), Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			r.Progress(1, 2)
			time.Sleep(time.Minute)
			return fetchesAnything(ctx, r, w)
		})})
		defer s.start()()
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		done := make(chan struct{})
		events := s.Subscribe(ctx, s.caller, engine.EventFilter{})
		go func() { got = collect(events); close(done) }()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.NoError(t, err)
		late(0.99) // after the end
		clip, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 500)})
		require.NoError(t, err)
		time.Sleep(30 * time.Second)
		for v, err := range s.Subscribe(t.Context(), s.caller, engine.EventFilter{}) {
			require.NoError(t, err)
			require.Equal(t, engine.Event{
				Number: 5, Kind: engine.KindRenderProgress, At: v.At, UserID: "user", SpaceID: "space", RecordingID: r.ID, RenderID: clip.ID,
				Progress: 0.5, Message: "Rendering.",
			}, v, "a new subscriber gets the latest progress first")
			require.False(t, v.Over())
			break
		}
		_, err = s.WaitRender(t.Context(), s.caller, clip.ID)
		require.NoError(t, err)
		s.imported(s.importing(engine.NewImport{}).ID)
		synctest.Wait()
		cancel()
		<-done
		got = slices.DeleteFunc(got, func(text string) bool { return text == "import.progress0.95" }) // the end may come first
		require.Equal(t, []string{
			"recording.created", "transcript.changed queued", "transcript.changed processing",
			"transcript.progress0.25", "transcript.progress0.50", "transcript.progress1.00", "transcript.changed completed",
			"render.changed rendering", "render.progress0.50", "render.changed completed",
			"import.changed queued", "import.changed processing", "import.progress0.47",
			"recording.created", "transcript.changed queued", "import.changed completed", "transcript.changed processing",
		}, got)
		require.Empty(t, failureTexts(t, s), "nothing is reported of rows that are over")
	})
}

// failureTexts returns the progress that a new subscriber gets at once.
func failureTexts(t *testing.T, s *stage) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan []string, 1)
	go func() {
		got <- collect(s.Subscribe(ctx, s.caller, engine.EventFilter{Kinds: []engine.EventKind{engine.KindRenderProgress, engine.KindImportProgress}}))
	}()
	synctest.Wait()
	cancel()
	return <-got
}

// A slow subscriber delays nobody. It gets every stored event, and only the latest progress of each row.
func TestSlowSubscriber(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: reports(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)})
		defer s.start()()
		began := time.Now()
		var got []string
		progress := 0
		r := s.record()
		for v, err := range s.Subscribe(t.Context(), s.caller, fromStart) {
			require.NoError(t, err)
			if got = append(got, said(v)); v.Kind.Progress() {
				progress++
				time.Sleep(4*time.Minute + time.Second)
			}
			if v.Over() && v.TranscriptID != "" && v.Kind == engine.KindTranscriptChanged {
				break
			}
		}
		require.Equal(t, []string{
			"recording.created", "transcript.changed queued", "transcript.changed processing",
			"transcript.progress0.10", "transcript.progress0.50", "transcript.changed completed",
		}, got)
		require.Equal(t, 6*time.Minute, s.transcript(r.TranscriptID).UpdatedAt.Sub(began), "the work is not delayed")
	})
}

// Events of another engine on the same store come within a second, with those of this engine in one order.
func TestSubscribeAcrossEngines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.NewStore()
		a := newStage(t, engine.Config{Store: store})
		b, err := engine.New(engine.Config{Store: store, Blobs: a.blobs, Media: minuteOfSound(), Transcriber: hears("x"), Fetcher: fetches(fetchesAnything)})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for v, err := range a.Subscribe(ctx, a.caller, engine.EventFilter{Kinds: []engine.EventKind{engine.KindTranscriptChanged}}) {
				if err == nil {
					got = append(got, fmt.Sprint(v.Number, " ", v.TranscriptID))
				}
			}
		}()
		synctest.Wait()
		var want []string
		for i := range 10 {
			e := a.Engine
			if i%2 == 0 {
				e = b
			}
			tr, err := e.CreateTranscript(t.Context(), a.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
			require.NoError(t, err)
			want = append(want, fmt.Sprint(i+1, " ", tr.ID))
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, want, got)
		cancel()
		<-done
	})
}

// A subscriber of one engine sees the events of a space a second after another engine has added it to the space.
func TestMemberAddedElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.NewStore()
		a, b := newStage(t, engine.Config{Store: store}), newStage(t, engine.Config{Store: store, Blobs: memory.NewBlobs()})
		user, err := b.CreateUser(t.Context(), a.caller.AccountID, engine.NewUser{Name: "Other"})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		events := a.Subscribe(ctx, user, engine.EventFilter{})
		got := make(chan []string, 1)
		go func() { got <- collect(events) }()
		synctest.Wait()
		require.NoError(t, b.SetMember(t.Context(), b.caller, "space", user.UserID, engine.RoleMember))
		for range 15 { // events of this engine, which the subscriber may not see, don't delay it
			time.Sleep(100 * time.Millisecond)
			_, err := a.CreateTranscript(t.Context(), a.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
			require.NoError(t, err)
		}
		a.record()
		synctest.Wait()
		cancel()
		require.Equal(t, []string{"recording.created", "transcript.changed queued"}, <-got)
	})
}

// Only the progress of a limited number of rows is kept.
func TestProgressIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		for i := range 5000 {
			engine.ReportProgress(s.Engine, engine.Event{Kind: engine.KindImportProgress, UserID: "user", ImportID: engine.ImportID(fmt.Sprint(i)), Progress: 0.5})
		}
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		done := make(chan struct{})
		go func() { got = collect(s.Subscribe(ctx, s.caller, engine.EventFilter{})); close(done) }()
		synctest.Wait()
		cancel()
		<-done
		require.Len(t, got, 1000)
	})
}
