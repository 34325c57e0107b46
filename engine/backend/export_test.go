package backend

// What is tested by itself.
var (
	RetryAfter     = retryAfter
	DecodeExchange = decodeExchange
	Agrees         = agrees
)

// Encode is encode.
func (x Exchange) Encode() ([]byte, error) { return x.encode() }
