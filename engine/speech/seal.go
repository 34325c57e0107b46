package speech

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Seal returns a note with a server's response and its hash, so that Unseal detects incomplete and foreign notes.
func Seal(answer []byte) []byte {
	hash := sha256.Sum256(answer)
	return append(append(hex.AppendEncode(nil, hash[:]), '\n'), answer...)
}

// Unseal returns the response in a sealed note, or nil and false for anything else.
func Unseal(note []byte) ([]byte, bool) {
	_, answer, ok := bytes.Cut(note, []byte("\n"))
	if !ok || !bytes.Equal(Seal(answer), note) {
		return nil, false
	}
	return answer, true
}
