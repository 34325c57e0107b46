package engine_test

import (
	"context"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sweep"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var (
	simSeeds = flag.Uint64("seeds", 0, "number of seeds that TestSimulation runs; default 200, or 60 with -short or the race detector")
	simSeed  = flag.Int64("seed", -1, "the only seed that TestSimulation runs")
)

// violation is a broken invariant.
type violation struct{ rule, what string }

// simulation is one random schedule of clients, processes, and faults, on a virtual clock. Processes share rows and blobs.
type simulation struct {
	*chance
	rows    *memory.Store
	blobs   *memory.Blobs
	weather map[string]int // faults of each port, in percent
	began   time.Time
	calm    time.Time // end of all faults

	// Deliberate mistakes, to see that the invariants find them.
	tamper      func(engine.Tx) engine.Tx
	tamperRead  func(engine.ReadTx) engine.ReadTx
	undeletable bool // blobs are never deleted
	hasty       bool // blobs are deleted when somebody looks at them
	careless    bool // blob writers stay open after an error
	deaf        bool // receivers get nothing of what they are said to accept
	forgetful   bool // commits of renders are acknowledged and dropped

	mu           sync.Mutex
	processes    []*process // the latest of each machine
	launched     []*process
	failures     []violation
	digest       hash.Hash64
	seen         map[string]any // every row that was written, by noun and id; nil after its removal
	acknowledged []string
	owners       map[string]*process // by lease owner
	disabled     map[engine.WebhookID]bool
	canceled     map[string]bool // refs of canceled jobs
	deliveries   map[engine.DeliveryID]engine.Delivery
	receipts     map[engine.DeliveryID]*receipt

	trace                                []string // of each commit, with -seed
	commits, claims, takeovers, restarts int
	lived                                time.Duration
}

func newSimulation(seed uint64) *simulation {
	return &simulation{
		chance: newChance(seed), rows: memory.NewStore(), blobs: memory.NewBlobs(), weather: map[string]int{}, digest: fnv.New64a(),
		seen: map[string]any{}, owners: map[string]*process{}, disabled: map[engine.WebhookID]bool{}, canceled: map[string]bool{},
		deliveries: map[engine.DeliveryID]engine.Delivery{}, receipts: map[engine.DeliveryID]*receipt{},
	}
}

// stormy reports whether faults may still happen.
func (s *simulation) stormy() bool { return time.Now().Before(s.calm) }

func (s *simulation) violate(rule, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, violation{rule, fmt.Sprintf(format, args...)})
}

// launch returns a new process with its engine.
func (s *simulation) launch(name string, change func(*process)) *process {
	p := &process{sim: s, name: name, dead: make(chan struct{}), ended: make(chan error, 1), cancel: func() {}}
	change(p)
	ports := shakyPorts{p}
	e, err := engine.New(engine.Config{
		Store: shakyStore{p}, Blobs: shakyBlobs{p}, Media: ports, Transcriber: ports, Diarizer: ports, Fetcher: ports, Resolver: ports, Feeds: ports,
		Renderer: ports, LLM: ports, Translator: ports, Sender: shakySender(ports), Clock: p, IDs: p, Entropy: s.chance, Secret: []byte("simulation"),
		Random: func() float64 { return s.fraction(p.name + "jitter") }, Observer: spread{p},
	})
	if err != nil {
		panic(err)
	}
	p.engine = e
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launched = append(s.launched, p)
	return p
}

// anyProcess returns one of the processes that clients can reach. It may be dead or stopped.
func (s *simulation) anyProcess(name string) *process {
	n := s.below(len(s.processes), name+"process")
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes[n]
}

// machine runs one process after another until the end of the storm: it starts, disturbs, kills, stops, and restarts them.
func (s *simulation) machine(i int, alone bool) {
	for run := 1; s.stormy(); run++ {
		name := fmt.Sprintf("m%d.%d", i, run)
		p := s.launch(name, func(p *process) {
			p.exclusive = alone
			if !alone {
				p.skew = s.span(80*time.Second, name+"skew") - 40*time.Second
			}
		})
		s.mu.Lock()
		s.processes[i] = p
		s.restarts++
		s.mu.Unlock()
		p.start()
		for range s.below(6, name+"life") {
			time.Sleep(1 + s.span(time.Minute, name+"calm"))
			switch s.below(4, name+"disturb") {
			case 0:
				p.pause(s.span(2*time.Minute, name+"pause"))
			case 1:
				p.disconnect(s.span(90*time.Second, name+"cut"))
			}
		}
		time.Sleep(1 + s.span(3*time.Minute, name+"end"))
		if s.below(2, name+"death") == 0 {
			p.kill()
		} else {
			p.stop()
		}
		time.Sleep(1 + s.span(30*time.Second, name+"down"))
	}
}

// run plays the seed: a storm of 3 to 13 minutes, an hour in which another process takes over, and 40 days after a restart.
func (s *simulation) run() {
	s.began = time.Now()
	setup := s.launch("setup", func(p *process) { p.reliable = true })
	a, b := s.account(setup.engine, "a"), s.account(setup.engine, "b")
	a.other, b.other = b, a
	for _, port := range []string{"store", "blobs", "media", "transcriber", "diarizer", "fetcher", "renderer", "llm", "translator", "sender"} {
		s.weather[port] = []int{0, 2, 10, 40}[s.below(4, port)]
	}
	s.calm = time.Now().Add(3*time.Minute + s.span(10*time.Minute, "storm"))
	alone := s.percent(25, "alone")
	var machines, clients sync.WaitGroup
	s.processes = make([]*process, 3)
	if alone {
		s.processes = s.processes[:1]
	}
	for i := range s.processes {
		s.processes[i] = setup
		machines.Go(func() { s.machine(i, alone) })
	}
	for _, c := range []*client{a, b} {
		clients.Go(func() { c.work(12 + s.below(12, c.name+"busy")) })
	}
	machines.Wait()
	clients.Wait()
	for _, phase := range []struct {
		name   string
		length time.Duration
	}{{"takeover", time.Hour}, {"restart", 40 * 24 * time.Hour}} {
		p := s.launch(phase.name, func(p *process) { p.exclusive, p.reliable = phase.name == "restart", true })
		p.start()
		time.Sleep(phase.length)
		p.stop()
	}
	if _, err := sweep.Blobs(context.Background(), s.rows, shakyBlobs{setup}); err != nil {
		s.violate("sweep", "%v", err)
	}
	s.checkEnd()
	s.lived = time.Since(s.began)
}

// simulate runs a seed in a bubble.
func simulate(t *testing.T, seed uint64, change func(*simulation)) *simulation {
	t.Helper()
	s := newSimulation(seed)
	if change != nil {
		change(s)
	}
	synctest.Test(t, func(*testing.T) { s.run() })
	return s
}

// TestSimulation runs the engine on a virtual clock with random faults of every port. Clients of two accounts use it; processes are
// killed, paused, disconnected, and restarted, and their clocks differ. No invariant may break. Each seed can be replayed:
//
//	go test ./engine -run 'TestSimulation$' -seed 17
//	go test ./engine -run 'TestSimulation$' -seeds 10000 -timeout 1h
func TestSimulation(t *testing.T) {
	t.Parallel()
	first, n := uint64(0), *simSeeds
	switch {
	case *simSeed >= 0:
		first, n = uint64(*simSeed), 1
	case n == 0 && (testing.Short() || slow.Raced):
		n = 60
	case n == 0:
		n = 200
	}
	var lived time.Duration
	var commits, claims, takeovers, restarts, posts int
	for seed := first; seed < first+n; seed++ {
		s := simulate(t, seed, nil)
		for _, f := range s.failures {
			t.Errorf("seed %d: %s: %s", seed, f.rule, f.what)
		}
		if *simSeed >= 0 {
			t.Log("\n" + strings.Join(s.trace, "\n"))
		}
		if t.Failed() {
			t.FailNow()
		}
		lived += s.lived / 1000
		commits, claims, takeovers, restarts = commits+s.commits, claims+s.claims, takeovers+s.takeovers, restarts+s.restarts
		for _, r := range s.receipts {
			posts += r.posts
		}
	}
	t.Logf("%d seeds: %.1f simulated years, %d writes, %d claims, %d of them after a lost lease, %d processes, %d webhook posts",
		n, lived.Hours()*1000/24/365, commits, claims, takeovers, restarts, posts)
	if n >= 60 {
		require.Positive(t, takeovers)
		require.Positive(t, posts)
	}
}

// A seed makes the same commits at the same virtual times whenever it runs. About one in 50 runs differs, where the scheduler decides
// between goroutines that are ready at the same virtual time; the race detector makes it decide at random.
func TestSimulationReplays(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "the race detector shuffles goroutines")
	for seed := range uint64(5) {
		first, replayed := simulate(t, seed, nil).digest.Sum64(), false
		for range 10 {
			if replayed = simulate(t, seed, nil).digest.Sum64() == first; replayed {
				break
			}
			first = simulate(t, seed, nil).digest.Sum64() // it may be the odd one
		}
		require.True(t, replayed, "seed %d", seed)
	}
}
