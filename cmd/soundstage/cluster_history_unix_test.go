//go:build unix

package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// history records what clients write and read, for a check of linearizability.
type history struct {
	began time.Time

	mu  sync.Mutex
	ops []porcupine.Operation
}

// access is the input of an operation: of one value, or of the status of one job.
type access struct {
	what  string // path
	write bool
	value int
}

func newHistory() *history { return &history{began: time.Now()} }

// add records an operation that has just ended. A write without a response may take effect at any later time.
func (h *history) add(client int, call time.Time, in access, out int, known bool) {
	op := porcupine.Operation{ClientId: client, Input: in, Output: out, Call: int64(call.Sub(h.began)), Return: int64(time.Since(h.began))}
	if !known {
		op.Return = math.MaxInt64
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, op)
}

// byPath splits operations by what they are about.
func byPath(ops []porcupine.Operation) (parts [][]porcupine.Operation) {
	all := map[string][]porcupine.Operation{}
	for _, op := range ops {
		what := op.Input.(access).what
		all[what] = append(all[what], op)
	}
	for _, part := range all {
		parts = append(parts, part)
	}
	return parts
}

// values is the model of values that clients write and read.
var values = porcupine.Model{
	Partition: byPath, Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		if in := input.(access); in.write {
			return true, in.value
		}
		return state == output, state
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, " → ", output) },
}

// statuses is the model of the status of jobs: it begins when the job is created, and never goes back.
var statuses = porcupine.Model{
	Partition: byPath, Init: func() any { return -1 }, // -1: there is no such job
	Step: func(state, input, output any) (bool, any) {
		if in := input.(access); in.write {
			return true, max(in.value, state.(int))
		}
		return output.(int) >= state.(int), output
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, " → ", output) },
}

// rank orders statuses. Jobs of a kind have each at most one of those with the same rank, except at the end.
var rank = map[string]int{"queued": 0, "processing": 1, "rendering": 1, "retrying": 1, "completed": 2}

// check fails the test unless the history is linearizable, and returns how many operations it has.
func (h *history) check(t *testing.T, model porcupine.Model) int {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, part := range byPath(h.ops) {
		if result, _ := porcupine.CheckOperationsVerbose(model, part, time.Minute); result != porcupine.Ok {
			slices.SortFunc(part, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
			for _, op := range part {
				t.Logf("%v to %v: %s", time.Duration(op.Call), time.Duration(op.Return), model.DescribeOperation(op.Input, op.Output))
			}
			require.Fail(t, "the history is not linearizable", "%s: %v", part[0].Input.(access).what, result)
		}
	}
	return len(h.ops)
}

// registers are clients that write and read the biographies of few speakers through random API nodes.
type registers struct {
	*history
	c *cluster

	mu    sync.Mutex
	paths []string
	next  int         // the next value, different from all others
	lost  map[int]int // writes without a response, by place in paths
}

// run is one client, until ctx is done.
func (r *registers) run(ctx context.Context, l *load, client int) {
	one := &loadClient{load: l, ctx: ctx, rng: campaignRandom(uint64(client) + 1<<20)}
	for ctx.Err() == nil {
		n := r.c.any(&r.c.apis, one.rng)
		if n == nil {
			pauseFor(ctx, 20*time.Millisecond)
			continue
		}
		one.url = n.url
		pauseFor(ctx, time.Duration(one.rng.Int64N(int64(40*time.Millisecond))))
		place := one.rng.IntN(3)
		if path := r.path(one, place); path == "" {
			pauseFor(ctx, 20*time.Millisecond)
		} else if one.rng.IntN(3) == 0 {
			r.write(one, client, place, path)
		} else {
			r.read(one, client)
		}
	}
}

// path returns the path of a register. The one of a place is replaced after two writes without a response, which a check must try at every
// later time.
func (r *registers) path(one *loadClient, place int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paths == nil {
		r.paths, r.lost = make([]string, 3), map[int]int{}
	}
	if r.paths[place] == "" || r.lost[place] >= 2 {
		v, err := one.call("POST", "/v1/spaces/"+string(emulator.OtherSpaceID)+"/speakers", map[string]any{"name": one.name("register"), "bio": "0"}, 201)
		if err != nil {
			return ""
		}
		s, _ := v["speaker"].(map[string]any)
		r.paths[place], r.lost[place] = fmt.Sprint("/v1/speakers/", s["id"]), 0
	}
	return r.paths[place]
}

func (r *registers) write(one *loadClient, client, place int, path string) {
	r.mu.Lock()
	r.next++
	value := r.next
	r.mu.Unlock()
	call := time.Now()
	_, err := one.call("PATCH", path, map[string]any{"bio": strconv.Itoa(value)}, 200)
	r.add(client, call, access{path, true, value}, 0, err == nil)
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.paths[place] == path {
			r.lost[place]++
		}
	}
}

// read reads all registers at once, and records a read of each.
func (r *registers) read(one *loadClient, client int) {
	call := time.Now()
	v, err := one.call("GET", fmt.Sprint("/v1/spaces/", emulator.OtherSpaceID, "/speakers"), nil, 200)
	if err != nil {
		return
	}
	all, _ := v["speakers"].([]any)
	for _, each := range all {
		s, _ := each.(map[string]any)
		value, err := strconv.Atoi(fmt.Sprint(s["bio"]))
		if err != nil {
			one.t.Errorf("a value is %v", s)
			return
		}
		if path := fmt.Sprint("/v1/speakers/", s["id"]); r.current(path) {
			r.add(client, call, access{what: path}, value, true)
		}
	}
}

// current reports whether a register is used.
func (r *registers) current(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.paths, path)
}

// watchStatuses reads the status of the newest jobs through random API nodes until ctx is done.
func (c *cluster) watchStatuses(ctx context.Context, l *load, h *history, client int) {
	one := &loadClient{load: l, ctx: ctx, rng: campaignRandom(uint64(client) + 1<<21)}
	seen := map[string]bool{}
	for ctx.Err() == nil {
		n, list := c.any(&c.apis, one.rng), l.ledger.list(time.Time{})
		if n == nil || len(list) == 0 {
			pauseFor(ctx, 20*time.Millisecond)
			continue
		}
		one.url = n.url
		pauseFor(ctx, 10*time.Millisecond)
		p := list[max(0, len(list)-1-one.rng.IntN(20))]
		if p.status == "" {
			continue
		}
		if !seen[p.path] {
			seen[p.path] = true
			h.add(client, p.at, access{p.path, true, 0}, 0, true) // created at p.at
		}
		call := time.Now()
		status, v, err := one.send(http.MethodGet, p.path, nil)
		if err != nil {
			pauseFor(ctx, 10*time.Millisecond)
			continue
		}
		if p.wrap != "" {
			v, _ = v[p.wrap].(map[string]any)
		}
		at, known := rank[fmt.Sprint(v[p.status])]
		switch {
		case status == http.StatusNotFound:
			at = -1
		case !known:
			l.t.Errorf("GET %s: status %d: %v", p.path, status, v)
			continue
		}
		h.add(client, call, access{what: p.path}, at, true)
	}
}
