package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// said returns an event as a short text.
func said(v engine.Event) string {
	s := strings.TrimSpace(string(v.Kind) + " " + v.Status)
	if v.Kind.Progress() {
		s += fmt.Sprintf("%.2f", v.Progress)
	}
	if v.Error != "" {
		s += ": " + v.Error
	}
	return s
}

// next returns the next n events of a subscription, as texts.
func next(t *testing.T, n int, events iter.Seq2[engine.Event, error]) (texts []string, last engine.Event) {
	t.Helper()
	for v, err := range events {
		require.NoError(t, err)
		texts, last = append(texts, said(v)), v
		if len(texts) == n {
			break
		}
	}
	return texts, last
}

// failureOf returns the error with which a subscription ends at once.
func failureOf(t *testing.T, events iter.Seq2[engine.Event, error]) error {
	t.Helper()
	for v, err := range events {
		require.Error(t, err, v)
		return err
	}
	return nil
}

var fromStart = engine.EventFilter{After: engine.EventsFromStart}

// onlyStored selects the events that are stored.
func onlyStored(f engine.EventFilter) engine.EventFilter {
	f.Kinds = slices.DeleteFunc(engine.EventKinds(), engine.EventKind.Progress)
	return f
}

// who names the ids of an event by their kind and order: "transcript1" is the first transcript of the log.
type who map[string]string

func (w who) of(v engine.Event) (names string) {
	for _, id := range []struct{ noun, id string }{
		{"user", string(v.UserID)}, {"space", string(v.SpaceID)}, {"recording", string(v.RecordingID)}, {"transcript", string(v.TranscriptID)},
		{"import", string(v.ImportID)}, {"render", string(v.RenderID)}, {"output", string(v.OutputID)}, {"chat", string(v.ChatID)},
	} {
		if id.id == "" {
			continue
		}
		if w[id.id] == "" {
			n := 1
			for slices.Contains(slices.Collect(maps.Values(w)), id.noun+strconv.Itoa(n)) {
				n++
			}
			w[id.id] = id.noun + strconv.Itoa(n)
		}
		names += " " + w[id.id]
	}
	return strings.TrimSpace(names + " " + string(v.Language))
}

// Each status of each row is an event with the ids of the row, in the order in which it happened.
func TestEventsOfEverything(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, scripted(engine.Config{
			LLM:        drafts(func(context.Context, engine.WriteRequest) (string, error) { return "Text.", nil }),
			Renderer:   draws(drawsSlowly(time.Second)),
			Translator: translates(func(r engine.TranslateRequest) ([]string, error) { return r.Texts, nil }),
		}))
		s.disableAutoGenerate()
		defer s.start()()
		r := s.spoken("Lights", "en", monologue)
		clip, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(200, 1500)})
		require.NoError(t, err)
		_, err = s.WaitRender(t.Context(), s.caller, clip.ID)
		require.NoError(t, err)
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "x"})
		require.NoError(t, err)
		_, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		_, err = s.WaitSuggestions(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		_, err = s.WaitTranslation(t.Context(), s.caller, r.ID, "uk")
		require.NoError(t, err)
		c, err := s.CreateChat(t.Context(), s.caller, engine.NewChat{Message: "What?", RecordingIDs: []engine.RecordingID{r.ID}})
		require.NoError(t, err)
		_, err = s.WaitChat(t.Context(), s.caller, c.ID)
		require.NoError(t, err)
		i := s.importing(engine.NewImport{URL: "https://media.example/a.mp3"})
		_, err = s.WaitImport(t.Context(), s.caller, i.ID)
		require.NoError(t, err)

		var got []string
		names := who{"user": "user", "space": "space"}
		for v, err := range s.Subscribe(t.Context(), s.caller, onlyStored(fromStart)) {
			require.NoError(t, err)
			require.WithinDuration(t, time.Now(), v.At, time.Minute)
			if got = append(got, said(v)+": "+names.of(v)); len(got) == 18 {
				break
			}
		}
		require.Equal(t, []string{
			"recording.created: space recording1 transcript1",
			"transcript.changed queued: user space recording1 transcript1",
			"transcript.changed processing: user space recording1 transcript1",
			"transcript.changed completed: user space recording1 transcript1",
			"render.changed rendering: user space recording1 render1",
			"render.changed completed: user space recording1 render1",
			"output.changed queued: user space recording1 output1",
			"output.changed completed: user space recording1 output1",
			"suggestions.made: space recording1",
			"translation.made: user space recording1 transcript1 uk",
			"chat.changed queued: user chat1",
			"chat.changed completed: user chat1",
			"import.changed queued: user space import1",
			"import.changed processing: user space import1",
			"recording.created: space recording2 transcript2 import1",
			"transcript.changed queued: user space recording2 transcript2",
			"import.changed completed: user space recording2 import1",
			"transcript.changed processing: user space recording2 transcript2",
		}, got)
	})
}

// The event of a failed row has the error of the row.
func TestEventOfFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fails := engine.Errorf(engine.CodeBadMedia, "", "The media is broken.").WithHint("Use another file.").WithRule("a.rule")
		s := newStage(t, engine.Config{Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, fails
		})})
		defer s.start()()
		s.record()
		texts, last := next(t, 4, s.Subscribe(t.Context(), s.caller, fromStart))
		require.Equal(t, []string{
			"recording.created", "transcript.changed queued", "transcript.changed processing", "transcript.changed error: The media is broken.",
		}, texts)
		require.True(t, last.Over())
		var err *engine.Error
		require.ErrorAs(t, last.Err(), &err)
		require.Equal(t, []any{fails.Code, fails.Rule, fails.Msg, fails.Hint}, []any{err.Code, err.Rule, err.Msg, err.Hint})
		require.NoError(t, engine.Event{Kind: engine.KindTranscriptChanged, Status: "completed"}.Err())
	})
}

// Subscribe takes its place in the log when it is called: nothing that happens between the call and the loop is missed, and nothing that
// happened before is returned. A loop can be repeated.
func TestSubscribeStartsAtTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		s.record()
		events := s.Subscribe(t.Context(), s.caller, engine.EventFilter{})
		second := s.record()
		for range 2 {
			texts, last := next(t, 2, events)
			require.Equal(t, []string{"recording.created", "transcript.changed queued"}, texts)
			require.Equal(t, second.ID, last.RecordingID)
		}
	})
}

// Going on after the cursor of any event returns what follows it, and nothing twice.
func TestSubscribeAfterCursor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		for range 300 { // more than a batch
			s.record()
		}
		var all []engine.EventCursor
		for v, err := range s.Subscribe(t.Context(), s.caller, fromStart) {
			require.NoError(t, err)
			if all = append(all, v.Cursor()); len(all) == 600 {
				break
			}
		}
		require.Len(t, slices.Compact(slices.Clone(all)), 600)
		for _, i := range []int{0, 1, 255, 256, 257, 511, 598} {
			var rest []engine.EventCursor
			for v, err := range s.Subscribe(t.Context(), s.caller, engine.EventFilter{After: all[i]}) {
				require.NoError(t, err)
				if rest = append(rest, v.Cursor()); len(rest) == 599-i {
					break
				}
			}
			require.Equal(t, all[i+1:], rest)
		}
	})
}

// A filter selects events by kind, space, and recording.
func TestSubscribeFilter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		s.record()
		wanted := s.record()
		other, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Other"})
		require.NoError(t, err)
		u := s.upload()
		elsewhere, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: u.ID, SpaceID: other.ID})
		require.NoError(t, err)
		for _, c := range []struct {
			filter engine.EventFilter
			want   engine.RecordingID
			texts  []string
		}{
			{engine.EventFilter{Recording: wanted.ID}, wanted.ID, []string{"recording.created", "transcript.changed queued"}},
			{engine.EventFilter{Space: other.ID}, elsewhere.ID, []string{"recording.created", "transcript.changed queued"}},
			{engine.EventFilter{Space: other.ID, Kinds: []engine.EventKind{engine.KindTranscriptChanged}}, elsewhere.ID, []string{"transcript.changed queued"}},
		} {
			c.filter.After = engine.EventsFromStart
			texts, last := next(t, len(c.texts), s.Subscribe(t.Context(), s.caller, c.filter))
			require.Equal(t, c.texts, texts)
			require.Equal(t, c.want, last.RecordingID)
		}
	})
}

// A caller sees the events of the caller's spaces, from joining until leaving one, and no other caller's imports, chats, and transcripts of URLs.
func TestSubscribeVisibility(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		other, err := s.CreateUser(t.Context(), s.caller.AccountID, engine.NewUser{Name: "Other"})
		require.NoError(t, err)
		var seen []string
		var failed error
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for v, err := range s.Subscribe(ctx, other, engine.EventFilter{Kinds: []engine.EventKind{engine.KindRecordingCreated, engine.KindTranscriptChanged, engine.KindImportChanged}}) {
				if failed = err; err == nil {
					seen = append(seen, string(v.Kind)+" "+string(v.RecordingID))
				}
			}
		}()
		synctest.Wait()
		s.record()
		synctest.Wait()
		require.Empty(t, seen, "another's space")

		require.NoError(t, s.SetMember(t.Context(), s.caller, s.caller.DefaultSpaceID, other.UserID, engine.RoleMember))
		shared := s.record()
		s.importing(engine.NewImport{URL: "https://media.example/a.mp3"})
		_, err = s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://media.example/b.mp3"})
		require.NoError(t, err)
		synctest.Wait()
		want := []string{"recording.created " + string(shared.ID), "transcript.changed " + string(shared.ID)}
		require.Equal(t, want, seen)

		require.NoError(t, s.RemoveMember(t.Context(), s.caller, s.caller.DefaultSpaceID, other.UserID))
		s.record()
		synctest.Wait()
		require.Equal(t, want, seen)
		_, err = s.CreateTranscript(t.Context(), other, engine.NewTranscript{URL: "https://media.example/c.mp3"})
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, append(want, "transcript.changed "), seen)
		cancel()
		<-done
		requireCode(t, engine.CodeCanceled, failed)

		texts, _ := next(t, 8, s.SubscribeAll(t.Context(), fromStart))
		require.Len(t, texts, 8, "a program that embeds the engine can see everything")
	})
}

// Requests that are not valid end with an error, before anything else.
func TestSubscribeRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		s.record()
		for name, c := range map[string]struct {
			filter engine.EventFilter
			code   engine.Code
		}{
			"text":       {engine.EventFilter{After: "yesterday"}, engine.CodeInvalid},
			"no number":  {engine.EventFilter{After: "ev_"}, engine.CodeInvalid},
			"negative":   {engine.EventFilter{After: "ev_-1"}, engine.CodeInvalid},
			"zeros":      {engine.EventFilter{After: "ev_01"}, engine.CodeInvalid},
			"plus":       {engine.EventFilter{After: "ev_+1"}, engine.CodeInvalid},
			"too large":  {engine.EventFilter{After: "ev_9223372036854775808"}, engine.CodeInvalid},
			"long":       {engine.EventFilter{After: engine.EventCursor(strings.Repeat("x", 1<<20))}, engine.CodeInvalid},
			"future":     {engine.EventFilter{After: "ev_3"}, engine.CodeNotFound},
			"far future": {engine.EventFilter{After: "ev_9223372036854775807"}, engine.CodeNotFound},
			"kind":       {engine.EventFilter{Kinds: []engine.EventKind{"render.started"}}, engine.CodeInvalid},
			"space":      {engine.EventFilter{Space: "other"}, engine.CodeNotFound},
		} {
			err := failureOf(t, s.Subscribe(t.Context(), s.caller, c.filter))
			require.Equal(t, c.code, engine.CodeOf(err), "%s: %v", name, err)
			require.Less(t, len(err.Error()), 400, name)
		}
		texts, _ := next(t, 2, s.Subscribe(t.Context(), s.caller, engine.EventFilter{After: "ev_0"}))
		require.Len(t, texts, 2)
	})
}

// A subscription ends with the error of its context, with CodeUnavailable after Close, and with CodeNotFound when the caller leaves the
// space that it is about.
func TestSubscribeEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		other, err := s.CreateUser(t.Context(), s.caller.AccountID, engine.NewUser{Name: "Other", SpaceID: s.caller.DefaultSpaceID})
		require.NoError(t, err)
		why := errors.New("that's why")
		ctx, cancel := context.WithCancelCause(t.Context())
		ends := make(chan error, 3)
		go func() {
			ends <- failureOf(t, s.Subscribe(t.Context(), other, engine.EventFilter{Space: s.caller.DefaultSpaceID}))
		}()
		synctest.Wait()
		require.NoError(t, s.RemoveMember(t.Context(), s.caller, s.caller.DefaultSpaceID, other.UserID))
		requireCode(t, engine.CodeNotFound, <-ends)
		go func() { ends <- failureOf(t, s.Subscribe(ctx, s.caller, engine.EventFilter{})) }()
		synctest.Wait()
		cancel(why)
		require.ErrorIs(t, <-ends, why)
		go func() { ends <- failureOf(t, s.Subscribe(t.Context(), s.caller, engine.EventFilter{})) }()
		synctest.Wait()
		require.NoError(t, s.Close())
		requireCode(t, engine.CodeUnavailable, <-ends)
	})
}

// The log keeps about EventLimit events. A cursor from before it is CodeNotFound, also for a subscriber that falls behind in its loop.
func TestSubscribeTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{EventLimit: 100})
		s.record()
		early := s.Subscribe(t.Context(), s.caller, fromStart)
		_, first := next(t, 1, early)
		var slow error
		n := 0
		for v, err := range early {
			if slow = err; err == nil {
				if n++; n == 1 {
					for range 1000 {
						s.record()
					}
				}
				require.LessOrEqual(t, v.Number, int64(2), "events before the missing ones may be returned, and none after them")
			}
		}
		requireCode(t, engine.CodeNotFound, slow)
		err := failureOf(t, s.Subscribe(t.Context(), s.caller, engine.EventFilter{After: first.Cursor()}))
		requireCode(t, engine.CodeNotFound, err)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Hint, "list")
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			first, last, err := tx.EventRange()
			require.Equal(t, int64(2002), last)
			require.LessOrEqual(t, last-first, int64(100+64))
			require.GreaterOrEqual(t, last-first+1, int64(100))
			return err
		}))
		texts, _ := next(t, 1, s.Subscribe(t.Context(), s.caller, fromStart))
		require.Len(t, texts, 1)
	})
}

// Events that are older than EventAge are removed as new ones come.
func TestEventAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{EventAge: time.Hour})
		for range 40 {
			s.record()
		}
		time.Sleep(time.Hour + time.Second)
		for range 40 {
			s.record()
		}
		_, first := next(t, 1, s.Subscribe(t.Context(), s.caller, fromStart))
		require.Equal(t, int64(81), first.Number)
	})
}

// A program that stops and starts again goes on after the cursor that it saved: it gets each event once, in order, on a store that was
// closed meanwhile.
func TestSubscribeAfterRestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rows.db")
	var saved engine.EventCursor = engine.EventsFromStart
	var numbers []int64
	blobs := memory.NewBlobs()
	for range 5 {
		store, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true})
		require.NoError(t, err)
		s := newStage(t, engine.Config{Store: store, Blobs: blobs})
		for range 10 {
			s.record()
		}
		n := 0
		for v, err := range s.Subscribe(t.Context(), s.caller, engine.EventFilter{After: saved}) {
			require.NoError(t, err)
			numbers, saved = append(numbers, v.Number), v.Cursor()
			if n++; n == 17 { // and leaves 3
				break
			}
		}
		require.NoError(t, s.Close())
		require.NoError(t, store.Close())
	}
	require.Len(t, numbers, 5*17)
	for i, n := range numbers {
		require.Equal(t, int64(i+1), n)
	}
	require.Equal(t, "ev_"+strconv.Itoa(5*17), string(saved))
}
