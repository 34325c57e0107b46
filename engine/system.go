package engine

import (
	"crypto/rand"
	"fmt"
)

// RandomIDs returns the default of Config.IDs: UUIDs of version 4 (RFC 9562, section 5.4).
func RandomIDs() IDs { return randomIDs{} }

type randomIDs struct{}

func (randomIDs) NewID(string) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// idOf returns the id of a resource that a job creates. of is what only this resource of the kind belongs to; see DerivedIDs.
func (e *Engine) idOf(kind string, of ...string) string {
	if e.derived != nil {
		return e.derived.DerivedID(kind, of...)
	}
	return e.ids.NewID(kind)
}
