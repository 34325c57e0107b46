package emulator

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// recorders are the capsule recorders of worlds, by world name. A reset doesn't end them.
type recorders struct {
	active atomic.Bool // whether a world was ever recorded; avoids the lock

	mu      sync.Mutex
	byWorld map[string]*capsule.Recorder
}

// drop removes the recorder of a deleted world.
func (r *recorders) drop(world string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byWorld, world)
}

func (r *recorders) of(world string) *capsule.Recorder {
	if !r.active.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byWorld[cmp.Or(world, control.DefaultWorld)]
}

// maxCapsuleSnapshot is the largest size in bytes of the snapshot in a capsule.
const maxCapsuleSnapshot = 64 << 20

// StartCapsule starts to record the requests of a world ("" means the default one) and discards an earlier recording. CodeNotFound
// for an unknown world; CodeConflict with a data folder, or with custom secrets, which a capsule would reveal; CodeTooLarge when
// the world's snapshot exceeds 64 MiB.
func (s *Server) StartCapsule(ctx context.Context, world string) error {
	const op = "StartCapsule"
	if !s.sandboxSecrets {
		return engine.Errorf(engine.CodeConflict, op, "Requests can't be recorded with custom secrets.").
			WithHint("Start the sandbox without --secret-file.")
	}
	w, err := s.find(world)
	if err != nil {
		return err
	}
	file, err := s.SaveSnapshot(ctx, world)
	if err != nil {
		return err
	}
	var begin bytes.Buffer
	if err := file.Write(&begin); err != nil {
		return err
	}
	if begin.Len() > maxCapsuleSnapshot {
		return engine.Errorf(engine.CodeTooLarge, op, "The world is too large for a capsule: its snapshot exceeds %d bytes.", maxCapsuleSnapshot).
			WithHint("Start the recording before you upload media.")
	}
	o, set := s.opts, w.time.clock.Setting()
	begun := capsule.Capsule{
		Program: o.Version, World: w.Name(), Seed: w.spec.seed, Clock: set.String(), Snapshot: begin.Bytes(),
		Options: capsule.Options{
			AllowPrivateURLs: o.AllowPrivateURLs, WebhookTime: string(o.WebhookTime), PublicURL: o.PublicURL, RateLimits: o.RateLimits,
			MaxDuration: o.MaxDuration, SpeechLimit: o.SpeechLimit, StorageSoftLimit: o.StorageSoftLimit, StorageHardLimit: o.StorageHardLimit,
		},
	}
	if t, ok := o.scripted(); ok {
		begun.Options.Transcript = &capsule.Transcript{Delay: t.Delay, Result: t.Result}
	} else if o.Transcriber != nil || o.NewTranscriber != nil || o.LLM != nil {
		begun.Incomplete = "The capsule does not contain the responses of the custom transcriber or language model."
	}
	r := capsule.NewRecorder(begun, set.Mode.Frozen())
	s.recorders.mu.Lock()
	defer s.recorders.mu.Unlock()
	if s.recorders.byWorld == nil {
		s.recorders.byWorld = map[string]*capsule.Recorder{}
	}
	s.recorders.byWorld[w.Name()] = r
	s.recorders.active.Store(true)
	return nil
}

// Capsule returns the recording of a world ("" means the default one) so far. CodeNotFound when the world is not being recorded.
func (s *Server) Capsule(world string) (capsule.Capsule, error) {
	if r := s.recorders.of(world); r != nil {
		return r.Capsule(), nil
	}
	return capsule.Capsule{}, engine.Errorf(engine.CodeNotFound, "Capsule", "The world %.100q is not being recorded.", cmp.Or(world, control.DefaultWorld)).
		WithHint("Start with POST /_soundstage/capsule/start, or with `soundstage serve --capsule FILE`.")
}

// recorded records the control API's requests about recorded worlds.
func (s *Server) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if s.recorders.active.Load() && strings.HasPrefix(req.URL.Path, "/_soundstage/") {
			if r := s.recorders.of(cmp.Or(req.URL.Query().Get("world"), req.Header.Get("X-Soundstage-World"))); r != nil {
				r.Serve(next, w, req)
				return
			}
		}
		next.ServeHTTP(w, req)
	})
}

// serveRecorded serves a request to a world, and records it if the world is being recorded.
func (s *Server) serveRecorded(world *world, w http.ResponseWriter, req *http.Request) {
	if r := s.recorders.of(world.Name()); r != nil && !api.IsObserver(req) {
		r.Serve(world.api, w, req)
		return
	}
	world.api.ServeHTTP(w, req)
}

// Recorder returns the recorder of a world ("" means the default one), or nil when the world is not being recorded.
func (s *Server) Recorder(world string) *capsule.Recorder { return s.recorders.of(world) }
