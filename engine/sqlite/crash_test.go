package sqlite_test

import (
	"bufio"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// After kill -9, every acknowledged Update is complete, the file is intact, and the next process can open it.
func TestKill(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	acked := map[int]bool{}
	for round := range 3 {
		cmd := child(t, "write", path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			i, err := strconv.Atoi(lines.Text())
			require.NoError(t, err, lines.Text())
			acked[i] = true
			if n == 50*(round+1) {
				require.NoError(t, cmd.Process.Kill())
			}
		}
		require.Error(t, cmd.Wait(), "killed")

		s, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, []string{"ok"}, queryFile(t, path, "PRAGMA integrity_check"))
		requireCommitted(t, s, acked)
		require.NoError(t, s.Close())
	}
}

// requireCommitted fails the test unless every acknowledged Update is there and every Update there is complete.
func requireCommitted(t *testing.T, s *sqlite.Store, acked map[int]bool) {
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, counts["recordings"], counts["jobs"])
	require.GreaterOrEqual(t, counts["recordings"], len(acked))
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		for i := range acked {
			if err := readRows(tx, i); err != nil {
				return err
			}
		}
		return nil
	}))
}

func readRows(tx engine.ReadTx, i int) error {
	if _, err := tx.User(engine.UserID(strconv.Itoa(i))); err != nil {
		return err
	}
	if _, err := tx.Recording(recording("space", i).ID); err != nil {
		return err
	}
	_, err := tx.Job(queue.ID(strconv.Itoa(i)))
	return err
}
