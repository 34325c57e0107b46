package blob

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// The limits of a key and of its segments, in bytes: what object stores and file systems accept.
const (
	maxKey     = 1024
	maxSegment = 200
)

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// ValidKey reports whether every Blobs accepts the key: segments of letters, digits, '-', '_', and '.', separated by slashes. No
// segment is "." or "..".
func ValidKey(key string) bool {
	if len(key) > maxKey {
		return false
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || segment == "." || segment == ".." || len(segment) > maxSegment || strings.TrimLeft(segment, alphabet) != "" {
			return false
		}
	}
	return true
}

// CheckKey returns CodeInvalid unless the key is valid.
func CheckKey(key string) error {
	if !ValidKey(key) {
		return fault.Errorf(fault.CodeInvalid, "", "%.100q is not a valid blob key.", key).
			WithHint("A key has letters from A to Z, digits, '-', '_', and '.', in segments of at most 200 bytes between slashes.")
	}
	return nil
}
