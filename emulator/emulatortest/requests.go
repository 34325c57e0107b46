package emulatortest

import (
	"bytes"
	"context"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Requests is the request log of a world: the newest 1,000 exchanges. A match that no request could fit is fatal to the test.
type Requests struct{ world *World }

// Find returns the exchanges that fit, the oldest first.
func (r Requests) Find(m traffic.Match) []*traffic.Entry {
	r.world.t.Helper()
	found, err := r.world.Control().Traffic().Find(m)
	r.world.must("the request log", err)
	return found
}

// Count returns how many exchanges fit.
func (r Requests) Count(m traffic.Match) int {
	r.world.t.Helper()
	return len(r.Find(m))
}

// Last is the number of the exchange that ended last: the Since of what comes now.
func (r Requests) Last() int64 {
	r.world.t.Helper()
	return r.world.Control().Traffic().Last()
}

// Wait returns when at least count exchanges fit, with all of them, those of the past too. That it takes longer than WithWaitLimit is
// fatal.
func (r Requests) Wait(m traffic.Match, count int) []*traffic.Entry {
	r.world.t.Helper()
	ctx, cancel := r.world.limited()
	defer cancel()
	found, err := r.world.Control().Traffic().Wait(ctx, m, count)
	if err != nil && ctx.Err() != nil {
		r.world.t.Fatalf("of %d requests %d came within %v", count, len(found), r.world.server.limit)
	}
	r.world.must("waiting for requests", err)
	return found
}

// HAR returns the exchanges that fit as a HTTP Archive 1.2, a JSON document.
func (r Requests) HAR(m traffic.Match) []byte {
	r.world.t.Helper()
	var b bytes.Buffer
	health, err := r.world.server.Sandbox.Health(context.Background())
	r.world.must("the request log", err)
	r.world.must("the request log", r.world.Control().Traffic().WriteHAR(&b, m, health.Version))
	return b.Bytes()
}

// Clear forgets every exchange; the numbers go on.
func (r Requests) Clear() {
	r.world.t.Helper()
	r.world.Control().Traffic().Clear()
}
