package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// forgettable returns a recording with Ann as Speaker 0.
func (s *stage) forgettable() (engine.Recording, engine.Profile) {
	s.t.Helper()
	r := s.completed()
	ann, err := s.CreateSpeaker(s.t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann Lee", Email: "ann@example.org", Bio: "Sails."})
	require.NoError(s.t, err)
	_, err = s.AssignSpeaker(s.t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 0", SpeakerID: ann.ID})
	require.NoError(s.t, err)
	return r, ann
}

// A forgotten speaker has no profile and no labels, and can't be forgotten again. Another account can't forget it.
func TestForgetSpeaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quietStage(t, engine.Config{LLM: answers("Ann speaks.")})
		defer s.start()()
		r, ann := s.forgettable()
		bob, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Bob"})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		requireCode(t, engine.CodeNotFound, s.ForgetSpeaker(t.Context(), s.otherCaller(), ann.ID))
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"Speaker 0": "Ann Lee"}, rt.Names)

		require.NoError(t, s.ForgetSpeaker(t.Context(), s.caller, ann.ID))
		rt, err = s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Empty(t, rt.Names)
		labels, err := s.ListLabels(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []engine.LabelSpeaker{{Label: "Speaker 0"}}, labels)
		_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
		require.NoError(t, err)
		require.Equal(t, []engine.Profile{bob}, all)
		requireCode(t, engine.CodeNotFound, s.ForgetSpeaker(t.Context(), s.caller, ann.ID))
		_, err = s.UpdateSpeaker(t.Context(), s.caller, ann.ID, engine.SpeakerChange{})
		requireCode(t, engine.CodeNotFound, err)
		time.Sleep(time.Minute)
		s.requireNoSummaries(ann.ID)
	})
}

// requireNoSummaries checks that no job is left that summarised a speaker.
func (s *stage) requireNoSummaries(id engine.SpeakerID) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
		jobs, err := tx.JobsOf(string(id))
		for _, j := range jobs {
			require.Equal(s.t, engine.JobSpeakerForget, j.Kind)
		}
		return err
	}))
}

// A summary that is written while its speaker is forgotten is dropped.
func TestForgetSpeakerDuringSummary(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, done := make(chan struct{}), make(chan struct{})
		s := quietStage(t, engine.Config{LLM: writes(func(context.Context, engine.WriteRequest) (string, error) {
			close(began)
			<-done
			return "Ann speaks.", nil
		})})
		defer s.start()()
		_, ann := s.forgettable()
		<-began
		require.NoError(t, s.ForgetSpeaker(t.Context(), s.caller, ann.ID))
		close(done)
		time.Sleep(time.Hour)
		_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
		require.NoError(t, err)
		require.Empty(t, all)
		s.requireNoSummaries(ann.ID)
	})
}

// The summary of a speaker goes with the recording that it may be about, and is made again from another one.
func TestDeleteResetsSummaries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := quietStage(t, engine.Config{LLM: writes(func(context.Context, engine.WriteRequest) (string, error) {
			asked++
			return []string{"", "First.", "Second."}[asked], nil
		})})
		defer s.start()()
		r, ann := s.forgettable()
		time.Sleep(time.Minute)
		second := s.completed()
		_, err := s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: second.ID, Label: "Speaker 0", SpeakerID: ann.ID})
		require.NoError(t, err)
		summary := func() string {
			_, all, err := s.ListSpeakers(t.Context(), s.caller, "space")
			require.NoError(t, err)
			return all[0].AISummary
		}
		require.Equal(t, "First.", summary())
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		time.Sleep(time.Minute)
		require.Equal(t, "Second.", summary())
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, second.ID))
		time.Sleep(time.Minute)
		require.Empty(t, summary())
	})
}
