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

// SaveSnapshot returns a writer of a snapshot of a world's current state; "" means the default world. See package snapshot for the
// format. CodeNotFound for an unknown world; CodeConflict with a data folder.
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

// idsOfSecrets is the kind of id of a world's secrets. Its count only depends on how often the world was restored.
const idsOfSecrets = "id key"

// file prepares a snapshot of a state. The snapshot contains the key only if the secrets are public.
func (s *state) file(ctx context.Context, program string, withKey bool) (*snapshot.Writer, error) {
	m := snapshot.Manifest{
		Program: program, World: s.world, Seed: s.seed, IDs: map[string]uint64{},
		Clock: snapshot.Clock{Mode: string(s.clock.Mode), Now: s.clock.Now, Rate: s.clock.Rate},
	}
	var err error
	if m.Renders, err = snapshotRenders(s.renders); err != nil {
		return nil, err
	}
	for kind, n := range s.ids {
		if kind != idsOfSecrets {
			m.IDs[kind] = n
		}
	}
	if withKey {
		m.Key = s.key
	}
	err = s.blobs.List(ctx, "", func(info engine.BlobInfo) error {
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

// maxSnapshot is the maximum size in bytes of a snapshot.
const maxSnapshot = 2 << 30

// LoadSnapshot restores a world from a snapshot that SaveSnapshot wrote, as RestoreSnapshot does, but keeps what fixtures have
// bound. If it fails, the world is unchanged. It returns the errors of snapshot.Open and RestoreSnapshot, and CodeTooLarge for
// more than 2 GiB.
func (s *Server) LoadSnapshot(ctx context.Context, world string, r io.Reader) error {
	if s.opts.DataDir != "" {
		return s.restore(ctx, world, nil)
	}
	if _, err := s.find(world); err != nil {
		return err
	}
	dir, err := s.shared.bytes.path()
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
		return engine.Errorf(engine.CodeInvalid, "LoadSnapshot", "The snapshot was not received completely.").Because(err).WithHint("Send it again.")
	case size > maxSnapshot:
		return engine.Errorf(engine.CodeTooLarge, "LoadSnapshot", "The snapshot exceeds %d bytes.", maxSnapshot)
	}
	begin, err := s.read(ctx, temp, size)
	if err != nil {
		return err
	}
	return s.restore(ctx, world, begin)
}

// loadFile calls LoadSnapshot for Options.Snapshot.
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

// read reads a snapshot into a state.
func (s *Server) read(ctx context.Context, file io.ReaderAt, size int64) (*state, error) {
	r, err := snapshot.Open(file, size)
	if err != nil {
		return nil, err
	}
	m := r.Manifest
	st := &state{world: m.World, seed: m.Seed, key: m.Key, ids: m.IDs}
	if st.clock, err = clockOf(m.Clock.Mode, m.Clock.Rate, m.Clock.Now); err != nil {
		return nil, err
	}
	if st.renders, err = rendersOf(m.Renders); err != nil {
		return nil, err
	}
	rows, err := r.Rows()
	if err != nil {
		return nil, err
	}
	st.store, err = memory.Load(rows)
	if err = errors.Join(err, rows.Close()); err != nil {
		return nil, engineError(err)
	}
	var at time.Time
	st.blobs = blobs.New(s.shared.pool, func() time.Time { return at })
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

// engineError returns the *engine.Error among joined errors.
func engineError(err error) error {
	var own *engine.Error
	if errors.As(err, &own) {
		return own
	}
	return err
}
