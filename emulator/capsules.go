package emulator

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// recorders are those that record the requests of worlds, by the name of the world: a reset doesn't end them.
type recorders struct {
	any atomic.Bool // none costs nothing

	mu sync.Mutex
	by map[string]*capsule.Recorder
}

// drop forgets a world that is gone.
func (r *recorders) drop(world string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, world)
}

func (r *recorders) of(world string) *capsule.Recorder {
	if !r.any.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[cmp.Or(world, control.DefaultWorld)]
}

// maxBeginning is how many bytes the snapshot in a capsule may have.
const maxBeginning = 64 << 20

// StartCapsule begins to record the requests of a world, "" for the default one, and forgets what was recorded before. CodeNotFound;
// CodeConflict with a data folder and with secrets of one's own, which a capsule would give away; CodeTooLarge when the world has too much.
func (s *Server) StartCapsule(ctx context.Context, world string) error {
	const op = "StartCapsule"
	if !s.sandboxSecrets {
		return engine.Errorf(engine.CodeConflict, op, "Requests with secrets of your own are not recorded.").
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
	if begin.Len() > maxBeginning {
		return engine.Errorf(engine.CodeTooLarge, op, "The world has too much to be in a capsule: more than %d bytes.", maxBeginning).
			WithHint("Start the capsule before the media are uploaded.")
	}
	o, set := s.opts, w.time.clock.Setting()
	begun := capsule.Capsule{
		Program: o.Version, World: w.Name(), Seed: w.spec.seed, Clock: set.String(), Snapshot: begin.Bytes(),
		Options: capsule.Options{
			AllowPrivateURLs: o.AllowPrivateURLs, WebhookTime: string(o.WebhookTime), PublicURL: o.PublicURL, RateLimits: o.RateLimits,
			SpeechLimit: o.SpeechLimit, StorageSoftLimit: o.StorageSoftLimit, StorageHardLimit: o.StorageHardLimit,
		},
	}
	if t, ok := o.Transcriber.(Scripted); ok {
		begun.Options.Transcript = &capsule.Transcript{Takes: t.Takes, Heard: t.Heard}
	} else if o.Transcriber != nil || o.NewTranscriber != nil || o.LLM != nil {
		begun.Incomplete = "What a transcriber or a model of one's own answers is not in it."
	}
	r := capsule.NewRecorder(begun, set.Mode.Still())
	s.recorders.mu.Lock()
	defer s.recorders.mu.Unlock()
	if s.recorders.by == nil {
		s.recorders.by = map[string]*capsule.Recorder{}
	}
	s.recorders.by[w.Name()] = r
	s.recorders.any.Store(true)
	return nil
}

// Capsule returns what was recorded of a world, "" for the default one, so far. CodeNotFound when nothing is.
func (s *Server) Capsule(world string) (capsule.Capsule, error) {
	if r := s.recorders.of(world); r != nil {
		return r.Capsule(), nil
	}
	return capsule.Capsule{}, engine.Errorf(engine.CodeNotFound, "Capsule", "The requests of the world %.100q are not recorded.", cmp.Or(world, control.DefaultWorld)).
		WithHint("Begin with POST /_soundstage/capsule/start, or `soundstage serve --capsule FILE`.")
}

// recorded records the requests of the control API where they are of a world that is being recorded.
func (s *Server) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if s.recorders.any.Load() && strings.HasPrefix(req.URL.Path, "/_soundstage/") {
			if r := s.recorders.of(cmp.Or(req.URL.Query().Get("world"), req.Header.Get("X-Soundstage-World"))); r != nil {
				r.Serve(next, w, req)
				return
			}
		}
		next.ServeHTTP(w, req)
	})
}

// serveRecorded has a world answer, and records that where it is wanted.
func (s *Server) serveRecorded(world *world, w http.ResponseWriter, req *http.Request) {
	if r := s.recorders.of(world.Name()); r != nil {
		r.Serve(world.api, w, req)
		return
	}
	world.api.ServeHTTP(w, req)
}

// Recorder is what records the requests of a world, "" for the default one; nil when nothing does.
func (s *Server) Recorder(world string) *capsule.Recorder { return s.recorders.of(world) }
