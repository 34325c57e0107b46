package emulator

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// MakeDataDir durably creates a data folder if necessary and checks that it is writable. CodeUnavailable when it can't be used.
func MakeDataDir(dir string) error {
	path, err := filepath.Abs(dir)
	if err == nil {
		err = makeFolder(path)
	}
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, "probe-"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return folderError(dir, err)
	}
	return nil
}

// makeFolder is os.MkdirAll that survives a power failure. The name of a folder that exists is made durable, too: the process that created
// it may have been killed before it did that.
func makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	if parent == dir {
		return nil
	}
	if _, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := syncFolder(parent); !errors.Is(err, fs.ErrPermission) { // one may have access to the folder only
		return err
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" { // Windows can't sync folders
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// dataKey returns the key of a data folder, and durably creates it at the first start.
func dataKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, "key")
	key, err := os.ReadFile(path)
	if err == nil && len(key) >= 32 {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = []byte(rand.Text() + rand.Text())
	return key, writeDurably(dir, "key", key)
}

// writeDurably writes a file of a folder so that a crash or a power failure leaves the old one or the new one.
func writeDurably(dir, name string, content []byte) error {
	temp, err := os.CreateTemp(dir, name+"-")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return syncFolder(dir)
}

func folderError(dir string, err error) error {
	return engine.Errorf(engine.CodeUnavailable, "Open", "The data folder %s can't be used.", dir).
		WithHint("Choose a writable folder, or omit --data to keep nothing.").Because(err)
}

// resumeTime advances a clock in mode auto, which may have been ahead of the wall clock, to the newest job of a data folder. Otherwise new
// recordings would be older than existing ones, and the last process's webhooks would wait until the clock has caught up. A frozen clock
// stays, but new rows are later than existing ones.
func (w *world) resumeTime(ctx context.Context, store *sqlite.Store, o Options) (err error) {
	clk := w.time.clock
	if clk.Setting().Mode.Frozen() {
		w.createdAfter, err = store.LastCreated(ctx, clk.Now().Add(time.Second))
		return err
	}
	if clk.Setting().Mode != clock.Auto || !o.ClockStart.IsZero() {
		return nil
	}
	last, err := store.LastJob(ctx)
	if err != nil || !last.After(clk.Now()) {
		return err
	}
	return clk.AdvanceTo(last)
}
