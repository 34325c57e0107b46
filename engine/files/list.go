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

// List calls fn for each blob whose key begins with prefix, in order of their keys. It looks into the prefix's folder and
// those below it only.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	if folder != "" && !blob.ValidKey(strings.TrimSuffix(folder, "/")) {
		return nil // no key begins like this
	}
	return b.list(ctx, folder, prefix, fn)
}

// list walks a folder, "" or "a/b/".
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
			err = b.tell(ctx, key, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keysIn returns the keys of a folder's blobs and, with a slash behind them, of its folders: sorted as the keys below
// them are, since of "a", "a-b" and "a/b" the last is the highest.
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

// tell calls fn with the blob, unless it was deleted meanwhile.
func (b *Blobs) tell(ctx context.Context, key string, fn func(engine.BlobInfo) error) error {
	info, err := b.Stat(ctx, key)
	if engine.CodeOf(err) == engine.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return fn(info)
}
