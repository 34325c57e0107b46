package emulator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Health describes the server for the control API. The counts are those of the default world. Its status is "degraded" while the storage
// has a problem.
func (s *Server) Health(ctx context.Context) (control.Health, error) {
	w, _ := s.worlds.find(control.DefaultWorld)
	h := control.Health{
		Status: control.HealthOK, Version: s.opts.Version, Clock: w.time.clock.Setting().String(), Ephemeral: s.opts.DataDir == "",
		Worlds: s.worlds.count(), Backends: s.opts.Backends,
	}
	var countErr error
	if c, ok := w.store.(engine.CountingStore); ok {
		h.Counts, countErr = c.Counts(ctx)
	}
	var problems []error
	if store, ok := w.store.(*sqlite.Store); ok { // after Counts, which may find damage
		state := store.Health()
		h.Checking, problems = state.Checking, append(problems, state.Problem)
	}
	problems = append(problems, damagedBlobs("stored", damagedKeys(w.blobs)), damagedBlobs("temporary", s.shared.pool.Damaged()), checkFolder(s.opts.DataDir))
	if !s.opts.FFmpegOptional { // it was there at the start
		problems = append(problems, s.opts.FFmpeg.Check(ctx))
	}
	for _, err := range problems {
		if err != nil {
			h.Problems = append(h.Problems, sentence(err))
		}
	}
	if len(h.Problems) > 0 {
		h.Status = control.HealthDegraded
		return h, nil
	}
	return h, countErr
}

// sentence returns an error's message with its hint.
func sentence(err error) string {
	text := engine.Message(err)
	if e, ok := errors.AsType[*engine.Error](err); ok && e.Hint != "" {
		text += " " + e.Hint
	}
	return text
}

func damagedKeys(blobs engine.Blobs) []string {
	if b, ok := blobs.(*files.Blobs); ok {
		return b.Damaged()
	}
	return nil
}

// shownKeys is how many damaged files a problem names.
const shownKeys = 5

func damagedBlobs(kind string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	shown := strings.Join(keys[:min(len(keys), shownKeys)], ", ")
	return engine.Errorf(engine.CodeUnavailable, "Health", "%d %s files are damaged: %s.", len(keys), kind, shown).
		WithHint("Stop the server, run `soundstage verify DIR`, then `soundstage repair DIR` or restore a backup.")
}

// checkFolder returns the problem of a data folder: it is full, can't be written, or has no blobs folder any more.
func checkFolder(dir string) error {
	if dir == "" {
		return nil
	}
	err := probe(dir)
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "blobs"))
	}
	switch {
	case err == nil:
		return nil
	case fault.NoSpace(err):
		return engine.Errorf(engine.CodeNoSpace, "Health", "The disk of the data folder is full.").WithHint("Free some space; no restart is needed.")
	case errors.Is(err, os.ErrNotExist):
		return engine.Errorf(engine.CodeUnavailable, "Health", "The data folder or its blobs folder was deleted.").
			WithHint("Stop the server and restore a backup.")
	}
	return engine.Errorf(engine.CodeUnavailable, "Health", "The data folder can't be written: %s.", fault.Reason(err)).
		WithHint("Check its disk and its permissions.")
}

// probeSize is the size in bytes of the file that shows whether a disk has space: as much as SQLite needs to grow its shared memory.
const probeSize = 32 << 10

// probe writes a small file and removes it.
func probe(dir string) error {
	file, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, probeSize))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// CheckData returns CodeConflict if the database of a data folder has no users although there are stored files: somebody deleted the
// database, and a new one would make every file an orphan.
func CheckData(ctx context.Context, dir string, store engine.Store) error {
	err := store.View(ctx, func(tx engine.ReadTx) error {
		_, err := tx.User(SandboxUserID)
		return err
	})
	if engine.CodeOf(err) != engine.CodeNotFound {
		return err
	}
	stored, err := files.New(filepath.Join(dir, "blobs"), files.Options{KeepAll: true})
	if err != nil {
		return err
	}
	found := errors.New("there is a file") // ends the list
	err = stored.List(ctx, "", func(engine.BlobInfo) error { return found })
	if !errors.Is(err, found) {
		return err
	}
	return engine.Errorf(engine.CodeConflict, "Open", "The database in %s is empty, but the folder blobs beside it has files.", dir).
		WithHint("Restore soundstage.db from a backup, or move blobs away to start with nothing.")
}
