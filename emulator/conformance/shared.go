package conformance

import "sync"

// sharedResource is a resource that checks share.
type sharedResource struct {
	once    sync.Once
	value   any
	verdict verdict
}

// attempt creates a shared resource, or waits until another check has created it. If creating it failed, the verdict is not
// Pass and says why.
func attempt[T any](p *probe, name string, make func(*probe) T) (value T, v verdict) {
	p.session.mu.Lock()
	m := p.session.shared[name]
	if m == nil {
		m = &sharedResource{}
		p.session.shared[name] = m
	}
	p.session.mu.Unlock()
	m.once.Do(func() {
		m.verdict = p.session.decide(p.session.ctx, name, func(own *probe) { m.value = make(own) })
	})
	if m.verdict.outcome != Pass {
		return value, m.verdict
	}
	return m.value.(T), m.verdict
}

// once returns a shared resource. It ends the check as not applicable if the resource couldn't be created.
func once[T any](p *probe, name string, make func(*probe) T) T {
	value, v := attempt(p, name, make)
	p.need(name, v)
	return value
}

// need ends the check as not applicable unless the verdict is Pass.
func (p *probe) need(name string, v verdict) {
	switch v.outcome {
	case Fail:
		p.skip("the run has no %s: expected %s, got %s", name, v.expected, v.got)
	case NotApplicable:
		p.skip("%s", v.why)
	}
}

// decides creates a shared resource for the check whose statement requires it. It fails the check where once would end it as
// not applicable.
func decides[T any](p *probe, name string, make func(*probe) T) T {
	value, v := attempt(p, name, make)
	switch v.outcome {
	case Fail:
		p.fail(v.seen, v.expected, v.got)
	case NotApplicable:
		p.skip("%s", v.why)
	}
	return value
}
