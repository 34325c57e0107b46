package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// List calls fn for each blob whose key begins with prefix, in order of keys. It reads only the prefix's folder and its
// subfolders.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	if folder != "" && !blob.ValidKey(strings.TrimSuffix(folder, "/")) {
		return nil // no key has this prefix
	}
	return b.list(ctx, folder, prefix, fn)
}

// list walks a folder: "" or "a/b/".
func (b *Blobs) list(ctx context.Context, folder, prefix string, fn func(engine.BlobInfo) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	keys, err := b.keysIn(folder)
	if err != nil {
		return err
	}
	for _, key := range keys {
		switch {
		case !strings.HasPrefix(key, prefix):
			continue
		case strings.HasSuffix(key, "/"):
			err = b.list(ctx, key, prefix, fn)
		default:
			err = b.callFor(ctx, key, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keysIn returns the keys of a folder's blobs, and of its folders with a trailing slash. They are sorted like the keys
// below them: of "a", "a-b", and "a/b", the last is the highest.
func (b *Blobs) keysIn(folder string) (keys []string, err error) {
	entries, err := os.ReadDir(b.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		name := entry.Name()
		if segment, suffix, ok := splitName(name); ok && suffix == metaSuffix {
			keys = append(keys, folder+segment)
		}
		if entry.IsDir() && blob.ValidKey(name) {
			keys = append(keys, folder+name+"/")
		}
	}
	slices.Sort(keys)
	return keys, failure(err)
}

// callFor calls fn with the blob, unless it has been deleted.
func (b *Blobs) callFor(ctx context.Context, key string, fn func(engine.BlobInfo) error) error {
	info, err := b.Stat(ctx, key)
	if engine.CodeOf(err) == engine.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return fn(info)
}
