package backend

// Unexported functions that have tests of their own.
var (
	RetryAfter     = retryAfter
	DecodeExchange = decodeExchange
	Agrees         = matches
)

// Encode exports encode.
func (x Exchange) Encode() ([]byte, error) { return x.encode() }
