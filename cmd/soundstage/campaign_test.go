package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

var (
	cycles = flag.Int("cycles", 0, "number of cycles of each TestCampaign…; 0 for a few")
	seed   = flag.Uint64("seed", 1, "number that chooses the requests and the moments of each TestCampaign…")
)

// campaignCycles returns the number of cycles: -cycles, or else few.
func campaignCycles(few int) int { return cmp.Or(*cycles, few) }

// campaignRandom returns a source of random numbers for one part of a campaign.
func campaignRandom(part uint64) *rand.Rand { return rand.New(rand.NewPCG(*seed, part)) }

// campaignTimeout is how long a campaign waits for what must happen. It is long, so that only a real hang exceeds it.
const campaignTimeout = 8 * time.Minute

var campaignClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: campaignTimeout}

// eventually waits until ok returns true, and fails with the last reason if that takes longer than campaignTimeout.
func eventually(t *testing.T, what string, ok func() (reason string, done bool)) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(campaignTimeout); ; <-tick.C {
		reason, done := ok()
		if done {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: still %s", what, reason)
		}
	}
}

// pauseFor waits, or until ctx is done.
func pauseFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// durations collects measured times.
type durations struct {
	mu  sync.Mutex
	all []time.Duration
}

func (d *durations) add(one time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, one)
}

// String returns the number of values, their median, 99th percentile, and maximum.
func (d *durations) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.all) == 0 {
		return "none"
	}
	all := slices.Sorted(slices.Values(d.all))
	round := func(of float64) time.Duration { return all[int(of*float64(len(all)-1))].Round(time.Millisecond) }
	return fmt.Sprintf("%d: median %v, p99 %v, max %v", len(all), round(0.5), round(0.99), round(1))
}
