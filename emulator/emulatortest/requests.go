package emulatortest

import (
	"bytes"
	"context"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Requests is a world's request log of the newest 1,000 exchanges. A Match that can match no request fails the test immediately.
type Requests struct{ world *World }

// Find returns the matching exchanges, oldest first.
func (r Requests) Find(m traffic.Match) []*traffic.Entry {
	r.world.t.Helper()
	found, err := r.world.Control().Traffic().Find(m)
	r.world.must("the request log", err)
	return found
}

// Count returns the number of matching exchanges.
func (r Requests) Count(m traffic.Match) int {
	r.world.t.Helper()
	return len(r.Find(m))
}

// Last returns the number of the newest exchange. As a Match's Since, it selects later exchanges.
func (r Requests) Last() int64 {
	r.world.t.Helper()
	return r.world.Control().Traffic().Last()
}

// Wait returns all matching exchanges, past ones included, when there are at least count. The test fails immediately after the
// WithWaitLimit.
func (r Requests) Wait(m traffic.Match, count int) []*traffic.Entry {
	r.world.t.Helper()
	ctx, cancel := r.world.waitContext()
	defer cancel()
	found, err := r.world.Control().Traffic().Wait(ctx, m, count)
	if err != nil && ctx.Err() != nil {
		r.world.t.Fatalf("received %d of %d requests within %v", len(found), count, r.world.server.limit)
	}
	r.world.must("waiting for requests", err)
	return found
}

// HAR returns the matching exchanges as an HTTP Archive 1.2 in JSON.
func (r Requests) HAR(m traffic.Match) []byte {
	r.world.t.Helper()
	var b bytes.Buffer
	health, err := r.world.server.Sandbox.Health(context.Background())
	r.world.must("the request log", err)
	r.world.must("the request log", r.world.Control().Traffic().WriteHAR(&b, m, health.Version))
	return b.Bytes()
}

// Clear removes every exchange. The numbering continues.
func (r Requests) Clear() {
	r.world.t.Helper()
	r.world.Control().Traffic().Clear()
}
