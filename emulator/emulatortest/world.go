package emulatortest

import (
	"context"
	"net/http"
	"testing"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// World is one of a server's worlds: data, secrets, clock and seed of its own.
type World struct {
	Name    string
	Secret  string // of the highest tier, "sk_sandbox_platform"
	Secrets Secrets

	Wait     Wait
	Clock    Clock
	Faults   Faults
	Webhooks Webhooks
	Requests Requests

	server *Server
	t      testing.TB
}

// Secrets are the API secrets of a world, by the tier of their plan; "" where there is none.
type Secrets struct {
	None, Core, Automation, Platform string // of its first user
	Other                            string // of its second user, who has a space of its own
}

// sandboxSecrets are the secrets of the default world: own ones, or else those of every sandbox.
func sandboxSecrets(own []emulator.Secret) Secrets {
	if len(own) == 0 {
		own = emulator.SandboxSecrets()
	}
	by := map[string]string{}
	for _, s := range own {
		kind := string(s.Tier)
		if s.Other {
			kind = "other"
		}
		by[kind] = s.Value
	}
	return secretsBy(by)
}

func secretsBy(kind map[string]string) Secrets {
	return Secrets{None: kind["none"], Core: kind["core"], Automation: kind["automation"], Platform: kind["platform"], Other: kind["other"]}
}

// world makes the view of a world that a test has.
func (s *Server) world(t testing.TB, name string, secrets Secrets) *World {
	w := &World{Name: name, Secret: secrets.Platform, Secrets: secrets, server: s, t: t}
	w.groups()
	return w
}

// NewWorld makes a world of the server that ends with the test, so that tests which run at the same time share a server and nothing
// else. That it can't is fatal.
func (s *Server) NewWorld(t testing.TB, n control.NewWorld) *World {
	t.Helper()
	info, err := s.Sandbox.CreateWorld(context.Background(), n)
	if err != nil {
		t.Fatalf("the world can't be made: %v", err)
	}
	w := s.world(t, info.World, secretsBy(info.Secrets))
	w.startCapsule(t)
	t.Cleanup(func() {
		t.Helper()
		w.Faults.verify(t)
		w.leaveCapsule(t)
		err := s.Sandbox.DeleteWorld(context.Background(), info.World)
		if err != nil && engine.CodeOf(err) != engine.CodeNotFound { // the test, or the end of its server, may have deleted it
			t.Errorf("the world %s can't be deleted: %v", info.World, err)
		}
	})
	return w
}

// Fork makes a world that begins with what this one has now, and ends with the test.
func (w *World) Fork(t testing.TB) *World {
	t.Helper()
	return w.server.NewWorld(t, control.NewWorld{ForkOf: w.Name})
}

// Reset empties the world: everything but its users, spaces and secrets is gone, and what fixtures of New have made is there anew. Faults
// that have not happened fail the test then already.
func (w *World) Reset() {
	w.t.Helper()
	w.Faults.verify(w.t)
	done := w.note("POST", "reset", nil)
	err := w.server.Sandbox.Reset(context.Background(), w.Name)
	done(200, err)
	if err != nil {
		w.t.Fatalf("the world %s can't be reset: %v", w.Name, err)
	}
}

// Engine is the world's engine; Reset replaces it.
func (w *World) Engine() *engine.Engine {
	w.t.Helper()
	e, err := w.server.Sandbox.EngineOf(w.Name)
	if err != nil {
		w.t.Fatalf("the world %s has no engine: %v", w.Name, err)
	}
	return e
}

// Client returns a client that sends Secret with every request that has no Authorization header.
func (w *World) Client() *http.Client { return w.ClientOf(w.Secret) }

// ClientOf is Client with another secret; with "" none is sent.
func (w *World) ClientOf(secret string) *http.Client {
	return &http.Client{Transport: transport{server: w.server, secret: secret}}
}
