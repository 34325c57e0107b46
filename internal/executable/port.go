package executable

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// Port returns a port of 127.0.0.1 for a program that can't choose one itself, or for a test that needs one where nobody listens. No
// connection or listener of another test takes it meanwhile: systems give them ports from 32768 (Linux) or 49152 (macOS, Windows).
//
// It doesn't listen there itself. A test that forks meanwhile would pass the listener to its child for a moment, and the port would still
// be taken after it was closed, as in Write.
func Port(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20000 + rand.IntN(12000))
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			return port
		}
		_ = c.Close()
	}
	t.Fatal("no port is free")
	return ""
}
