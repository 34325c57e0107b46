package s3

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Finding is the result of one check of Inspect.
type Finding struct {
	Name    string // "list", "write", "once", "copy", "delete", or "clock"
	Found   string // a sentence, if Err is nil
	Warning string // what to do, if it works but needs attention
	Err     error  // as Open returns it
	Took    time.Duration
}

// maxClockDifference needs attention. S3 refuses requests from a clock that differs by 15 minutes, and a signed address is valid by the clock
// of the store.
const maxClockDifference = 10 * time.Second

// Inspect does what Open checks, and returns the result of each check, also after one that failed. It leaves no object. Its error is for an
// address or options that can't be used.
func Inspect(ctx context.Context, address string, o Options) ([]Finding, error) {
	dates := &dated{next: o.Transport}
	if dates.next == nil {
		transport := newTransport()
		defer transport.CloseIdleConnections()
		dates.next = transport
	}
	o.Transport = dates
	b, keys, err := newBlobs(address, o)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.Close() }()
	var all []Finding
	begun := time.Now()
	b.runSteps(ctx, keys, func(s step, err error) {
		all = append(all, Finding{Name: s.name, Found: s.found, Err: err, Took: time.Since(begun)})
		begun = time.Now()
	})
	if difference, known := dates.difference(); known {
		all = append(all, clockFinding(difference))
	}
	return all, nil
}

func clockFinding(difference time.Duration) Finding {
	f := Finding{Name: "clock", Found: fmt.Sprintf("The clocks of this machine and of the object store differ by about %s.", difference.Round(time.Second))}
	if difference > maxClockDifference {
		f.Warning = "Synchronise the clock of this machine, for example with NTP."
	}
	return f
}

// dated notes the smallest difference between this machine's clock and the date of an answer, which is in whole seconds.
type dated struct {
	next http.RoundTripper

	mu       sync.Mutex
	smallest time.Duration
	known    bool
}

func (d *dated) RoundTrip(r *http.Request) (*http.Response, error) {
	before := time.Now()
	resp, err := d.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	date, parseErr := http.ParseTime(resp.Header.Get("Date"))
	if parseErr != nil {
		return resp, nil
	}
	// The store wrote the answer at a moment of [date, date + 1 s), which this clock puts into [before, after].
	difference := max(time.Until(date), before.Sub(date.Add(time.Second)), 0)
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.known || difference < d.smallest {
		d.smallest, d.known = difference, true
	}
	return resp, nil
}

func (d *dated) difference() (time.Duration, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.smallest, d.known
}
