package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// fence is what tells the parts of a request from what is written in them: 128 bits, as hex, of a SHA-256 over all texts of the request.
// The same request has the same fence, so that exchanges can be recorded and replayed; and nobody can write a text that has the fence of the
// request that it becomes a part of, because each try changes the fence: it would take 2^128 of them.
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

// part writes a text between fences of a name; a text that is empty is left out.
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
