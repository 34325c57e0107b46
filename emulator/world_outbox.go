package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// Webhooks returns the world's outbox.
func (w *world) Webhooks() *outbox.Outbox { return w.outbox }

// attachOutbox connects the outbox to the engine. Sinks and listeners belong to the sandbox's first user.
func (w *world) attachOutbox(ctx context.Context) error {
	return w.outbox.Attach(ctx, w.engine, w.store, engine.Caller{
		UserID: SandboxUserID, AccountID: SandboxAccountID, DefaultSpaceID: SandboxSpaceID, Tier: engine.TierPlatform,
	})
}

// ShuttingDown returns a channel that is closed when the server begins to stop. Streams end then.
func (s *Server) ShuttingDown() <-chan struct{} { return s.ending }

// Webhooks returns the outbox of the default world. A reset replaces it.
func (s *Server) Webhooks() *outbox.Outbox {
	w, _ := s.worlds.find(control.DefaultWorld)
	return w.outbox
}
