package conformance

import (
	"slices"
	"strings"
	"time"
)

// watched is asynchronous work that has ended.
type watched struct {
	first answer   // to the request that started it
	last  answer   // to the last poll
	seen  []string // distinct statuses in order of appearance
}

const (
	shortestPoll = 15 * time.Millisecond // a sandbox finishes within milliseconds
	longestPoll  = 5 * time.Second       // the hosted service takes minutes
)

// watch polls a path until the member at is one of the ends. It fails the check after Config.Timeout.
func (p *probe) watch(first answer, path, at string, ends ...string) watched {
	w := watched{first: first}
	if status, ok := first.at(at); ok {
		w.see(status)
	}
	deadline := time.Now().Add(p.session.config.Timeout)
	for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
		w.last = p.get(path)
		if w.last.status != 200 {
			p.fail(w.last, "status 200 for a poll", show(w.last.status))
		}
		status, _ := w.last.at(at)
		w.see(status)
		if s, ok := status.(string); ok && slices.Contains(ends, s) {
			return w
		}
		if time.Now().After(deadline) {
			p.fail(w.last, at+": "+strings.Join(ends, " or ")+" within "+p.session.config.Timeout.String(), show(status))
		}
		p.pause(pause)
	}
}

func (w *watched) see(status any) {
	if s, ok := status.(string); ok && !slices.Contains(w.seen, s) {
		w.seen = append(w.seen, s)
	}
}

// reportTo returns a copy of the work whose failures are reported to p.
func (w watched) reportTo(p *probe) watched {
	w.first, w.last = w.first.reportTo(p), w.last.reportTo(p)
	return w
}
