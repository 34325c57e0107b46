package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// library is an open data folder with an engine.
type library struct {
	*engine.Engine
	me      engine.Caller
	store   *diskStore
	patient bool // whether work waits while the disk is full
}

// databaseFile is the name of the database in a data folder.
const databaseFile = "soundstage.db"

// withLibrary opens the library in a data folder, calls fn, and closes the library. Errors: CodeNotFound (no library), CodeConflict (another
// process uses it), CodeUnavailable (it can't be used).
func withLibrary(ctx context.Context, dir string, fn func(context.Context, *library) error) error {
	if err := hasLibrary(dir); err != nil {
		return err
	}
	return openLibrary(ctx, dir, engine.Config{}, fn)
}

// hasLibrary returns CodeNotFound if there is no library in a folder.
func hasLibrary(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, databaseFile)); errors.Is(err, fs.ErrNotExist) {
		return engine.Errorf(engine.CodeNotFound, "library", "There is no library in %s.", dir).
			WithHint("Check --data, or create the library: soundstage library add FILE --data DIR.")
	}
	return nil
}

// makeLibraryDir is emulator.MakeDataDir with a hint for a library, which can't do without a folder.
func makeLibraryDir(dir string) error {
	err := emulator.MakeDataDir(dir)
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.WithHint("Choose a folder that you can write to. Commands that only read the library write to it, too.")
	}
	return err
}

// openLibrary is withLibrary with the ports of c, and creates the library if there is none.
func openLibrary(ctx context.Context, dir string, c engine.Config, fn func(context.Context, *library) error) (err error) {
	if err := makeLibraryDir(dir); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(dir, databaseFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := emulator.CheckData(ctx, dir, store); err != nil {
		return err
	}
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{Exclusive: true})
	if err != nil {
		return err
	}
	c.Blobs, c.StorageHardLimit, c.StorageSoftLimit = blobs, libraryStorage, libraryStorage
	l := &library{store: &diskStore{Store: store}}
	c.Store = l.store
	if l.Engine, err = engine.New(c); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if l.me, err = l.account(ctx); err != nil {
		return err
	}
	return fn(ctx, l)
}

// libraryStorage is the storage limit of a new library in bytes: the disk is the real one.
const libraryStorage = 1 << 60

// account returns the user of the library, and creates it at the first use. It is the sandbox's first user, so that `serve --data` has the
// recordings, and those of a sandbox's folder are in the library. Nothing is generated from recordings of a new library.
func (l *library) account(ctx context.Context) (engine.Caller, error) {
	_, err := l.GetAccount(ctx, emulator.SandboxAccountID)
	isNew := engine.CodeOf(err) == engine.CodeNotFound
	if err != nil && !isNew {
		return engine.Caller{}, err
	}
	me, err := l.CreateAccount(ctx, engine.NewAccount{
		Name: "Library", AccountID: emulator.SandboxAccountID, UserID: emulator.SandboxUserID, SpaceID: emulator.SandboxSpaceID,
	})
	if err == nil && isNew {
		_, err = l.UpdateSpace(ctx, me, me.DefaultSpaceID, func(s *engine.Space) error {
			s.AutoGenerate = false
			return nil
		})
	}
	return me, err
}
