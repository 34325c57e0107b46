package blob

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// MaxTTL is the longest time that every PresigningStore lets an address be valid.
const MaxTTL = 7 * 24 * time.Hour

// PresigningStore is an optional ability of a Store: clients send and read bytes themselves, by a signed address that needs no other
// secret. Making an address touches no bytes. CodeInvalid for an invalid key, Put, or Get.
type PresigningStore interface {
	Store
	// PresignPut returns a request that stores one blob, once: it is refused when the key has a blob. So nobody can replace the bytes
	// after they were checked. If the Put is Replaceable, each request replaces the bytes until the address expires. Other bytes than Put
	// describes are refused, and a request that ends early changes nothing. CodeTooLarge if the store doesn't take a blob of this size in
	// one request.
	PresignPut(ctx context.Context, key string, p Put) (Address, error)
	// PresignGet returns the address from which the blob can be read, whole or in ranges. The blob need not exist yet.
	PresignGet(ctx context.Context, key string, g Get) (Address, error)
}

// Put is what a presigned request may store.
type Put struct {
	Size        int64         // bytes, exactly; greater than zero
	SHA256      [32]byte      // of the bytes; zero for any
	ContentType string        // that the request must have; required
	TTL         time.Duration // within which the request must begin; more than zero, at most MaxTTL
	// Replaceable allows requests that replace the bytes. They need no header but Content-Type. Copy the blob with a Copier before you
	// check its bytes, and use only the copy.
	Replaceable bool
}

// Get is what a presigned address returns.
type Get struct {
	ContentType string        // of the answer; "" for the blob's
	Filename    string        // for saving it; "" for none
	TTL         time.Duration // within which a request must begin; more than zero, at most MaxTTL
}

// Address is a request that a client sends with the bytes as its body, or without a body.
type Address struct {
	Method string            // "PUT" or "GET"
	URL    string            // with its signature: a secret until it expires
	Header map[string]string // that the request must have; may be nil. HTTP clients add Content-Length themselves
}

// Check returns CodeInvalid unless the request can be signed. Every PresigningStore begins with it.
func (p Put) Check() error {
	switch {
	case p.Size <= 0:
		return fault.Errorf(fault.CodeInvalid, "", "The size must be greater than zero (got %d).", p.Size)
	case p.ContentType == "":
		return fault.Errorf(fault.CodeInvalid, "", "The content type must not be empty.")
	}
	return checkTTL(p.TTL)
}

// Check returns CodeInvalid unless the address can be signed. Every PresigningStore begins with it.
func (g Get) Check() error { return checkTTL(g.TTL) }

func checkTTL(ttl time.Duration) error {
	if ttl <= 0 || ttl > MaxTTL {
		return fault.Errorf(fault.CodeInvalid, "", "An address can be valid for up to %v (got %v).", MaxTTL, ttl)
	}
	return nil
}
