package files

import (
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// The longest key and the longest segment of one, in bytes: what object stores and file systems take.
const (
	maxKey     = 1024
	maxSegment = 200
)

const keyAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// checkKey fails with CodeInvalid for what cannot be a blob's key. What it lets through stays in the folder.
func checkKey(key string) error {
	if !validKey(key) {
		return engine.Errorf(engine.CodeInvalid, "", "%.100q is not a key of a blob.", key)
	}
	return nil
}

func validKey(key string) bool {
	if len(key) > maxKey {
		return false
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || segment == "." || segment == ".." || len(segment) > maxSegment ||
			strings.TrimLeft(segment, keyAlphabet) != "" {
			return false
		}
	}
	return true
}

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
	if i < 0 || !validKey(name[:i]) {
		return "", "", false
	}
	return name[:i], name[i:], true
}
