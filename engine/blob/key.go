package blob

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// The longest key of a blob and the longest segment of one, in bytes: what object stores and file systems take.
const (
	maxKey     = 1024
	maxSegment = 200
)

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// ValidKey reports whether every Blobs takes the key: segments of letters, digits, '-', '_' and '.', with slashes
// between them, none of them "." or "..".
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

// CheckKey is ValidKey as an error of CodeInvalid.
func CheckKey(key string) error {
	if !ValidKey(key) {
		return fault.Errorf(fault.CodeInvalid, "", "%.100q is not a key of a blob.", key)
	}
	return nil
}
