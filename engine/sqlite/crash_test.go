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

// What a process had acknowledged is there after kill -9, whole, and the file is as sound as before; the next process
// opens it at once.
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
		require.Equal(t, []string{"ok"}, ask(t, path, "PRAGMA integrity_check"))
		requireThrees(t, s, acked)
		require.NoError(t, s.Close())
	}
}

// requireThrees checks that everything acknowledged is there, and that what else is there is whole.
func requireThrees(t *testing.T, s *sqlite.Store, acked map[int]bool) {
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, counts["recordings"], counts["jobs"])
	require.GreaterOrEqual(t, counts["recordings"], len(acked))
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		for i := range acked {
			if err := hasThree(tx, i); err != nil {
				return err
			}
		}
		return nil
	}))
}

func hasThree(tx engine.ReadTx, i int) error {
	if _, err := tx.User(engine.UserID(strconv.Itoa(i))); err != nil {
		return err
	}
	if _, err := tx.Recording(recording("space", i).ID); err != nil {
		return err
	}
	_, err := tx.Job(queue.ID(strconv.Itoa(i)))
	return err
}
