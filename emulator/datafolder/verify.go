package datafolder

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Report is the result of Verify.
type Report struct {
	OK       bool            `json:"ok"` // neither damage nor missing files; orphans are harmless
	Rows     int             `json:"rows"`
	Files    int             `json:"files"`
	Database []sqlite.Damage `json:"database"`      // damage in the database
	Damaged  []File          `json:"damaged_files"` // stored files that differ from their record, or from the row that needs them
	Missing  []File          `json:"missing_files"` // files that rows need
	Orphans  []string        `json:"orphans"`       // keys of files that no row needs
}

// File is a stored file with a problem.
type File struct {
	Key     string `json:"key"`
	Table   string `json:"table,omitempty"` // of a row that needs it
	ID      string `json:"id,omitempty"`    // of the row
	Problem string `json:"problem"`
}

func databasePath(dir string) string { return filepath.Join(dir, "soundstage.db") }
func blobsPath(dir string) string    { return filepath.Join(dir, "blobs") }

// Verify reads a whole data folder: the pages, indexes, and rows of the database, and each stored file, which it compares with its
// SHA-256 and with the rows that need it. CodeNotFound if the folder has no database, CodeConflict if it is in use.
func Verify(ctx context.Context, dir string) (Report, error) {
	db, err := sqlite.Verify(ctx, databasePath(dir))
	if err != nil {
		return Report{}, err
	}
	r := Report{Rows: db.Rows, Database: db.Damage}
	infos, err := r.readFiles(ctx, dir)
	if err != nil {
		return Report{}, err
	}
	r.compare(db.Blobs, infos)
	if db.Blobs == nil && len(db.Damage) > 0 {
		r.Orphans = nil // the rows that need the files can't be read
	}
	r.OK = len(r.Database)+len(r.Damaged)+len(r.Missing) == 0
	return r, nil
}

// readFiles reads every stored file, and returns the descriptions of the undamaged ones by key.
func (r *Report) readFiles(ctx context.Context, dir string) (map[string]engine.BlobInfo, error) {
	infos := map[string]engine.BlobInfo{}
	if _, err := os.Stat(blobsPath(dir)); os.IsNotExist(err) {
		return infos, nil
	}
	blobs, err := files.New(blobsPath(dir), files.Options{KeepAll: true})
	if err != nil {
		return nil, err
	}
	keys, err := storedKeys(blobsPath(dir))
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		r.Files++
		info, err := blobs.Stat(ctx, key)
		if err == nil {
			err = readAll(ctx, blobs, key)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case engine.CodeOf(err) == engine.CodeNotFound:
			r.Damaged = append(r.Damaged, File{Key: key, Problem: "the record has no file"})
		case err != nil:
			r.Damaged = append(r.Damaged, File{Key: key, Problem: cause(err)})
		default:
			infos[key] = info
		}
	}
	return infos, nil
}

func readAll(ctx context.Context, blobs *files.Blobs, key string) error {
	body, err := blobs.Open(ctx, key, 0, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, body)
	_ = body.Close()
	return err
}

// cause returns the detail of an error, which is safe to show to the owner of the folder.
func cause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "files: "); i >= 0 {
		return text[i+len("files: "):]
	}
	return text
}

// storedKeys returns the keys of all records, also of damaged ones, sorted.
func storedKeys(root string) (keys []string, err error) {
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, ok := strings.CutSuffix(path, "@meta"); ok {
			key, err := filepath.Rel(root, name)
			keys = append(keys, filepath.ToSlash(key))
			return err
		}
		return nil
	})
	slices.Sort(keys)
	return keys, err
}

// compare compares the rows' references with the undamaged files.
func (r *Report) compare(refs []sqlite.BlobRef, infos map[string]engine.BlobInfo) {
	needed := map[string]bool{}
	for _, ref := range refs {
		needed[ref.Key] = true
		info, ok := infos[ref.Key]
		file := File{Key: ref.Key, Table: ref.Table, ID: ref.ID}
		i := slices.IndexFunc(r.Damaged, func(f File) bool { return f.Key == ref.Key })
		switch {
		case i >= 0:
			r.Damaged[i].Table, r.Damaged[i].ID = ref.Table, ref.ID
		case !ok:
			file.Problem = "the file is missing"
			r.Missing = append(r.Missing, file)
		case ref.Size >= 0 && ref.Size != info.Size, ref.SHA256 != [32]byte{} && ref.SHA256 != info.SHA256:
			file.Problem = "the file is not the one that the row names"
			r.Damaged = append(r.Damaged, file)
		}
	}
	for key := range infos {
		if !needed[key] {
			r.Orphans = append(r.Orphans, key)
		}
	}
	slices.Sort(r.Orphans)
}
