package emulator

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/snapshot"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// SaveSnapshot returns what writes the file of a world, "" for the default one, as it is now. See package snapshot for what is in it.
// CodeNotFound; CodeConflict with a data folder.
func (s *Server) SaveSnapshot(ctx context.Context, world string) (*snapshot.Writer, error) {
	w, err := s.find(world)
	if err != nil {
		return nil, err
	}
	now, err := w.state()
	if err != nil {
		return nil, err
	}
	return now.file(ctx, s.opts.Version, s.sandboxSecrets)
}

// idsOfSecrets is the kind of id that the secrets of a world have. It depends on how often a world was put back, and on nothing else.
const idsOfSecrets = "id key"

// file prepares the file of a state. The key is in it where everybody knows the secrets.
func (s *state) file(ctx context.Context, program string, withKey bool) (*snapshot.Writer, error) {
	m := snapshot.Manifest{
		Program: program, World: s.of, Seed: s.seed, IDs: map[string]uint64{},
		Clock: snapshot.Clock{Mode: string(s.clock.Mode), Now: s.clock.Now, Rate: s.clock.Rate},
	}
	for kind, n := range s.ids {
		if kind != idsOfSecrets {
			m.IDs[kind] = n
		}
	}
	if withKey {
		m.Key = s.key
	}
	err := s.blobs.List(ctx, "", func(info engine.BlobInfo) error {
		m.Blobs = append(m.Blobs, snapshot.Blob{
			Key: info.Key, ContentType: info.ContentType, ModTime: info.ModTime,
			File: snapshot.File{Size: info.Size, SHA256: hex.EncodeToString(info.SHA256[:])},
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return snapshot.NewWriter(m, snapshot.Content{
		Rows: s.store.Dump,
		Open: func(key string) (io.ReadCloser, error) { return s.blobs.Open(ctx, key, 0, -1) },
	})
}

// maxSnapshot is how many bytes the file of a snapshot may have.
const maxSnapshot = 2 << 30

// LoadSnapshot puts a world back to what is in a file that SaveSnapshot wrote, as RestoreSnapshot does. What fixtures have bound stays. When
// anything is wrong with the file, the world goes on as it was. Errors: those of snapshot.Open and of RestoreSnapshot; CodeTooLarge for
// more than 2 GiB.
func (s *Server) LoadSnapshot(ctx context.Context, world string, r io.Reader) error {
	if s.opts.DataDir != "" {
		return s.restore(ctx, world, nil)
	}
	if _, err := s.find(world); err != nil {
		return err
	}
	dir, err := s.tools.bytes.path()
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "snapshot-")
	if err != nil {
		return folderError(dir, err)
	}
	defer func() { _ = errors.Join(temp.Close(), os.Remove(temp.Name())) }()
	size, err := io.Copy(temp, io.LimitReader(r, maxSnapshot+1))
	switch {
	case err != nil:
		return engine.Errorf(engine.CodeInvalid, "LoadSnapshot", "The snapshot did not come to its end.").Because(err).WithHint("Send it again.")
	case size > maxSnapshot:
		return engine.Errorf(engine.CodeTooLarge, "LoadSnapshot", "The snapshot is longer than %d bytes.", maxSnapshot)
	}
	begin, err := s.read(ctx, temp, size)
	if err != nil {
		return err
	}
	return s.restore(ctx, world, begin)
}

// loadFile is LoadSnapshot from a file that the server begins with, by its path.
func (s *Server) loadFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err == nil {
		defer func() { _ = f.Close() }()
		err = s.LoadSnapshot(ctx, control.DefaultWorld, f)
	}
	if err == nil || engine.CodeOf(err) != engine.CodeInternal {
		return err
	}
	return engine.Errorf(engine.CodeInvalid, "LoadSnapshot", "The snapshot %s can't be read.", path).Because(err).
		WithHint("Check the path and its permissions.")
}

// read makes a state of a file.
func (s *Server) read(ctx context.Context, file io.ReaderAt, size int64) (*state, error) {
	r, err := snapshot.Open(file, size)
	if err != nil {
		return nil, err
	}
	m := r.Manifest
	st := &state{of: m.World, seed: m.Seed, key: m.Key, ids: m.IDs}
	if st.clock, err = clockOf(m.Clock.Mode, m.Clock.Rate, m.Clock.Now); err != nil {
		return nil, err
	}
	rows, err := r.Rows()
	if err != nil {
		return nil, err
	}
	st.store, err = memory.Load(rows)
	if err = errors.Join(err, rows.Close()); err != nil {
		return nil, one(err)
	}
	var at time.Time
	st.blobs = blobs.New(s.tools.shelf, func() time.Time { return at })
	for _, b := range m.Blobs {
		at = b.ModTime
		if err := copyBlob(ctx, st.blobs, r, b); err != nil {
			return nil, err
		}
	}
	return st, nil
}

func copyBlob(ctx context.Context, to *blobs.Blobs, r *snapshot.Reader, b snapshot.Blob) (err error) {
	content, err := r.Blob(b)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	w, err := to.Create(ctx, b.Key, engine.BlobMeta{ContentType: b.ContentType})
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, content); err != nil {
		return cmp.Or(w.Abort(), err)
	}
	_, err = w.Commit()
	return err
}

// one is the *engine.Error among joined errors.
func one(err error) error {
	var own *engine.Error
	if errors.As(err, &own) {
		return own
	}
	return err
}
