package speech

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Seal makes a note of what a server said, with a hash in front: half a note, or somebody else's, could be taken for an answer.
func Seal(answer []byte) []byte {
	hash := sha256.Sum256(answer)
	return append(append(hex.AppendEncode(nil, hash[:]), '\n'), answer...)
}

// Unseal returns what was sealed; nil and false for anything else.
func Unseal(note []byte) ([]byte, bool) {
	_, answer, ok := bytes.Cut(note, []byte("\n"))
	if !ok || !bytes.Equal(Seal(answer), note) {
		return nil, false
	}
	return answer, true
}
