package files

import (
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/blob"
)

const (
	metaSuffix = "@meta"
	tempSuffix = ".tmp" // of metadata that is not in place yet
)

func (b *Blobs) path(key string) string     { return filepath.Join(b.dir, filepath.FromSlash(key)) }
func (b *Blobs) metaPath(key string) string { return b.path(key) + metaSuffix }

func (b *Blobs) dataPath(key, version string) string { return b.path(key) + "@" + version }

// splitName takes the name of a file apart: which blob of its folder it belongs to, and which of the blob's files it is.
func splitName(name string) (segment, suffix string, ok bool) {
	i := strings.IndexByte(name, '@')
	if i < 0 || !blob.ValidKey(name[:i]) {
		return "", "", false
	}
	return name[:i], name[i:], true
}
