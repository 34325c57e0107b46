package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// A full disk costs exchanges, which are counted and told once; the others stay readable, and recording continues when there is space.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("mounting a small disk: %v", err)
		}
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	filler := filepath.Join(disk, "filler")
	require.NoError(t, os.WriteFile(filler, make([]byte, 128<<10), 0o600))
	dir := filepath.Join(disk, "recorded")
	var notices []error
	lost := make(chan bool, 100)
	r := create(t, dir, record.Options{
		Notice: func(err error) { notices = append(notices, err) }, Seen: func(*record.Exchange) { lost <- true },
	})
	for range 10 {
		r.Add(exchange("/v1/spaces", "", `{"text":"`+strings.Repeat("x", 30<<10)+`"}`))
	}
	for range 10 {
		<-lost
	}
	require.NoError(t, os.Remove(filler))
	r.Add(exchange("/v1/spaces", "", `{"last":1}`))
	s, err := r.Close()
	require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err))
	require.Positive(t, s.Lost)
	require.EqualValues(t, 11, s.Recorded+s.Lost)
	require.Len(t, notices, 1)
	all := read(t, dir)
	require.Len(t, all, int(s.Recorded))
	require.JSONEq(t, `{"last":1}`, all[len(all)-1].ResponseBody.Text)
}
