package files

import (
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/blob"
)

const (
	metaSuffix = "@meta"
	tempSuffix = ".tmp" // of metadata that is not published yet
)

func (b *Blobs) path(key string) string     { return filepath.Join(b.dir, filepath.FromSlash(key)) }
func (b *Blobs) metaPath(key string) string { return b.path(key) + metaSuffix }

func (b *Blobs) dataPath(key, version string) string { return b.path(key) + "@" + version }

// splitName splits a file name into its blob's last key segment and the suffix of the file.
func splitName(name string) (segment, suffix string, ok bool) {
	i := strings.IndexByte(name, '@')
	if i < 0 || !blob.ValidKey(name[:i]) {
		return "", "", false
	}
	return name[:i], name[i:], true
}
