package executable

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// Port returns a port of 127.0.0.1 for a program that can't choose one itself. Nothing listens there, and no connection or listener of
// another test takes it before the program listens: systems give them ports from 32768 (Linux) or 49152 (macOS, Windows).
func Port(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20000 + rand.IntN(12000))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			if err := listener.Close(); err != nil {
				t.Fatal(err)
			}
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}
