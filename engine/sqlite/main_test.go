package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// childEnv says what the test binary does as a second process: one of children; fileEnv says to which file.
const (
	childEnv = "SOUNDSTAGE_TEST_CHILD"
	fileEnv  = "SOUNDSTAGE_TEST_FILE"
)

// children are the programs that the tests start as processes of their own.
func children() map[string]func(path string) error {
	return map[string]func(string) error{"open": openOnce, "write": writeForever}
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

// child returns a second process that has not been started.
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

// writers is how many goroutines of writeForever write.
const writers = 4

// writeForever adds a user, a recording and a job at a time, and prints their number when they are acknowledged.
func writeForever(path string) error {
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; ; i += writers {
				if err = s.Update(context.Background(), func(tx engine.Tx) error { return putThree(tx, i) }); err != nil {
					return
				}
				fmt.Printf("%d\n", i)
			}
		})
	}
	wg.Wait()
	return err
}

func putThree(tx engine.Tx, i int) error {
	id := fmt.Sprint(i)
	if err := tx.PutUser(user(id)); err != nil {
		return err
	}
	if err := tx.PutRecording(recording("space", i)); err != nil {
		return err
	}
	return tx.Enqueue(job(id))
}
