package datafolder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Repaired is the result of Repair.
type Repaired struct {
	Report Report          `json:"report"`           // of Verify, before the repair
	Moved  string          `json:"moved,omitempty"`  // folder with everything that was damaged; "" if nothing was
	Rows   int             `json:"rows,omitempty"`   // rows copied to a new database; 0 if the old one is in use again
	Lost   []sqlite.Damage `json:"lost,omitempty"`   // rows that could not be copied
	Marked []string        `json:"marked,omitempty"` // what depends on something lost, and now says so
}

// Repair verifies a data folder and repairs what is damaged. It copies the undamaged rows into a new database, moves the old one and the
// damaged files to the folder damaged, gives rows that depend on something lost a final status with an error, and builds the search
// index again. It deletes nothing. now is written into rows that change. Errors are those of Verify.
func Repair(ctx context.Context, dir string, now time.Time) (done Repaired, err error) {
	if done.Report, err = Verify(ctx, dir); err != nil || done.Report.OK {
		return done, err
	}
	done.Moved = filepath.Join(dir, "damaged", now.UTC().Format("20060102T150405.000000000"))
	if err := os.MkdirAll(done.Moved, 0o700); err != nil {
		return done, err
	}
	if err := done.replace(ctx, dir); err != nil {
		return done, err
	}
	store, err := sqlite.Open(ctx, databasePath(dir))
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	m := &marker{now: now.UTC(), dir: dir, rebuild: len(done.Report.Database) > 0}
	done.Marked, err = m.run(ctx, store)
	return done, err
}

// replace replaces a damaged database and moves damaged files, while no sandbox can start.
func (r *Repaired) replace(ctx context.Context, dir string) error {
	release, err := sqlite.Lock(ctx, databasePath(dir))
	if err != nil {
		return err
	}
	if len(r.Report.Database) > 0 {
		err = r.replaceDatabase(ctx, dir)
	}
	if err == nil {
		err = r.moveFiles(dir)
	}
	return errors.Join(err, release())
}

// replaceDatabase copies undamaged rows into a new database and puts it in the place of the old one, which moves.
func (r *Repaired) replaceDatabase(ctx context.Context, dir string) error {
	work, err := os.MkdirTemp(dir, "repair-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // only copies, and the new database until it is renamed
	old, fresh := filepath.Join(work, "old.db"), filepath.Join(work, "new.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(databasePath(dir)+suffix, old+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	salvaged, err := sqlite.Salvage(ctx, old, fresh)
	if err != nil {
		return err
	}
	r.Rows, r.Lost = salvaged.Rows, salvaged.Lost
	// The database of this name is always the old one or the new one. The log belongs to the old one.
	if err := os.Link(databasePath(dir), filepath.Join(r.Moved, "soundstage.db")); err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		err := os.Rename(databasePath(dir)+suffix, filepath.Join(r.Moved, "soundstage.db"+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(fresh, databasePath(dir))
}

// copyFile copies a file durably.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// moveFiles moves damaged files with their records. A file that only differs from its row moves, too.
func (r *Repaired) moveFiles(dir string) error {
	for _, f := range r.Report.Damaged {
		name := filepath.FromSlash(f.Key)
		from, to := filepath.Join(blobsPath(dir), filepath.Dir(name)), filepath.Join(r.Moved, "blobs", filepath.Dir(name))
		entries, err := os.ReadDir(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), filepath.Base(name)+"@") {
				continue
			}
			if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
