package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// fence is the ID in the markers around the parts of a request: 128 bits, in hex, of a SHA-256 over all texts of the
// request. The same request has the same fence, so exchanges can be recorded and replayed. Nobody can write a text that
// contains its own request's fence, because each change of the text changes the fence: it would take 2^128 attempts.
type fence string

func newFence(texts ...string) fence {
	hash := sha256.New()
	for _, t := range texts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(t)))
		hash.Write(size[:])
		hash.Write([]byte(t))
	}
	return fence(hex.EncodeToString(hash.Sum(nil)[:16]))
}

// part writes a text between fences with a name. It omits an empty text.
func (f fence) part(b *strings.Builder, name, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(clean(text), string(f), ""))
	if text == "" {
		return
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	b.WriteString("<<<" + name + " " + string(f) + ">>>\n" + text + "\n<<<end " + name + " " + string(f) + ">>>\n")
}
