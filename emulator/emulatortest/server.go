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

// Server is a sandbox of a test. The World in it is the default one.
type Server struct {
	*World
	URL     string           // base of every address, "http://127.0.0.1:34567"
	Sandbox *emulator.Server // for what is not here

	way      *http.Transport // to the sandbox
	bodies   bodies
	limit    time.Duration // of a Wait
	unfired  bool          // whether faults may never happen
	capsules bool          // whether the requests of worlds are recorded
	close    sync.Once
}

// New starts a sandbox that ends with the test; that it can't is fatal. The test fails when it leaves the body of an answer
// open, and on faults that never happened.
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
	s.way = &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 64}
	s.World = s.world(t, control.DefaultWorld, sandboxSecrets(c.Secrets))
	s.startCapsule(t)
	t.Cleanup(func() {
		t.Helper()
		s.end(t)
	})
	return s
}

// Close ends the sandbox before the test does, which is no error: it lets requests end, and removes what is temporary.
func (s *Server) Close() {
	s.t.Helper()
	s.end(s.t)
}

// end closes the server, once, and fails the test on what is left.
func (s *Server) end(t testing.TB) {
	t.Helper()
	s.close.Do(func() {
		s.Faults.verify(t)
		if open := s.bodies.list(); len(open) > 0 {
			t.Errorf("the bodies of %d answers were never closed: %v", len(open), open)
		}
		s.leaveCapsule(t)
		s.way.CloseIdleConnections()
		if err := s.Sandbox.Close(); err != nil {
			t.Errorf("the sandbox didn't end well: %v", err)
		}
		s.way.CloseIdleConnections()
	})
}
