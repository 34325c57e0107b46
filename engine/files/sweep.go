package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/blob"
)

// sweep removes what a crash can leave in a folder ("" or "a/b/") and below it: data without a record, unpublished
// records, records without data, and empty folders. It keeps files newer than before, unless the folder is exclusive. It
// reports whether the folder is empty.
func (b *Blobs) sweep(folder string, before time.Time) (empty bool, err error) {
	entries, err := os.ReadDir(b.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	data, records := map[string][]string{}, map[string]bool{} // by segment: suffixes of its data files, and whether it has a record
	for _, entry := range entries {
		if segment, suffix, ok := splitName(entry.Name()); ok {
			if suffix == metaSuffix {
				records[segment] = true
			} else if !strings.HasSuffix(suffix, tempSuffix) {
				data[segment] = append(data[segment], suffix)
			}
		}
	}
	left := len(entries)
	for _, entry := range entries {
		gone := false
		if entry.IsDir() {
			gone, err = b.sweepFolder(folder, entry.Name(), before)
		} else if segment, suffix, ok := splitName(entry.Name()); ok && b.unused(folder+segment, suffix, data[segment], records[segment]) {
			gone, err = b.sweepFile(entry, b.path(folder+entry.Name()), before)
		}
		if err != nil {
			return false, err
		}
		if gone {
			left--
		}
	}
	return left == 0, nil
}

// unused reports whether a blob's file is unused, given all files of the blob. If the record is damaged, all data is
// kept, so that it can be inspected.
func (b *Blobs) unused(key, suffix string, data []string, record bool) bool {
	switch {
	case strings.HasSuffix(suffix, tempSuffix):
		return true
	case suffix == metaSuffix:
		return len(data) == 0
	case !record:
		return true
	case len(data) == 1:
		return false // the record refers to existing data
	}
	r, err := b.readRecord(key)
	return err == nil && suffix != "@"+r.Version
}

func (b *Blobs) sweepFolder(folder, name string, before time.Time) (gone bool, err error) {
	if !blob.ValidKey(name) {
		return false, nil // not ours
	}
	empty, err := b.sweep(folder+name+"/", before)
	return empty && os.Remove(b.path(folder+name)) == nil, err
}

func (b *Blobs) sweepFile(entry os.DirEntry, path string, before time.Time) (gone bool, err error) {
	info, err := entry.Info()
	if err == nil && !b.options.Exclusive && !info.ModTime().Before(before) {
		return false, nil
	}
	if err == nil {
		err = removeFile(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return err == nil, err
}
