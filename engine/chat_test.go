package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// writes is an LLM implemented by a function.
type writes func(context.Context, engine.WriteRequest) (string, error)

func (w writes) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	return w(ctx, req)
}
func (w writes) ContextTokens() int { return 8000 }

// chat asks a question and waits for the answer; the engine must be running.
func (s *stage) chat(message string, ids ...engine.RecordingID) engine.Chat {
	s.t.Helper()
	c, err := s.CreateChat(context.Background(), s.caller, engine.NewChat{Message: message, RecordingIDs: ids})
	require.NoError(s.t, err)
	require.Equal(s.t, engine.ChatQueued, c.Status)
	require.Empty(s.t, c.Answer)
	c, err = s.WaitChat(context.Background(), s.caller, c.ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.ChatCompleted, c.Status)
	return c
}

// An answer uses passages of all recordings, with the names of assigned speakers, and cites titles and times.
func TestChat(t *testing.T) {
	t.Parallel()
	var got engine.WriteRequest
	s := quietStage(t, scripted(engine.Config{LLM: writes(func(_ context.Context, req engine.WriteRequest) (string, error) {
		got = req
		return "Anna paints it [1.1], the keeper doesn't [2.1, 7.7].\x00 [7.7]\n", nil
	})}))
	defer s.start()()
	one := s.spoken("Pilot", "de", "A: Wer malt den Hafen?\nB: Anna malt ihn.")
	two := s.spoken("Second", "de", "A: Der Wärter malt nicht.")
	require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
		if err := tx.PutSpeaker(engine.Speaker{ID: "p", SpaceID: "space", Name: "Mara"}); err != nil {
			return err
		}
		return tx.PutAssignment(engine.Assignment{RecordingID: one.ID, Label: "Speaker 1", SpeakerID: "p"})
	}))
	c := s.chat("Wer malt?", one.ID, two.ID, one.ID)
	require.Equal(t, "Anna paints it [“Pilot”, 0:00], the keeper doesn't [“Second”, 0:00].", c.Answer)
	require.Equal(t, []engine.RecordingID{one.ID, two.ID}, c.RecordingIDs)
	require.Equal(t, engine.TaskChat, got.Task)
	require.Equal(t, "Wer malt?", got.Prompt)
	require.Equal(t, transcript.Language("de"), got.Language)
	require.Contains(t, got.Context, "Der Wärter")
	require.Len(t, got.Passages, 2)
	require.Equal(t, "1.1", got.Passages[0].Label)
	require.Equal(t, []string{"Speaker 0", "Mara"}, []string{got.Passages[0].Utterances[0].Speaker, got.Passages[0].Utterances[1].Speaker})
	require.Equal(t, "Second", got.Passages[1].Title)
	require.Equal(t, "Anna malt ihn.", s.transcript(one.TranscriptID).Utterances[1].Text)
	require.Equal(t, "Speaker 1", s.transcript(one.TranscriptID).Utterances[1].Speaker, "the transcript must keep its labels")
}

// An invalid question is refused before anything is queued.
func TestChatRefusals(t *testing.T) {
	t.Parallel()
	s := quietStage(t, scripted(engine.Config{LLM: writes(nil)}))
	waiting := s.script("Waiting", "en", "A: Hm.")
	other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	ids := func(n int) (all []engine.RecordingID) {
		for range n {
			all = append(all, waiting.ID)
		}
		return all
	}
	for name, c := range map[string]struct {
		caller engine.Caller
		ask    engine.NewChat
		want   engine.Code
		says   string
	}{
		"no message":        {s.caller, engine.NewChat{RecordingIDs: ids(1)}, engine.CodeInvalid, "message is required."},
		"blank message":     {s.caller, engine.NewChat{Message: " \n", RecordingIDs: ids(1)}, engine.CodeInvalid, "message is required."},
		"long message":      {s.caller, engine.NewChat{Message: strings.Repeat("a", 10_001), RecordingIDs: ids(1)}, engine.CodeInvalid, "message is longer"},
		"no recordings":     {s.caller, engine.NewChat{Message: "?"}, engine.CodeInvalid, "recording_ids is required."},
		"eleven":            {s.caller, engine.NewChat{Message: "?", RecordingIDs: ids(11)}, engine.CodeInvalid, "recording_ids is capped at 10 recordings"},
		"unknown":           {s.caller, engine.NewChat{Message: "?", RecordingIDs: append(ids(1), "nothing")}, engine.CodeNotFound, "recording"},
		"another account's": {other, engine.NewChat{Message: "?", RecordingIDs: ids(1)}, engine.CodeNotFound, "recording"},
		"not ready":         {s.caller, engine.NewChat{Message: "?", RecordingIDs: ids(10)}, engine.CodeNotReady, "queued"},
	} {
		_, err := s.CreateChat(t.Context(), c.caller, c.ask)
		require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
		require.Contains(t, engine.Message(err), c.says, name)
	}
	_, err = s.GetChat(t.Context(), s.caller, "nothing")
	requireCode(t, engine.CodeNotFound, err)
	_, err = newStage(t, engine.Config{}).CreateChat(t.Context(), s.caller, engine.NewChat{Message: "?", RecordingIDs: ids(1)})
	requireCode(t, engine.CodeUnavailable, err)
}

// Only the user who created a chat can read it.
func TestChatIsolation(t *testing.T) {
	t.Parallel()
	s := quietStage(t, scripted(engine.Config{LLM: writes(func(context.Context, engine.WriteRequest) (string, error) { return "Yes [1.1].", nil })}))
	defer s.start()()
	c := s.chat("?", s.spoken("Pilot", "en", "A: Hm.").ID)
	other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	_, err = s.GetChat(t.Context(), other, c.ID)
	requireCode(t, engine.CodeNotFound, err)
	_, missing := s.GetChat(t.Context(), other, "nothing")
	require.Equal(t, engine.Message(missing), engine.Message(err))
}

// Every chat ends with an answer. Temporary failures are retried, up to five attempts; the answer names a permanent failure.
func TestChatFailures(t *testing.T) {
	t.Parallel()
	transient := engine.Errorf(engine.CodeUnavailable, "", "The model is busy.").Transient()
	good := "Yes [1.1]."
	const failed = "The question could not be answered. "
	for name, c := range map[string]struct {
		answers []any // per attempt: a text, an error, or a panic; the last one repeats
		want    string
		tries   int
	}{
		"busy, then an answer":     {[]any{transient, transient, good}, "Yes [“Pilot”, 0:00].", 3},
		"empty, then an answer":    {[]any{"", " \n", good}, "Yes [“Pilot”, 0:00].", 3},
		"only an unknown citation": {[]any{"[9.9] [8.8]", good}, "Yes [“Pilot”, 0:00].", 2},
		"answer too long":          {[]any{strings.Repeat("a", 100_001), good}, "Yes [“Pilot”, 0:00].", 2},
		"always busy":              {[]any{transient}, failed + "The model is busy.", 5},
		"always empty":             {[]any{"\x00\t"}, failed + "The language model gave an empty answer.", 5},
		"refusing":                 {[]any{engine.Errorf(engine.CodeUnprocessable, "", "The model refused.")}, failed + "The model refused.", 1},
		"unknown error":            {[]any{errors.New("secret")}, failed + "The language model failed.", 5},
		"panic":                    {[]any{panicking("secret")}, failed + "Something went wrong on our side.", 1},
		"admits missing support":   {[]any{"They don't say. [none]"}, "They don't say.", 1},
		"only the marker":          {[]any{" [none]\n"}, "Nothing in the recordings supports this answer.", 1},
		"no citation":              {[]any{"I think so."}, "I think so.\n\nNothing in the recordings supports this answer.", 1},
		"made up citation":         {[]any{"I think so [4.4]."}, "I think so.\n\nNothing in the recordings supports this answer.", 1},
		"garbage":                  {[]any{"\xff\xfe[[[```"}, "\uFFFD[[[```\n\nNothing in the recordings supports this answer.", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				s := quietStage(t, scripted(engine.Config{LLM: writes(func(context.Context, engine.WriteRequest) (string, error) {
					answer := c.answers[min(tries, len(c.answers)-1)]
					tries++
					switch a := answer.(type) {
					case panicking:
						panic(string(a))
					case error:
						return "", a
					}
					return answer.(string), nil
				})}))
				defer s.start()()
				chat := s.chat("Is it so?", s.spoken("Pilot", "en", "A: It is so.").ID)
				require.Equal(t, c.want, chat.Answer)
				require.Equal(t, c.tries, tries)
			})
		})
	}
}

type panicking string

// A hanging backend is abandoned after five minutes and asked again.
func TestChatTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := quietStage(t, scripted(engine.Config{LLM: writes(func(ctx context.Context, _ engine.WriteRequest) (string, error) {
			if tries++; tries < 3 {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "Yes [1.1].", nil
		})}))
		defer s.start()()
		began := time.Now()
		require.Contains(t, s.chat("?", s.spoken("Pilot", "en", "A: Hm.").ID).Answer, "Pilot")
		require.GreaterOrEqual(t, time.Since(began), 10*time.Minute)
		require.Equal(t, 3, tries)
	})
}

// If a process dies while it answers, another process answers once. The answer of a canceled chat says that it was canceled.
func TestChatAfterCrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		cut := &cuttable{Store: store}
		hangs := writes(func(ctx context.Context, _ engine.WriteRequest) (string, error) {
			select {
			case <-ctx.Done():
				return "", context.Cause(ctx)
			case <-time.After(4 * time.Minute):
				return "Zombie [1.1].", nil
			}
		})
		a := quietStage(t, scripted(engine.Config{Store: cut, Blobs: blobs, LLM: hangs}))
		b := quietStage(t, scripted(engine.Config{Store: store, Blobs: blobs, LLM: writes(func(context.Context, engine.WriteRequest) (string, error) {
			return "Alive [1.1].", nil
		})}))
		stopA := a.start()
		r := a.spoken("Pilot", "en", "A: Hm.")
		canceled, err := a.CreateChat(t.Context(), a.caller, engine.NewChat{Message: "?", RecordingIDs: []engine.RecordingID{r.ID}})
		require.NoError(t, err)
		n, err := a.CancelJobsOf(t.Context(), string(canceled.ID))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		canceled, err = a.WaitChat(t.Context(), a.caller, canceled.ID)
		require.NoError(t, err)
		require.Equal(t, "The question could not be answered. The operation was canceled.", canceled.Answer)

		c, err := a.CreateChat(t.Context(), a.caller, engine.NewChat{Message: "?", RecordingIDs: []engine.RecordingID{r.ID}})
		require.NoError(t, err)
		synctest.Wait()
		cut.cut.Store(true)
		stopB := b.start()
		c, err = b.WaitChat(t.Context(), b.caller, c.ID)
		require.NoError(t, err)
		require.Equal(t, "Alive [“Pilot”, 0:00].", c.Answer)
		cut.cut.Store(false)
		time.Sleep(10 * time.Minute)
		c, err = b.GetChat(t.Context(), b.caller, c.ID)
		require.NoError(t, err)
		require.Equal(t, "Alive [“Pilot”, 0:00].", c.Answer)
		stopA()
		stopB()
	})
}

// If nobody speaks, the answer says so in the recordings' language, and the language model is not called.
func TestChatOfSilence(t *testing.T) {
	t.Parallel()
	s := quietStage(t, scripted(engine.Config{LLM: writes(nil)}))
	defer s.start()()
	seen := map[string]bool{}
	for _, l := range transcript.Languages() {
		answer := s.chat("?", s.spoken("Silence", l, "").ID).Answer
		require.NotEmpty(t, answer)
		require.False(t, seen[answer], "the sentence of %s is not unique", l)
		seen[answer] = true
	}
	require.True(t, seen["Nobody speaks in these recordings, so the question cannot be answered."])
	require.Len(t, seen, 18, fmt.Sprint(seen))
}
