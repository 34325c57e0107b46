package emulatortest

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Faults configures failures in a world. The test fails at its end if a fault didn't happen as often as configured, unless
// WithUnfiredFaults is set. A fault that can never happen fails the test immediately.
type Faults struct{ world *World }

// Add adds a fault after the existing ones. The first matching fault that has not been used up applies to a request.
func (f Faults) Add(fault traffic.Fault) traffic.FaultState {
	f.world.t.Helper()
	done := f.world.record("POST", "faults", fault)
	state, err := f.world.Control().Traffic().AddFault(fault)
	done(201, err)
	f.world.must("the fault can't be added", err)
	return state
}

// Next starts a fault for the next request of an operation ("createUpload" or "*") or path ("POST /v1/recordings/{id}/render" or
// "/v1/recordings"). Call one of Plan's actions to add it.
func (f Faults) Next(operation string) Plan {
	m := traffic.FaultMatch{Op: operation}
	if method, path, ok := strings.Cut(operation, " "); ok {
		m = traffic.FaultMatch{Method: method, Path: path}
	} else if strings.HasPrefix(operation, "/") {
		m = traffic.FaultMatch{Path: operation}
	}
	return Plan{faults: f, fault: traffic.Fault{Match: m}}
}

// NextEvent starts a fault for the next webhook with an event; "" means any. Call DuplicateWebhook to add it.
func (f Faults) NextEvent(event string) Plan {
	return Plan{faults: f, fault: traffic.Fault{Match: traffic.FaultMatch{Event: event}}}
}

// List returns the faults that can still happen and those that have happened at least once.
func (f Faults) List() (remaining, fired []traffic.FaultState) {
	f.world.t.Helper()
	return f.world.Control().Traffic().Faults()
}

// Remove removes a fault by its id.
func (f Faults) Remove(id string) {
	f.world.t.Helper()
	done := f.world.record("DELETE", "faults/"+url.PathEscape(id), nil)
	err := f.world.Control().Traffic().RemoveFault(id)
	done(204, err)
	f.world.must("removing the fault "+id, err)
}

// Clear removes all faults.
func (f Faults) Clear() {
	f.world.t.Helper()
	done := f.world.record("DELETE", "faults", nil)
	f.world.Control().Traffic().RemoveFaults()
	done(204, nil)
}

// verify fails the test if a fault has not happened. A deleted world has no faults.
func (f Faults) verify(t testing.TB) {
	t.Helper()
	world, err := f.world.server.Sandbox.World(f.world.Name)
	if err != nil || f.world.server.unfired {
		return
	}
	if _, err := world.Traffic().VerifyFaults(); err != nil {
		t.Errorf("%s", explain(err))
	}
}

// Plan is a fault that has not been added yet. Methods that return a Plan configure it; the others add it.
type Plan struct {
	faults Faults
	fault  traffic.Fault
}

// Times makes the fault happen for n matching requests in a row; default 1.
func (p Plan) Times(n int) Plan { p.fault.Times = n; return p }

// Nth makes the fault start at the nth matching request, counted from now; default 1.
func (p Plan) Nth(n int) Plan { p.fault.Match.Nth = n; return p }

// Of limits the fault to requests with an id in their path.
func (p Plan) Of(resource string) Plan { p.fault.Match.Resource = resource; return p }

// Header adds a header to the response of Status.
func (p Plan) Header(name, value string) Plan {
	headers := map[string]string{name: value}
	for n, v := range p.fault.Do.Headers {
		if n != name {
			headers[n] = v
		}
	}
	p.fault.Do.Headers = headers
	return p
}

// Body sets the JSON body of the response of Status. The default is an error in the specification's format.
func (p Plan) Body(raw string) Plan { p.fault.Do.Body = json.RawMessage(raw); return p }

// After delays the request before anything else happens.
func (p Plan) After(d time.Duration) Plan { p.fault.Do.LatencyMS = d.Milliseconds(); return p }

// Status responds with a status instead of the API.
func (p Plan) Status(status int) traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.Status = status
	return p.faults.Add(p.fault)
}

// Latency delays the request, which the API then handles.
func (p Plan) Latency(d time.Duration) traffic.FaultState {
	p.faults.world.t.Helper()
	return p.faults.Add(p.After(d).fault)
}

// ResetAfter resets the connection after reading the given number of bytes of the request's body. The request has no effect.
func (p Plan) ResetAfter(bytes int64) traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.ResetAfterBytes = &bytes
	return p.faults.Add(p.fault)
}

// CommitThenDrop handles the request, then closes the connection without a response.
func (p Plan) CommitThenDrop() traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.CommitThenDrop = true
	return p.faults.Add(p.fault)
}

// Truncate closes the connection after the given number of bytes of the response's body.
func (p Plan) Truncate(bytes int64) traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.Truncate = &bytes
	return p.faults.Add(p.fault)
}

// DuplicateWebhook delivers an event twice.
func (p Plan) DuplicateWebhook() traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.DuplicateWebhook = true
	return p.faults.Add(p.fault)
}
