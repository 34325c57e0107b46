package backend

import (
	"crypto/tls"
	"net/http"
)

// NewTransport is http.DefaultTransport's settings on connections of its own, that wait as long for an answer as an exchange may take.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	t.MaxIdleConnsPerHost = 16
	t.MaxResponseHeaderBytes = 64 << 10
	return t
}
