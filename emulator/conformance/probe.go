package conformance

import (
	"context"
	"fmt"
	"runtime"
)

// role says whose secret a request carries.
type role string

const (
	platform   role = "platform"
	automation role = "automation"
	core       role = "core"
	noPlan     role = "no plan"
	other      role = "another user"
	nobody     role = "nobody"   // no Authorization header
	stranger   role = "stranger" // a secret that no server has
)

// verdict is what a check has found out so far.
type verdict struct {
	outcome       Outcome
	expected, got string
	why           string
	seen          answer
}

// probe is a check's hand on the server. Its methods that find something wrong end the check's goroutine, as those of
// testing.T do, so that a check reads as what should be.
type probe struct {
	name    string // of the check, or of what it makes for others
	session *session
	ctx     context.Context
	who     role
	verdict *verdict
}

// as returns a probe that acts for another role. Not applicable when the run has no secret of that role.
func (p *probe) as(r role) *probe {
	if p.session.secrets[r] == "" && r != nobody {
		p.skip("no secret of %s was given", r)
	}
	q := *p
	q.who = r
	return &q
}

// fail ends the check: the statement doesn't hold.
func (p *probe) fail(seen answer, expected, got string) {
	*p.verdict = verdict{outcome: Fail, expected: expected, got: got, seen: seen}
	runtime.Goexit()
}

// skip ends the check: the statement can't be decided, and why.
func (p *probe) skip(format string, args ...any) {
	*p.verdict = verdict{outcome: NotApplicable, why: fmt.Sprintf(format, args...)}
	runtime.Goexit()
}

// want fails unless ok.
func (p *probe) want(seen answer, ok bool, expected string, got any) {
	if !ok {
		p.fail(seen, expected, show(got))
	}
}

// decide runs a check to its end and returns what it found out.
func (s *session) decide(ctx context.Context, name string, check func(*probe)) verdict {
	v := verdict{outcome: NotApplicable, why: "the run was stopped"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := &probe{name: name, session: s, ctx: ctx, who: platform, verdict: &v}
		check(p)
		v = verdict{outcome: Pass}
	}()
	<-done
	return v
}
