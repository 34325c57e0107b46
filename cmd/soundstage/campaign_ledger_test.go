package main

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// promise is what the server acknowledged about one resource.
type promise struct {
	path   string         // GET returns the resource; "" for one that only lists have
	wrap   string         // member that contains the resource; "" if the body is the resource
	want   map[string]any // members that never change
	status string         // member with the job's status; "" if no job works on it
	at     time.Time      // of the acknowledgement

	ended string // terminal status that a client has seen
	bytes string // SHA-256 of the stored bytes, hexadecimal; "" for none
	lost  bool   // reported already
}

// counter is a speaker whose biography clients overwrite with increasing numbers, one client at a time. It begins with 0, which is no
// biography.
type counter struct {
	id, name string
	sent     int   // the last number that was sent
	acks     []ack // of the numbers with a response
}

type ack struct {
	value int
	at    time.Time
}

// acked returns the last number that was acknowledged before a time (or at all for the zero time), and whether there is one.
func (c *counter) acked(before time.Time) (value int, ok bool) {
	for _, a := range c.acks {
		if before.IsZero() || a.at.Before(before) {
			value, ok = a.value, true
		}
	}
	return value, ok
}

// ledger is everything that the server acknowledged. It is safe for concurrent use.
type ledger struct {
	mu       sync.Mutex
	promises []*promise
	counters []*counter
	free     []*counter // counters that no client is updating
	names    []string   // every unique name that a client sent
	requests int        // acknowledged writes
}

// add records an acknowledgement that has just arrived.
func (l *ledger) add(p promise) *promise {
	p.at = time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	l.promises = append(l.promises, &p)
	return &p
}

// acked counts an acknowledged write that no GET shows.
func (l *ledger) acked() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
}

// list returns the promises that were made before a time, or all for the zero time.
func (l *ledger) list(before time.Time) []*promise {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := slices.Clone(l.promises)
	if !before.IsZero() {
		list = slices.DeleteFunc(list, func(p *promise) bool { return !p.at.Before(before) })
	}
	return list
}

// takeCounter returns a counter that no other client is updating, or nil.
func (l *ledger) takeCounter() *counter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) == 0 {
		return nil
	}
	c := l.free[0]
	l.free = l.free[1:]
	return c
}

// putCounter adds a counter, or gives it back.
func (l *ledger) putCounter(c *counter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, c)
	if len(c.acks) == 1 && c.sent == 0 {
		l.counters = append(l.counters, c)
	}
}

func (l *ledger) writes() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests
}

// check compares a promise with the response to its GET. It returns "" or what is wrong.
func (p *promise) check(status int, body map[string]any) string {
	if status != 200 {
		return fmt.Sprintf("%s: %d %v", p.path, status, body)
	}
	if p.wrap != "" {
		body, _ = body[p.wrap].(map[string]any)
	}
	for name, want := range p.want {
		if body[name] != want {
			return fmt.Sprintf("%s: %s is %v, want %v", p.path, name, body[name], want)
		}
	}
	if now := body[p.status]; p.ended != "" && now != p.ended {
		return fmt.Sprintf("%s: the status was %s and is %v", p.path, p.ended, now)
	}
	return ""
}
