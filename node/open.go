package node

import (
	"context"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// This file is the list of databases and storages. Each is one case of a switch by scheme.

// OpenStore opens a database. sqlite:PATH is a file, for one node, as in tests. Errors: CodeInvalid for an address that is not known, and
// those of the store; none contains the address's password.
func OpenStore(ctx context.Context, address string) (engine.Store, error) {
	switch scheme, rest := cut(address); scheme {
	case "postgres", "postgresql":
		store, err := postgres.Open(ctx, address)
		if err != nil {
			return nil, err
		}
		return store, nil
	case "sqlite":
		store, err := sqlite.Open(ctx, rest)
		if err != nil {
			return nil, err
		}
		return store, nil
	}
	return nil, engine.Errorf(engine.CodeInvalid, "node.OpenStore", "The address of the database is not known.").
		WithHint("Use postgres://USER@HOST/DATABASE.")
}

// OpenBlobs opens a storage. file:DIR is a folder, for nodes on one machine, as in tests. Errors: CodeInvalid for an address that is not
// known, and those of the storage; none contains a secret.
func OpenBlobs(ctx context.Context, address string) (engine.Blobs, error) {
	return OpenBlobsWith(ctx, address, BlobOptions{})
}

// BlobOptions change how a storage is opened. The zero value is what OpenBlobs uses.
type BlobOptions struct {
	// CopyDir is the folder for local copies of media. By default it is a new temporary folder, which stays if the process is killed.
	CopyDir string
}

// OpenBlobsWith is OpenBlobs with options.
func OpenBlobsWith(ctx context.Context, address string, o BlobOptions) (engine.Blobs, error) {
	switch scheme, rest := cut(address); scheme {
	case "s3":
		blobs, err := s3.Open(ctx, address, s3.Options{CopyDir: o.CopyDir})
		if err != nil {
			return nil, err
		}
		return blobs, nil
	case "file":
		blobs, err := files.New(rest, files.Options{})
		if err != nil {
			return nil, err
		}
		return blobs, nil
	}
	return nil, engine.Errorf(engine.CodeInvalid, "node.OpenBlobs", "The address of the object storage is not known.").
		WithHint("Use s3://BUCKET?endpoint=https://HOST&region=REGION.")
}

// Migrate brings a database to the schema of this program, and returns the versions before and after. Errors: CodeInvalid for an address
// that is not known, CodeConflict for a newer schema, CodeUnavailable.
func Migrate(ctx context.Context, address string) (from, to int, err error) {
	switch scheme, _ := cut(address); scheme {
	case "postgres", "postgresql":
		return postgres.Migrate(ctx, address)
	case "sqlite": // it migrates when it is opened
		store, err := OpenStore(ctx, address)
		if err != nil {
			return 0, 0, err
		}
		return 0, 0, Close(store)
	}
	_, err = OpenStore(ctx, address)
	return 0, 0, err
}

// Schema returns the version of a database's schema, and the one of this program. Errors: those of Migrate.
func Schema(ctx context.Context, address string) (have, want int, err error) {
	switch scheme, _ := cut(address); scheme {
	case "postgres", "postgresql":
		return postgres.Version(ctx, address)
	}
	return Migrate(ctx, address)
}

// Close closes a store or storage that can be closed.
func Close(part any) error {
	if c, ok := part.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

func cut(address string) (scheme, rest string) {
	scheme, rest, _ = strings.Cut(address, ":")
	return scheme, strings.TrimPrefix(rest, "//")
}

// HasPassword reports whether an address contains a password, as user:password@ or as a parameter.
func HasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil { // such as a password with a character that must be escaped
		return strings.Contains(address, "@") || strings.Contains(strings.ToLower(address), "password=")
	}
	if _, has := u.User.Password(); has {
		return true
	}
	for name := range u.Query() {
		if n := strings.ToLower(name); strings.Contains(n, "password") || strings.Contains(n, "secret") {
			return true
		}
	}
	return u.Scheme == "" && strings.Contains(strings.ToLower(address), "password=") // libpq's "host=… password=…"
}
