package conformance

import (
	"slices"
	"time"
)

// watched is asynchronous work: what the request that started it said, and what polling saw.
type watched struct {
	first answer   // of the request that started it
	last  answer   // of the last poll
	seen  []string // statuses, each once, in order
}

const (
	shortestPoll = 15 * time.Millisecond // a sandbox is done in an instant …
	longestPoll  = 5 * time.Second       // … and the hosted service takes minutes
)

// watch polls a path until the status at a place of the answer is one of the ends. It fails when that takes too long.
func (p *probe) watch(first answer, path, at string, ends ...string) watched {
	w := watched{first: first}
	if status, ok := first.at(at); ok {
		w.see(status)
	}
	deadline := time.Now().Add(p.session.config.Timeout)
	for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
		w.last = p.get(path)
		if w.last.status != 200 {
			p.fail(w.last, "status 200 of a poll", show(w.last.status))
		}
		status, _ := w.last.at(at)
		w.see(status)
		if s, ok := status.(string); ok && slices.Contains(ends, s) {
			return w
		}
		if time.Now().After(deadline) {
			p.fail(w.last, at+": an end within "+p.session.config.Timeout.String(), show(status))
		}
		p.pause(pause)
	}
}

func (w *watched) see(status any) {
	if s, ok := status.(string); ok && !slices.Contains(w.seen, s) {
		w.seen = append(w.seen, s)
	}
}

// on returns the work for another check to look at.
func (w watched) on(p *probe) watched {
	w.first, w.last = w.first.on(p), w.last.on(p)
	return w
}
