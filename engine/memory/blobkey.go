package memory

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// The longest key and the longest segment of one, in bytes: what object stores and file systems take.
const (
	maxKey     = 1024
	maxSegment = 200
)

const keyAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// checkKey fails with CodeInvalid for what cannot be a blob's key.
func checkKey(key string) error {
	ok := len(key) <= maxKey
	for segment := range strings.SplitSeq(key, "/") {
		ok = ok && segment != "" && segment != "." && segment != ".." && len(segment) <= maxSegment &&
			strings.TrimLeft(segment, keyAlphabet) == ""
	}
	if !ok {
		return engine.Errorf(engine.CodeInvalid, "", "%.100q is not a key of a blob.", key)
	}
	return nil
}
