package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// suggests is an LLM that suggests clips.
type suggests struct {
	writes
	suggest func(context.Context, engine.Transcript, int) ([]clips.Suggestion, error)
}

func (s suggests) Suggest(ctx context.Context, t engine.Transcript, most int) ([]clips.Suggestion, error) {
	return s.suggest(ctx, t, most)
}

// monologue is half a minute of one speaker.
const monologue = "A: Granite outlasts the sea by a thousand years. Every harbour town knows that. They cut the blocks in winter when nobody sails.\n" +
	"A: A lens of plain glass would weigh five tons. Fresnel folded it into rings. After that a keeper could carry it up the stairs alone.\n" +
	"A: The log of the lighthouse names each ship. Nobody reads it now. I read it every night, and I learn the wind by heart."

// requireValid fails unless clips.Check would keep the suggestions as they are.
func requireValid(t *testing.T, text transcript.Transcript, found []engine.Suggestion) {
	t.Helper()
	made := make([]clips.Suggestion, len(found))
	for i, s := range found {
		made[i] = s.Suggestion
	}
	require.NotEmpty(t, made)
	require.Equal(t, clips.Check(text, made), made)
}

// suggestions requests suggestions until there are some; the engine must be running.
func (s *stage) suggestions(id engine.RecordingID) (found []engine.Suggestion) {
	s.t.Helper()
	for len(found) == 0 {
		var err error
		found, err = s.ListSuggestions(context.Background(), s.caller, id, true)
		require.NoError(s.t, err)
		if len(found) == 0 {
			require.NoError(s.t, s.wait(jobOf("suggestions.make", string(id))))
		}
	}
	return found
}

func jobOf(kind, ref string) string { return kind + ":" + ref }

// wait returns when no unfinished job has the key.
func (s *stage) wait(key string) error {
	for {
		over := false
		err := s.store.View(context.Background(), func(tx engine.ReadTx) error {
			_, err := tx.JobByKey(key)
			over = engine.CodeOf(err) == engine.CodeNotFound
			if over {
				return nil
			}
			return err
		})
		if err != nil || over {
			return err
		}
		time.Sleep(time.Second) // in the synctest bubble
	}
}

// Suggestions are made on request, once, and listed best first. Before that there are none.
func TestListSuggestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, scripted(engine.Config{}))
		waiting := s.script("Talk", "en", monologue)
		_, err := s.ListSuggestions(t.Context(), s.caller, waiting.ID, true)
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "queued")
		defer s.start()()
		r, err := s.WaitRecording(t.Context(), s.caller, waiting.ID)
		require.NoError(t, err)
		none, err := s.ListSuggestions(t.Context(), s.caller, r.ID, false)
		require.NoError(t, err)
		require.Empty(t, none)
		require.NoError(t, s.wait(jobOf("suggestions.make", string(r.ID))), "a request without generate must start nothing")
		for range 3 {
			_, err = s.ListSuggestions(t.Context(), s.caller, r.ID, true)
			require.NoError(t, err)
		}
		found := s.suggestions(r.ID)
		requireValid(t, s.transcript(r.TranscriptID).Transcript, found)
		for i := range found[1:] {
			require.GreaterOrEqual(t, found[i].Score, found[i+1].Score)
		}
		again, err := s.ListSuggestions(t.Context(), s.caller, r.ID, true)
		require.NoError(t, err)
		require.Equal(t, found, again)
		other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
		require.NoError(t, err)
		_, err = s.ListSuggestions(t.Context(), other, r.ID, true)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.ListSuggestions(t.Context(), s.caller, "nothing", false)
		requireCode(t, engine.CodeNotFound, err)
	})
}

// Usable suggestions of a model are used. Otherwise the model is asked again, and in the end suggestions are made without it.
func TestSuggesterFailures(t *testing.T) {
	t.Parallel()
	busy := engine.Errorf(engine.CodeUnavailable, "", "The model is busy.").Transient()
	good := []clips.Suggestion{{Kind: clips.KindClip, Title: "From the model", Score: 77, Window: sample.Window(0, 20_000)}}
	garbage := []clips.Suggestion{{Kind: clips.KindClip, Window: sample.Window(9_000_000, 9_100_000)}, {Kind: "?"}}
	for name, c := range map[string]struct {
		answers   []any // per attempt; the last one repeats
		fromModel bool
		tries     int
	}{
		"well":                    {[]any{good}, true, 1},
		"busy, then a suggestion": {[]any{busy, garbage, good}, true, 3},
		"always busy":             {[]any{busy}, false, 5},
		"garbage":                 {[]any{garbage}, false, 5},
		"nothing":                 {[]any{[]clips.Suggestion(nil)}, false, 5},
		"refusing":                {[]any{engine.Errorf(engine.CodeUnprocessable, "", "No.")}, false, 1},
		"unknown error":           {[]any{errors.New("secret")}, false, 1},
		"panic":                   {[]any{panicking("secret")}, false, 1},
		"hanging":                 {[]any{time.Hour, good}, true, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				s := newStage(t, scripted(engine.Config{LLM: suggests{suggest: func(ctx context.Context, tr engine.Transcript, most int) ([]clips.Suggestion, error) {
					require.Positive(t, most)
					answer := c.answers[min(tries, len(c.answers)-1)]
					tries++
					switch a := answer.(type) {
					case panicking:
						panic(string(a))
					case time.Duration:
						<-ctx.Done()
						return nil, ctx.Err()
					case error:
						return nil, a
					}
					return answer.([]clips.Suggestion), nil
				}}}))
				defer s.start()()
				r := s.spoken("Talk", "en", monologue)
				found := s.suggestions(r.ID)
				requireValid(t, s.transcript(r.TranscriptID).Transcript, found)
				require.Equal(t, c.fromModel, found[0].Title == "From the model")
				require.Equal(t, c.tries, tries)
			})
		})
	}
}

// If a process dies while it makes suggestions, another process makes them once.
func TestSuggestionsAfterCrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		cut := &cuttable{Store: store}
		late := suggests{suggest: func(_ context.Context, _ engine.Transcript, _ int) ([]clips.Suggestion, error) {
			time.Sleep(4 * time.Minute)
			return []clips.Suggestion{{Title: "Zombie", Window: sample.Window(0, 20_000)}}, nil
		}}
		a := newStage(t, scripted(engine.Config{Store: cut, Blobs: blobs, LLM: late}))
		b := newStage(t, scripted(engine.Config{Store: store, Blobs: blobs}))
		stopA := a.start()
		r := a.spoken("Talk", "en", monologue)
		_, err := a.ListSuggestions(t.Context(), a.caller, r.ID, true)
		require.NoError(t, err)
		synctest.Wait()
		cut.cut.Store(true)
		stopB := b.start()
		found := b.suggestions(r.ID)
		cut.cut.Store(false)
		time.Sleep(10 * time.Minute)
		again, err := b.ListSuggestions(t.Context(), b.caller, r.ID, false)
		require.NoError(t, err)
		require.Equal(t, found, again)
		require.NotEqual(t, "Zombie", again[0].Title)
		stopA()
		stopB()
	})
}

// A recording without speech has no suggestions, with or without a model.
func TestSuggestionsOfSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, scripted(engine.Config{LLM: suggests{}}))
		defer s.start()()
		r := s.spoken("Silence", "en", "")
		_, err := s.ListSuggestions(t.Context(), s.caller, r.ID, true)
		require.NoError(t, err)
		require.NoError(t, s.wait(jobOf("suggestions.make", string(r.ID))))
		none, err := s.ListSuggestions(t.Context(), s.caller, r.ID, false)
		require.NoError(t, err)
		require.Empty(t, none)
	})
}

// A suggestion supplies a render's window and, by default, its title. Only a clip of the same recording is accepted.
func TestRenderOfSuggestion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, scripted(engine.Config{Renderer: drawsSlowly(0)}))
		defer s.start()()
		r, second := s.spoken("Talk", "en", monologue), s.spoken("Second", "en", monologue)
		clip := s.suggestions(r.ID)[0]
		require.Equal(t, clips.KindClip, clip.Kind)
		carousel := engine.Suggestion{ID: "carousel", RecordingID: r.ID, Suggestion: clips.Suggestion{Kind: clips.KindCarousel, Title: "C"}}
		require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error { return tx.PutSuggestion(carousel) }))

		made, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, SuggestionID: clip.ID})
		require.NoError(t, err)
		require.Equal(t, clip.Window, made.Window)
		require.Equal(t, clip.Title, made.Title)
		done, err := s.WaitRender(t.Context(), s.caller, made.ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, done.Status)
		made, err = s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, SuggestionID: clip.ID, Title: "Mine"})
		require.NoError(t, err)
		require.Equal(t, "Mine", made.Title)

		for name, c := range map[string]struct {
			ask  engine.NewRender
			want engine.Code
			says string
		}{
			"both":              {engine.NewRender{RecordingID: r.ID, SuggestionID: clip.ID, Window: sample.Window(0, 1000)}, engine.CodeInvalid, "either"},
			"unknown":           {engine.NewRender{RecordingID: r.ID, SuggestionID: "nothing"}, engine.CodeNotFound, "suggestion"},
			"another's":         {engine.NewRender{RecordingID: second.ID, SuggestionID: clip.ID}, engine.CodeNotFound, "suggestion"},
			"carousel":          {engine.NewRender{RecordingID: r.ID, SuggestionID: carousel.ID}, engine.CodeInvalid, "carousel"},
			"unknown recording": {engine.NewRender{RecordingID: "nothing", SuggestionID: clip.ID}, engine.CodeNotFound, "recording"},
			"no recording":      {engine.NewRender{SuggestionID: clip.ID}, engine.CodeInvalid, "recording_id"},
		} {
			_, err := s.CreateRender(t.Context(), s.caller, c.ask)
			require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
			require.True(t, strings.Contains(engine.Message(err), c.says), "%s: %v", name, err)
		}
	})
}
