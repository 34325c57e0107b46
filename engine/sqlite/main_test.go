package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// childEnv selects the program of children that the test binary runs as a second process; fileEnv is its database file.
const (
	childEnv = "SOUNDSTAGE_TEST_CHILD"
	fileEnv  = "SOUNDSTAGE_TEST_FILE"
)

// children returns the programs that the tests run in child processes.
func children() map[string]func(path string) error {
	return map[string]func(string) error{"open": openOnce, "write": writeForever, "transcribe": transcribeForever, "jobs": durableJobs}
}

func TestMain(m *testing.M) {
	if run, ok := children()[os.Getenv(childEnv)]; ok {
		if err := run(os.Getenv(fileEnv)); err != nil {
			fmt.Println(engine.CodeOf(err), engine.Message(err))
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child returns a command for a second process, not started.
func child(t *testing.T, program, path string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childEnv+"="+program, fileEnv+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

func openOnce(path string) error {
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return err
	}
	fmt.Println("opened")
	return s.Close()
}

// writers is the number of goroutines of writeForever.
const writers = 4

// writeForever writes a user, a recording, and a job in each Update and prints their number once it is committed.
func writeForever(path string) error {
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return err
	}
	var all errgroup.Group
	for w := range writers {
		all.Go(func() error {
			for i := w; ; i += writers {
				if err := s.Update(context.Background(), func(tx engine.Tx) error { return putRows(tx, i) }); err != nil {
					return err
				}
				fmt.Printf("%d\n", i)
			}
		})
	}
	return all.Wait()
}

func putRows(tx engine.Tx, i int) error {
	id := fmt.Sprint(i)
	if err := tx.PutUser(user(id)); err != nil {
		return err
	}
	if err := tx.PutRecording(recording("space", i)); err != nil {
		return err
	}
	return tx.Enqueue(job(id))
}
