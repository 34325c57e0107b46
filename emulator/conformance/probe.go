package conformance

import (
	"context"
	"fmt"
	"runtime"
)

// role selects the secret that a request carries.
type role string

const (
	platform      role = "platform"
	automation    role = "automation"
	core          role = "core"
	noPlan        role = "no plan"
	other         role = "another user"
	noSecret      role = "nobody"   // no Authorization header
	unknownSecret role = "stranger" // a secret that no server has
)

// verdict is the result of a check.
type verdict struct {
	outcome       Outcome
	expected, got string
	why           string
	seen          answer
}

// probe sends a check's requests and records its verdict. A method that finds a failure ends the check's goroutine, like
// [testing.T.FailNow], so a check lists only what it expects.
type probe struct {
	name    string // of the check, or of the shared resource that it creates
	session *session
	ctx     context.Context
	who     role
	verdict *verdict
}

// as returns a probe that acts as another role. Without a secret for that role the check is not applicable.
func (p *probe) as(r role) *probe {
	if p.session.secrets[r] == "" && r != noSecret {
		p.skip("the run has no secret for the role %q", r)
	}
	q := *p
	q.who = r
	return &q
}

// fail ends the check with outcome Fail.
func (p *probe) fail(seen answer, expected, got string) {
	*p.verdict = verdict{outcome: Fail, expected: expected, got: got, seen: seen}
	runtime.Goexit()
}

// skip ends the check with outcome NotApplicable and the reason.
func (p *probe) skip(format string, args ...any) {
	*p.verdict = verdict{outcome: NotApplicable, why: fmt.Sprintf(format, args...)}
	runtime.Goexit()
}

// want fails the check unless ok.
func (p *probe) want(seen answer, ok bool, expected string, got any) {
	if !ok {
		p.fail(seen, expected, show(got))
	}
}

// decide runs a check and returns its verdict.
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
