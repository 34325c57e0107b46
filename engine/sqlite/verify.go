package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
)

// Verified is the result of Verify.
type Verified struct {
	Rows   int       // rows whose checksums were compared
	Damage []Damage  // empty if the database is undamaged
	Blobs  []BlobRef // blobs that rows need; nil if they can't be read
}

// BlobRef is a row's reference to a blob.
type BlobRef struct {
	Table, ID, Key string
	Size           int64    // bytes, -1 when unknown
	SHA256         [32]byte // zero when unknown
}

// Verify looks for damage in a whole database that no Store has open. It changes nothing but moves a log that a crash left into the
// file. CodeNotFound if there is no database, CodeConflict if it is in use or has a newer schema.
func Verify(ctx context.Context, path string) (v Verified, err error) {
	path, locks, err := lockExisting(ctx, path)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, unlock(locks)) }()
	c, err := connect(path, OpenOptions{}.writerSetup())
	if err != nil {
		return v.found(path, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	c.ctx = ctx
	version, err := userVersion(c)
	if err != nil {
		return v.found(path, err)
	}
	if err := checkPages(c, ""); err != nil {
		if v, err = v.found(path, err); err != nil {
			return v, err
		}
	}
	if version == len(migrations()) { // older rows have no checksums
		if v, err = v.checkRows(path, c); err != nil {
			return v, err
		}
	}
	if refs, err := blobRefs(c); err == nil {
		v.Blobs = refs
	} else {
		return v.found(path, err)
	}
	return v, nil
}

// checkRows compares the schema and every checksum.
func (v Verified) checkRows(path string, c *conn) (Verified, error) {
	if err := checkSchema(c); err != nil {
		if v, err = v.found(path, err); err != nil {
			return v, err
		}
	}
	for _, t := range summedTables {
		rows := 0
		err := t.check(c, func(err error) error {
			v, err = v.found(path, err)
			return err
		})
		if err == nil {
			err = c.query(func(r *row) { rows = r.Int() }, "SELECT count(*) FROM "+t.name)
		}
		if v.Rows += rows; err != nil {
			if v, err = v.found(path, err); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// found adds damage, and returns any other error.
func (v Verified) found(path string, err error) (Verified, error) {
	var row *damagedError
	var structure *structureError
	said, _ := failureOf(err)
	switch {
	case errors.As(err, &row):
		v.Damage = append(v.Damage, Damage{row.table, row.key, "the checksum of the row is wrong"})
	case errors.As(err, &structure):
		for _, problem := range structure.problems {
			v.Damage = append(v.Damage, Damage{Problem: problem})
		}
	case isDamage(err), said.primary() == codeError, said.primary() == codeReadOnly:
		v.Damage = append(v.Damage, Damage{Problem: err.Error()})
	default:
		return v, openError(path, err)
	}
	return v, nil
}

// lockExisting locks a database that exists.
func lockExisting(ctx context.Context, path string) (real string, locks []*os.File, err error) {
	real, err = realPath(path)
	if err == nil {
		_, err = os.Stat(real)
	}
	if errors.Is(err, os.ErrNotExist) {
		return real, nil, engine.Errorf(engine.CodeNotFound, "Open", "There is no database %s.", path).
			WithHint("Give the data folder of `soundstage serve --data DIR`.")
	}
	if err == nil {
		locks, err = lockBoth(ctx, real)
	}
	if err != nil {
		return real, nil, openError(real, err)
	}
	return real, locks, nil
}

// blobRefs returns every reference to a blob. Renders and uploads without bytes have none.
func blobRefs(c *conn) (refs []BlobRef, err error) {
	err = c.query(func(r *row) {
		ref := BlobRef{Table: r.Text(), ID: r.Text(), Key: r.Text(), Size: r.Int64()}
		if !r.Null() {
			ref.SHA256 = r.Hash()
		}
		refs = append(refs, ref)
	}, `SELECT 'uploads', id, blob_key, stored_size, sha256 FROM uploads WHERE blob_key <> ''
		UNION ALL SELECT 'recordings', id, blob_key, size, NULL FROM recordings WHERE blob_key <> ''
		UNION ALL SELECT 'renders', id, blob_key, size, NULL FROM renders WHERE blob_key <> ''
		UNION ALL SELECT 'transcripts', id, words_key, -1, NULL FROM transcripts WHERE words_key <> ''
		UNION ALL SELECT 'transcripts', id, blob_key, -1, NULL FROM transcripts WHERE blob_key <> '' AND status NOT IN ('completed', 'error')`)
	if err != nil {
		return nil, fmt.Errorf("blob references: %w", err)
	}
	return refs, nil
}
