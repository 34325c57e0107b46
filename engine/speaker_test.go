package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Speakers are created with a role by name, changed field by field, and listed oldest first.
func TestSpeakers(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{
		SpaceID: "space", Name: " Ann ", Email: "ann@example.org", Bio: "Two\nlines", Pronouns: "she/her", Role: "hOST", Emoji: "🎙️",
	})
	require.NoError(t, err)
	require.Equal(t, "Ann", ann.Name)
	require.Equal(t, "Host", ann.Role)
	bob, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Bob"})
	require.NoError(t, err)
	require.Empty(t, bob.Role)

	roles, err := s.ListRoles(t.Context(), s.caller, "space")
	require.NoError(t, err)
	require.Len(t, roles, 4)
	name, none := "Anna", ""
	changed, err := s.UpdateSpeaker(t.Context(), s.caller, ann.ID, engine.SpeakerChange{Name: &name, Bio: &none, RoleID: &roles[1].ID})
	require.NoError(t, err)
	require.Equal(t, "Guest", changed.Role)
	require.Equal(t, "ann@example.org", changed.Email, "unset fields must stay")
	require.Empty(t, changed.Bio)
	space, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
	require.NoError(t, err)
	require.Equal(t, "Test", space.Name)
	require.ElementsMatch(t, []engine.Profile{changed, bob}, all)
}

// An invalid speaker is refused with a message, and nothing is written.
func TestSpeakerRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	other := s.otherCaller()
	ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
	require.NoError(t, err)
	for what, n := range map[string]engine.NewSpeaker{
		"name is required":       {SpaceID: "space", Name: " "},
		"role is not the name":   {SpaceID: "space", Name: "X", Role: "King"},
		"email is not":           {SpaceID: "space", Name: "X", Email: "nobody"},
		"name is longer":         {SpaceID: "space", Name: strings.Repeat("x", 1001)},
		"emoji has control":      {SpaceID: "space", Name: "X", Emoji: "\x00"},
		"bio is not valid UTF-8": {SpaceID: "space", Name: "X", Bio: "\xff"},
	} {
		_, err := s.CreateSpeaker(t.Context(), s.caller, n)
		requireCode(t, engine.CodeInvalid, err)
		require.Contains(t, engine.Message(err), what)
	}
	_, err = s.CreateSpeaker(t.Context(), other, engine.NewSpeaker{SpaceID: "space", Name: "X"})
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.UpdateSpeaker(t.Context(), other, ann.ID, engine.SpeakerChange{})
	requireCode(t, engine.CodeNotFound, err)
	_, _, err = s.ListSpeakers(t.Context(), other, "space")
	requireCode(t, engine.CodeNotFound, err)
	foreign, err := s.ListRoles(t.Context(), other, "space2")
	require.NoError(t, err)
	_, err = s.UpdateSpeaker(t.Context(), s.caller, ann.ID, engine.SpeakerChange{RoleID: &foreign[0].ID})
	requireCode(t, engine.CodeInvalid, err)
	none := ""
	_, err = s.UpdateSpeaker(t.Context(), s.caller, ann.ID, engine.SpeakerChange{Name: &none})
	requireCode(t, engine.CodeInvalid, err)
	_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
	require.NoError(t, err)
	require.Equal(t, []engine.Profile{ann}, all)
}

// Labels of a recording are assigned, reassigned, and unassigned. Invalid combinations are refused.
func TestAssignments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: hear(dialogue)})
		waiting := s.record()
		labels, err := s.ListLabels(t.Context(), s.caller, waiting.ID)
		require.NoError(t, err)
		require.Empty(t, labels, "no labels before completion")
		ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
		require.NoError(t, err)
		_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: waiting.ID, Label: "Speaker 0", SpeakerID: ann.ID})
		requireCode(t, engine.CodeInvalid, err)
		stop := s.start()
		defer stop()
		r := s.completed()
		bob, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Bob"})
		require.NoError(t, err)
		for _, sp := range []engine.Profile{ann, bob} {
			got, err := s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: sp.ID})
			require.NoError(t, err)
			require.Equal(t, sp, got)
		}
		labels, err = s.ListLabels(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []engine.LabelSpeaker{{Label: "Speaker 0"}, {Label: "Speaker 1", Speaker: &bob}}, labels, "the later assignment must replace the earlier")
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"Speaker 1": "Bob"}, rt.Names)

		other := s.otherCaller()
		eve, err := s.CreateSpeaker(t.Context(), other, engine.NewSpeaker{SpaceID: "space2", Name: "Eve"})
		require.NoError(t, err)
		for _, c := range []struct {
			a    engine.Assignment
			want engine.Code
		}{
			{engine.Assignment{RecordingID: r.ID, Label: "Speaker 2", SpeakerID: ann.ID}, engine.CodeInvalid},
			{engine.Assignment{RecordingID: r.ID, SpeakerID: ann.ID}, engine.CodeInvalid},
			{engine.Assignment{RecordingID: r.ID, Label: "Speaker 0"}, engine.CodeInvalid},
			{engine.Assignment{RecordingID: r.ID, Label: "Speaker 0", SpeakerID: eve.ID}, engine.CodeNotFound},
			{engine.Assignment{RecordingID: "none", Label: "Speaker 0", SpeakerID: ann.ID}, engine.CodeNotFound},
		} {
			_, err := s.AssignSpeaker(t.Context(), s.caller, c.a)
			requireCode(t, c.want, err)
		}
		requireCode(t, engine.CodeNotFound, s.UnassignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: ann.ID}))
		require.NoError(t, s.UnassignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: bob.ID}))
		requireCode(t, engine.CodeNotFound, s.UnassignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: bob.ID}))
	})
}

// A speaker's summary is generated once, from what the speaker says in the first completed recording with an assignment.
func TestSpeakerSummary(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []engine.WriteRequest
		s := newStage(t, engine.Config{Transcriber: hear(dialogue), LLM: drafts(func(_ context.Context, req engine.WriteRequest) (string, error) {
			asked = append(asked, req)
			return "Says good morning.", nil
		})})
		s.disableAutoGenerate()
		stop := s.start()
		defer stop()
		ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
		require.NoError(t, err)
		for range 2 {
			r := s.completed()
			_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: ann.ID})
			require.NoError(t, err)
			time.Sleep(time.Minute) // in the bubble: until all work is done
		}
		_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
		require.NoError(t, err)
		require.Equal(t, "Says good morning.", all[0].AISummary)
		require.Len(t, asked, 1)
		require.Equal(t, engine.TaskSpeaker, asked[0].Task)
		require.Equal(t, "Ann", asked[0].Prompt)
		require.Len(t, asked[0].Passages, 1)
		require.Equal(t, []transcript.Utterance{{Speaker: "Ann", Text: "Good morning.", Start: 2000 * ms, End: 2900 * ms, Confidence: 0.9}}, asked[0].Passages[0].Utterances)
	})
}

// A speaker who is unassigned while the summary is being generated gets none, because it describes another person's words.
func TestSpeakerSummaryAfterUnassignment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *stage
		var a engine.Assignment
		tries := 0
		s = newStage(t, engine.Config{Transcriber: hear(dialogue), LLM: drafts(func(context.Context, engine.WriteRequest) (string, error) {
			tries++
			return "Says good morning.", s.UnassignSpeaker(context.Background(), s.caller, a)
		})})
		s.disableAutoGenerate()
		defer s.start()()
		ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
		require.NoError(t, err)
		a = engine.Assignment{RecordingID: s.completed().ID, Label: "Speaker 1", SpeakerID: ann.ID}
		_, err = s.AssignSpeaker(t.Context(), s.caller, a)
		require.NoError(t, err)
		time.Sleep(time.Minute) // in the bubble: until all work is done
		_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
		require.NoError(t, err)
		require.Equal(t, 1, tries)
		require.Empty(t, all[0].AISummary)
	})
}

// A summary is made again if the assignment or the words it was made from changed meanwhile, and if the assignment is taken away later.
func TestSpeakerSummaryFollowsAssignments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *stage
		var meanwhile func() error
		s = newStage(t, engine.Config{Transcriber: hear(dialogue), LLM: drafts(func(_ context.Context, req engine.WriteRequest) (string, error) {
			change := meanwhile
			meanwhile = func() error { return nil }
			return "Says: " + req.Passages[0].Utterances[0].Text, change()
		})})
		s.disableAutoGenerate()
		defer s.start()()
		ann, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
		require.NoError(t, err)
		bob, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Bob"})
		require.NoError(t, err)
		id := s.completed().ID
		assign := func(label string, speaker engine.SpeakerID) error {
			_, err := s.AssignSpeaker(context.Background(), s.caller, engine.Assignment{RecordingID: id, Label: label, SpeakerID: speaker})
			return err
		}
		unassign := func(label string, speaker engine.SpeakerID) error {
			return s.UnassignSpeaker(context.Background(), s.caller, engine.Assignment{RecordingID: id, Label: label, SpeakerID: speaker})
		}
		summaries := func() []string {
			time.Sleep(time.Minute) // in the bubble: until all work is done
			_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
			require.NoError(t, err)
			return []string{all[0].AISummary, all[1].AISummary}
		}
		words := map[string]string{}
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, id)
		require.NoError(t, err)
		for _, u := range slices.Backward(rt.Transcript.Utterances) {
			words[u.Speaker] = "Says: " + u.Text
		}
		one := words["Speaker 1"]
		require.NotEqual(t, words["Speaker 0"], one)

		meanwhile = func() error { return errors.Join(unassign("Speaker 0", ann.ID), assign("Speaker 1", ann.ID)) }
		require.NoError(t, assign("Speaker 0", ann.ID))
		require.Equal(t, []string{one, ""}, summaries(), "assigned to another label while it was made")
		meanwhile = func() error {
			rt, err := s.GetRecordingTranscript(context.Background(), s.caller, id)
			if err == nil {
				_, err = s.EditTranscript(context.Background(), s.caller, id, engine.TranscriptEdit{
					Revision: rt.Recording.Revision, Operations: []engine.EditOperation{setText(0, "Other words.")},
				})
			}
			return err
		}
		require.NoError(t, assign("Speaker 0", bob.ID))
		require.Equal(t, []string{one, "Says: Other words."}, summaries(), "edited while it was made")

		require.NoError(t, errors.Join(unassign("Speaker 1", ann.ID), assign("Speaker 0", ann.ID)))
		require.Equal(t, []string{"Says: Other words.", ""}, summaries(), "the label was that of another speaker, and the label before is unassigned")
		require.NoError(t, unassign("Speaker 0", ann.ID))
		require.Equal(t, []string{"", ""}, summaries(), "unassigned")
	})
}
