package node

import (
	"log/slog"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Defaults of Config.
const (
	DefaultDrainDelay   = 5 * time.Second
	DefaultDrainTimeout = 30 * time.Second
)

// Config configures a Node. Store and Blobs are required, and so is API, Admin, or Work.
type Config struct {
	Store engine.Store // see ports.go for its optional abilities
	Blobs engine.Blobs // clients send and read bytes directly if they are engine.PresigningBlobs
	// Engine has the ports and limits of the engine. New sets Store, Blobs, Clock, Secret, Workers, Log, and Observer.
	Engine engine.Config

	API         net.Listener // of /v1, /healthz, and /readyz, which Run closes; nil for a node without API
	PublicURL   string       // base of signed addresses, "https://host"; default the Host header of each request
	SigningKeys []files.Key  // see ParseSigningKeys; required with API
	RateLimits  map[engine.Tier]int

	// ControlToken is the token of the operators' console at /_soundstage/console/ of API: at least 32 characters. "" for no console.
	ControlToken string

	Work  bool          // whether the node does jobs
	Only  []queue.Class // of these classes only; default all
	Slots int           // concurrent jobs of each class; default queue.DefaultWorkers

	Admin  net.Listener // of /healthz, /readyz, and /metrics, which Run closes; nil for none
	Traces trace.Tracer // makes a span of each request and job, see NewTraces; default none

	DrainDelay   time.Duration // how long Run still serves when it drains, so that proxies notice; negative for none, 0 for DefaultDrainDelay
	DrainTimeout time.Duration // how long requests in progress may take after that; default DefaultDrainTimeout
	Log          *slog.Logger  // default none
	Version      string        // reported by /metrics
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.DrainDelay == 0 {
		c.DrainDelay = DefaultDrainDelay
	}
	if c.DrainTimeout <= 0 {
		c.DrainTimeout = DefaultDrainTimeout
	}
	return c
}

// check returns CodeInvalid if the node could do nothing, or lacks what it needs.
func (c Config) check() error {
	const op = "node.New"
	switch {
	case c.Store == nil || c.Blobs == nil:
		return engine.Errorf(engine.CodeInvalid, op, "Config.Store and Config.Blobs are required.")
	case c.API == nil && c.Admin == nil && !c.Work:
		return engine.Errorf(engine.CodeInvalid, op, "A node needs an API or work.")
	case c.API != nil && len(c.SigningKeys) == 0:
		return engine.Errorf(engine.CodeInvalid, op, "A signing key is required.").WithHint("Set --signing-key-file to a file with a key, the same for all nodes: openssl rand -hex 32.")
	}
	if err := checkControlToken(c.ControlToken); err != nil {
		return err
	}
	return checkPublicURL(c.PublicURL)
}

func checkPublicURL(raw string) error {
	if raw == "" {
		return nil
	}
	u, err := url.Parse(raw)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "node.New", "%q is not a valid public URL.", raw).
		WithHint("Use an http or https URL, for example --public-url https://api.example.com.")
}

// workers returns the concurrent jobs of each class that the node works on.
func (c Config) workers() map[queue.Class]int {
	workers := queue.DefaultWorkers()
	maps.DeleteFunc(workers, func(class queue.Class, _ int) bool { return len(c.Only) > 0 && !slices.Contains(c.Only, class) })
	for class := range workers {
		if c.Slots > 0 {
			workers[class] = c.Slots
		}
	}
	return workers
}

// ParseClasses returns the classes of jobs with the given names. CodeInvalid for an unknown one; the error lists all.
func ParseClasses(names []string) (classes []queue.Class, err error) {
	all := slices.Sorted(maps.Keys(queue.DefaultWorkers()))
	for _, name := range names {
		class := queue.Class(strings.TrimSpace(name))
		if !slices.Contains(all, class) {
			return nil, engine.Errorf(engine.CodeInvalid, "node", "Unknown class of jobs %q.", name).WithHint("Use one or more of " + join(all) + ".")
		}
		classes = append(classes, class)
	}
	return classes, nil
}

func join(classes []queue.Class) string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}

// DefaultAccountID is the engine.AccountID of the account that owns keys unless another one is chosen.
const DefaultAccountID = "00000000-0000-4000-8000-000000000001"
