package emulatortest

import (
	"context"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// Server is a test's sandbox. Its embedded World is the default world.
type Server struct {
	*World
	URL     string           // base URL, "http://127.0.0.1:34567"
	Sandbox *emulator.Server // for everything without a method here

	httpTransport *http.Transport // connects to the sandbox
	bodies        bodies
	limit         time.Duration // limit of a Wait
	unfired       bool          // whether unfired faults are allowed
	capsules      bool          // whether worlds are recorded
	close         sync.Once
}

// New starts a sandbox that ends with the test. The test fails immediately if the sandbox can't start. At its end, the test fails
// if a response body is still open or a fault didn't happen.
func New(t testing.TB, opts ...Option) *Server {
	t.Helper()
	c := newConfig(opts)
	if c.err != nil {
		t.Fatalf("the sandbox can't be started: %s", explain(c.err))
	}
	dial := new(net.Dialer).DialContext
	if c.memory {
		m := newMemory()
		c.Listener, dial = m, m.DialContext
	}
	sandbox, err := emulator.New(context.Background(), c.Options)
	if err != nil {
		t.Fatalf("the sandbox can't be started: %v", err)
	}
	s := &Server{URL: sandbox.URL(), Sandbox: sandbox, limit: c.limit, unfired: c.unfired}
	s.capsules = c.capsule || os.Getenv(capsulesVariable) != ""
	s.httpTransport = &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 64, DisableCompression: true}
	s.World = s.world(t, control.DefaultWorld, sandboxSecrets(c.Secrets))
	s.startCapsule(t)
	t.Cleanup(func() {
		t.Helper()
		s.end(t)
	})
	return s
}

// Close closes the sandbox before the end of the test. It waits for requests in progress and removes temporary files.
func (s *Server) Close() {
	s.t.Helper()
	s.end(s.t)
}

// end closes the server once, and fails the test for open bodies and unfired faults.
func (s *Server) end(t testing.TB) {
	t.Helper()
	s.close.Do(func() {
		s.Faults.verify(t)
		if open := s.bodies.list(); len(open) > 0 {
			t.Errorf("the bodies of %d responses were not closed: %v", len(open), open)
		}
		s.writeCapsule(t)
		s.httpTransport.CloseIdleConnections()
		if err := s.Sandbox.Close(); err != nil {
			t.Errorf("closing the sandbox: %v", err)
		}
		s.httpTransport.CloseIdleConnections()
	})
}
