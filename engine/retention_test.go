package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

func (s *stage) retain(d time.Duration) error {
	_, err := s.UpdateSpace(s.t.Context(), s.caller, "space", func(sp *engine.Space) error { sp.Retention = d; return nil })
	return err
}

// Recordings are deleted when they are older than the retention of their space, and not before. Those of other spaces stay.
func TestRetention(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		defer s.start()()
		kept, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Kept"})
		require.NoError(t, err)
		require.NoError(t, s.retain(48*time.Hour))
		old := s.completed()
		elsewhere, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: s.upload().ID, SpaceID: kept.ID})
		require.NoError(t, err)
		time.Sleep(24 * time.Hour)
		young := s.completed()
		time.Sleep(24*time.Hour - time.Minute)
		require.Len(t, s.recordings(), 3)
		time.Sleep(3 * time.Minute)
		require.Len(t, s.recordings(), 2)
		_, _, err = s.GetRecording(t.Context(), s.caller, old.ID)
		requireCode(t, engine.CodeNotFound, err)
		time.Sleep(24 * time.Hour)
		_, _, err = s.GetRecording(t.Context(), s.caller, young.ID)
		requireCode(t, engine.CodeNotFound, err)
		time.Sleep(30 * 24 * time.Hour)
		got, _, err := s.GetRecording(t.Context(), s.caller, elsewhere.ID)
		require.NoError(t, err)
		require.Equal(t, []string{got.BlobKey}, s.keys())
		require.Equal(t, int64(5), s.storage())
	})
}

// A shorter retention takes effect at once, even if there are more recordings than one transaction deletes. A longer one spares them.
func TestRetentionChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		for range 230 {
			s.record()
		}
		require.NoError(t, s.retain(10*time.Hour))
		defer s.start()()
		time.Sleep(5 * time.Hour)
		require.Len(t, s.keys(), 230)
		require.NoError(t, s.retain(20*time.Hour))
		time.Sleep(10 * time.Hour)
		require.Len(t, s.keys(), 230)
		require.NoError(t, s.retain(engine.MinRetention))
		time.Sleep(2 * time.Minute) // the hourly check may run now with the old retention; the next one is a minute later
		require.Empty(t, s.recordings())
		time.Sleep(time.Hour)
		require.Empty(t, s.keys())
		require.Zero(t, s.storage())
	})
}

// A retention of 0 keeps recordings for ever, also after another one. A negative or too short one is refused, and changes nothing.
func TestRetentionRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		defer s.start()()
		s.completed()
		for _, d := range []time.Duration{-time.Hour, -1, 1, time.Hour - 1} {
			requireCode(t, engine.CodeInvalid, s.retain(d))
			_, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Short", Retention: d})
			requireCode(t, engine.CodeInvalid, err)
		}
		require.NoError(t, s.retain(0))
		time.Sleep(100 * time.Hour) // a hundred times the shortest retention
		require.Len(t, s.recordings(), 1)
		require.NoError(t, s.retain(200*time.Hour))
		time.Sleep(10 * time.Hour)
		require.NoError(t, s.retain(0))
		time.Sleep(500 * time.Hour) // more than twice the retention that it had
		require.Len(t, s.recordings(), 1)
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			waiting, err := tx.WaitingJobs(10)
			require.Empty(t, waiting, "nothing must check a space that keeps its recordings")
			return err
		}))
	})
}

// A space that is created with a retention has it.
func TestRetentionOfNewSpace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		defer s.start()()
		space, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Short", Retention: time.Hour})
		require.NoError(t, err)
		require.Equal(t, time.Hour, space.Retention)
		_, _, err = s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: s.upload().ID, SpaceID: space.ID})
		require.NoError(t, err)
		time.Sleep(3 * time.Hour)
		require.Empty(t, s.recordings())
		require.Empty(t, s.keys())
	})
}
