package conformance

import "sync"

// made is something that checks share.
type made struct {
	once    sync.Once
	value   any
	verdict verdict
}

// attempt makes something that checks share, or waits until another check has made it. ok is false when it couldn't be
// made; the verdict then says why.
func attempt[T any](p *probe, name string, make func(*probe) T) (value T, v verdict) {
	p.session.mu.Lock()
	m := p.session.made[name]
	if m == nil {
		m = &made{}
		p.session.made[name] = m
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

// once is attempt for those who only need the thing: it ends the check as not applicable when it couldn't be made.
func once[T any](p *probe, name string, make func(*probe) T) T {
	value, v := attempt(p, name, make)
	p.need(name, v)
	return value
}

// need ends the check as not applicable unless what it needs was made.
func (p *probe) need(name string, v verdict) {
	switch v.outcome {
	case Fail:
		p.skip("there is no %s: expected %s, got %s", name, v.expected, v.got)
	case NotApplicable:
		p.skip("%s", v.why)
	}
}

// decides is attempt for the check of the statement that the thing can be made: it fails where once is not applicable.
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
