package emulatortest

import (
	"context"
	"net/http"
	"testing"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// World is an isolated world of a server, with its own data, secrets, clock, and seed.
type World struct {
	Name    string
	Secret  string // of the highest tier: "sk_sandbox_platform" in the default world
	Secrets Secrets

	Wait     Wait
	Clock    Clock
	Faults   Faults
	Webhooks Webhooks
	Requests Requests

	server *Server
	t      testing.TB
}

// Secrets are a world's API secrets by tier; "" if there is none.
type Secrets struct {
	None, Core, Automation, Platform string // of the first user
	Other                            string // of the second user, who has their own space
}

// sandboxSecrets returns the default world's secrets: the custom ones, if any.
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

// world returns a test's view of a world.
func (s *Server) world(t testing.TB, name string, secrets Secrets) *World {
	w := &World{Name: name, Secret: secrets.Platform, Secrets: secrets, server: s, t: t}
	w.groups()
	return w
}

// NewWorld creates a world that ends with the test. Parallel tests can share a server this way without sharing data. The test
// fails immediately if the world can't be created.
func (s *Server) NewWorld(t testing.TB, n control.NewWorld) *World {
	t.Helper()
	info, err := s.Sandbox.CreateWorld(context.Background(), n)
	if err != nil {
		t.Fatalf("the world can't be created: %v", err)
	}
	w := s.world(t, info.World, secretsBy(info.Secrets))
	w.startCapsule(t)
	t.Cleanup(func() {
		t.Helper()
		w.Faults.verify(t)
		w.writeCapsule(t)
		err := s.Sandbox.DeleteWorld(context.Background(), info.World)
		if err != nil && engine.CodeOf(err) != engine.CodeNotFound { // the test or the server's end may have deleted it
			t.Errorf("the world %s can't be deleted: %v", info.World, err)
		}
	})
	return w
}

// Fork creates a world with this world's current data. It ends with the test.
func (w *World) Fork(t testing.TB) *World {
	t.Helper()
	return w.server.NewWorld(t, control.NewWorld{ForkOf: w.Name})
}

// Reset empties the world except for its users, spaces, and secrets, and applies the fixtures of New again. It fails the test for
// faults that have not happened.
func (w *World) Reset() {
	w.t.Helper()
	w.Faults.verify(w.t)
	done := w.record("POST", "reset", nil)
	err := w.server.Sandbox.Reset(context.Background(), w.Name)
	done(200, err)
	if err != nil {
		w.t.Fatalf("the world %s can't be reset: %v", w.Name, err)
	}
}

// Engine returns the world's engine. Reset replaces it.
func (w *World) Engine() *engine.Engine {
	w.t.Helper()
	e, err := w.server.Sandbox.EngineOf(w.Name)
	if err != nil {
		w.t.Fatalf("the world %s has no engine: %v", w.Name, err)
	}
	return e
}

// Client returns a client that sends Secret with every request without an Authorization header.
func (w *World) Client() *http.Client { return w.ClientOf(w.Secret) }

// ClientOf returns a client with another secret; "" sends none.
func (w *World) ClientOf(secret string) *http.Client {
	t := transport{server: w.server}
	if secret != "" {
		t.authorization = []string{"Bearer " + secret}
	}
	return &http.Client{Transport: t}
}
