package emulatortest

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Faults are what is to go wrong in a world. A test fails at its end on faults that didn't happen as often as they were to, unless
// WithUnfiredFaults says otherwise. One that could never happen is fatal at once.
type Faults struct{ world *World }

// Add adds a fault behind the others: a request is hit by the first one that fits and isn't over.
func (f Faults) Add(fault traffic.Fault) traffic.FaultState {
	f.world.t.Helper()
	done := f.world.note("POST", "faults", fault)
	state, err := f.world.Control().Traffic().AddFault(fault)
	done(201, err)
	f.world.must("the fault can't be added", err)
	return state
}

// Next begins a fault of the next request of an operation, "createUpload" or "*", or of a path, "POST /v1/recordings/{id}/render" or
// "/v1/recordings". One of Plan's actions adds it.
func (f Faults) Next(operation string) Plan {
	m := traffic.FaultMatch{Op: operation}
	if method, path, ok := strings.Cut(operation, " "); ok {
		m = traffic.FaultMatch{Method: method, Path: path}
	} else if strings.HasPrefix(operation, "/") {
		m = traffic.FaultMatch{Path: operation}
	}
	return Plan{faults: f, fault: traffic.Fault{Match: m}}
}

// NextEvent begins a fault of the next webhook about an event, "" for any; DuplicateWebhook adds it.
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
	done := f.world.note("DELETE", "faults/"+url.PathEscape(id), nil)
	err := f.world.Control().Traffic().RemoveFault(id)
	done(204, err)
	f.world.must("removing the fault "+id, err)
}

// Clear removes all faults.
func (f Faults) Clear() {
	f.world.t.Helper()
	done := f.world.note("DELETE", "faults", nil)
	f.world.Control().Traffic().RemoveFaults()
	done(204, nil)
}

// verify fails the test on faults that never happened. A world that is gone has none.
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

// Plan is a fault that isn't added yet. Its methods that return a Plan say more about it, the others add it.
type Plan struct {
	faults Faults
	fault  traffic.Fault
}

// Times lets it happen n times, at requests that follow one another; default once.
func (p Plan) Times(n int) Plan { p.fault.Times = n; return p }

// Nth lets it happen at the nth matching request first, counted from now; default 1.
func (p Plan) Nth(n int) Plan { p.fault.Match.Nth = n; return p }

// Of restricts it to requests whose path has an id.
func (p Plan) Of(resource string) Plan { p.fault.Match.Resource = resource; return p }

// Header adds a header to what Status answers.
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

// Body is what Status answers with, as JSON; without it that is an error as the specification has it.
func (p Plan) Body(raw string) Plan { p.fault.Do.Body = json.RawMessage(raw); return p }

// After has the request wait before anything else.
func (p Plan) After(d time.Duration) Plan { p.fault.Do.LatencyMS = d.Milliseconds(); return p }

// Status answers in the API's place.
func (p Plan) Status(status int) traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.Status = status
	return p.faults.Add(p.fault)
}

// Latency has the request wait, and then be answered as ever.
func (p Plan) Latency(d time.Duration) traffic.FaultState {
	p.faults.world.t.Helper()
	return p.faults.Add(p.After(d).fault)
}

// ResetAfter resets the connection when so many bytes of the request's body were read; nothing of what it asks for is done.
func (p Plan) ResetAfter(bytes int64) traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.ResetAfterBytes = &bytes
	return p.faults.Add(p.fault)
}

// CommitThenDrop does what the request asks for, and closes the connection without an answer.
func (p Plan) CommitThenDrop() traffic.FaultState {
	p.faults.world.t.Helper()
	p.fault.Do.CommitThenDrop = true
	return p.faults.Add(p.fault)
}

// Truncate closes the connection after so many bytes of the answer's body.
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
