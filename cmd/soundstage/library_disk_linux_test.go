package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A command whose work can't go on because the disk is full ends with an error that says so. What is read on a full disk is no error.
func TestLibraryOnFullDisk(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for fullDiskWait")
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("can't mount a small disk: %v", err)
		}
		t.Skipf("can't mount a small disk: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	data := filepath.Join(disk, "lib")
	ports := engine.Config{Media: wav.Media{}, Transcriber: &fake.Transcriber{Media: wav.Media{}}}
	require.NoError(t, openLibrary(t.Context(), data, ports, func(ctx context.Context, l *library) error {
		r, err := l.AddFile(ctx, l.me, testdata("tone.wav"), engine.NewFile{})
		require.NoError(t, err)
		f, err := os.Create(filepath.Join(disk, "ballast"))
		require.NoError(t, err)
		for err == nil {
			_, err = f.Write(make([]byte, 4096))
		}
		require.NoError(t, f.Close())
		waiting, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		err = l.work(waiting, func(ctx context.Context) error {
			_, err := l.wait(ctx, r.ID)
			return err
		})
		require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err), "%v", err)
		return nil
	}))
	require.Contains(t, lib(t, data, "list"), "queued")
}

// The disk is given up when it was full all the time for fullDiskWait, and no earlier.
func TestFullDiskWait(t *testing.T) {
	t.Parallel()
	full, began := engine.Errorf(engine.CodeNoSpace, "", "The disk is full."), time.Now()
	var s diskStore
	given := 0
	end := s.onFull(func(err error) {
		given++
		require.ErrorIs(t, err, full)
	})
	for _, step := range []struct {
		err   error
		after time.Duration
		given int
	}{
		{full, 0, 0},
		{full, fullDiskWait - 1, 0},
		{nil, fullDiskWait, 0},
		{full, fullDiskWait + 1, 0},
		{engine.NotFound("", "job"), 2*fullDiskWait + 1, 0},
		{full, 2*fullDiskWait + 1, 1},
	} {
		s.note(step.err, began.Add(step.after))
		require.Equal(t, step.given, given)
	}
	end()
	s.note(full, began.Add(time.Hour))
	require.Equal(t, 1, given)
}
