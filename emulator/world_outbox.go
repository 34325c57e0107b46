package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// Webhooks is the world's webhook laboratory.
func (w *world) Webhooks() *outbox.Outbox { return w.outbox }

// attachOutbox connects the laboratory with the engine; sinks and listeners belong to the sandbox's first user.
func (w *world) attachOutbox(ctx context.Context) error {
	return w.outbox.Attach(ctx, w.engine, w.store, engine.Caller{
		UserID: SandboxUserID, AccountID: SandboxAccountID, DefaultSpaceID: SandboxSpaceID, Tier: engine.TierPlatform,
	})
}

// Ending is closed when the server begins to stop: answers that stay open end then.
func (s *Server) Ending() <-chan struct{} { return s.ending }

// Webhooks is the webhook laboratory of the default world that serves at the moment; a reset replaces it.
func (s *Server) Webhooks() *outbox.Outbox {
	w, _ := s.worlds.find(control.DefaultWorld)
	return w.outbox
}
