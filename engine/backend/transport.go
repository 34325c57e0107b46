package backend

import (
	"crypto/tls"
	"net/http"
)

// NewTransport returns a transport with the settings of http.DefaultTransport, its own connections, and no timeout for response headers.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	t.MaxIdleConnsPerHost = 16
	t.MaxResponseHeaderBytes = 64 << 10
	return t
}
