package engine_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// setClock shows the time that a test sets. It has no timers.
type setClock struct {
	engine.Clock

	now time.Time
}

func (c *setClock) Now() time.Time { return c.now }

// made creates n recordings and returns them, newest first.
func (s *stage) made(n int) (rows []engine.Recording) {
	s.t.Helper()
	for range n {
		r, _, err := s.CreateRecording(s.t.Context(), s.caller, engine.NewRecording{ObjectID: s.upload().ID})
		require.NoError(s.t, err)
		rows = append([]engine.Recording{r}, rows...)
	}
	return rows
}

// listed returns the ids of all recordings, in pages of two.
func (s *stage) listed() (ids []engine.RecordingID) {
	s.t.Helper()
	l := engine.ListRecordings{Limit: 2}
	for {
		page, err := s.ListRecordings(s.t.Context(), s.caller, l)
		require.NoError(s.t, err)
		for _, r := range page.Recordings {
			ids = append(ids, r.ID)
		}
		if l.Cursor = page.NextCursor; l.Cursor == "" {
			return ids
		}
	}
}

func idsOf(rows []engine.Recording) (ids []engine.RecordingID) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// While the clock is frozen, lists are in the order of creation, and everything queued can run.
func TestCreatedAtTheSameTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		began := time.Now().UTC()
		rows := s.made(20)
		require.Equal(t, idsOf(rows), s.listed())
		require.Equal(t, began, rows[19].CreatedAt)
		require.Equal(t, began.Add(19*time.Microsecond), rows[0].CreatedAt)
		var names []string
		for i := range 20 {
			names = append(names, fmt.Sprintf("Speaker %d", i))
			_, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: names[i]})
			require.NoError(t, err)
			_, err = s.CreatePrompt(t.Context(), s.caller, engine.NewPrompt{Name: names[i], Text: "Sum up."})
			require.NoError(t, err)
		}
		_, prompts, err := s.ListPrompts(t.Context(), s.caller, "space")
		require.NoError(t, err)
		require.Len(t, prompts, 25)
		for i, p := range prompts[5:] {
			require.Equal(t, names[i], p.Name)
		}
		_, speakers, err := s.ListSpeakers(t.Context(), s.caller, "space")
		require.NoError(t, err)
		for i, p := range speakers {
			require.Equal(t, names[i], p.Name)
		}
		for _, name := range names {
			_, err := s.CreateUser(t.Context(), "account", engine.NewUser{Name: name})
			require.NoError(t, err)
		}
		users, err := s.ListUsers(t.Context(), "account")
		require.NoError(t, err)
		for i, u := range users[1:] {
			require.Equal(t, names[i], u.Name)
		}
		defer s.start()()
		synctest.Wait()
		require.Equal(t, began, time.Now().UTC())
		for _, r := range rows {
			r, _, err := s.GetRecording(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
			require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
		}
	})
}

// An Engine that continues after others in their time creates later rows. A clock that is set back by a second or more is followed.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := &setClock{now: at}
	s := newStage(t, engine.Config{Clock: clock, CreatedAfter: at.Add(7 * time.Microsecond)})
	require.Equal(t, at.Add(8*time.Microsecond), s.made(1)[0].CreatedAt)
	clock.now = at.Add(-time.Second / 2)
	require.Equal(t, at.Add(9*time.Microsecond), s.made(1)[0].CreatedAt)
	clock.now = at.Add(-time.Second)
	require.Equal(t, clock.now, s.made(1)[0].CreatedAt)
}
