package engine

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// The longest key of a blob and the longest segment of one, in bytes: what object stores and file systems take.
const (
	maxBlobKey     = 1024
	maxBlobSegment = 200
)

const blobKeyAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// ValidBlobKey reports whether every Blobs takes the key: segments of letters, digits, '-', '_' and '.', with slashes
// between them, none of them "." or "..".
func ValidBlobKey(key string) bool {
	if len(key) > maxBlobKey {
		return false
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || segment == "." || segment == ".." || len(segment) > maxBlobSegment || strings.TrimLeft(segment, blobKeyAlphabet) != "" {
			return false
		}
	}
	return true
}

// CheckBlobKey is ValidBlobKey as an error of fault.CodeInvalid.
func CheckBlobKey(key string) error {
	if !ValidBlobKey(key) {
		return fault.Errorf(fault.CodeInvalid, "", "%.100q is not a key of a blob.", key)
	}
	return nil
}
