package backends

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Backends are the ports of the selected services. A nil port means a simulation.
type Backends struct {
	NewTranscriber func(engine.Media) (engine.Transcriber, error)
	LLM            engine.LLM // may implement engine.Suggester too
	Translator     engine.Translator

	Live         []queue.Class // classes of jobs that real services do, in real time
	Descriptions Descriptions
	Sources      Sources
	Notices      []string // warnings for the operator
}

// Sources says where each key comes from: the name of a variable, "the key file", or "" for none. It doesn't contain keys.
type Sources struct{ Transcriber, LLM string }

// Open checks a Config and returns its backends. It sends no request. It returns CodeInvalid for a wrong setting, and
// CodeUnavailable if the Record folder can't be used.
func (c Config) Open() (*Backends, error) {
	if c.Lookup == nil {
		c.Lookup = func(string) (string, bool) { return "", false }
	}
	hears, writes, err := c.roles()
	if err != nil {
		return nil, err
	}
	b := &Backends{}
	var keys [2]string
	if keys[0], b.Sources.Transcriber, err = c.keyOf(hears); err != nil {
		return nil, err
	}
	if keys[1], b.Sources.LLM, err = c.keyOf(writes); err != nil {
		return nil, err
	}
	rt, err := c.route(keys[:])
	if err != nil {
		return nil, err
	}
	b.Descriptions = Descriptions{Transcriber: c.describe(hears), LLM: c.describe(writes)}
	b.Live = c.live(hears, writes)
	for i, r := range []role{hears, writes} {
		if keys[i] != "" && r.inClear() && c.Replay == "" {
			b.Notices = append(b.Notices, "The key of the "+r.noun+" is sent to "+r.publicURL()+" without TLS: others on the network can read it.")
		}
	}
	s := settings{transport: rt.transport, around: rt.around, clock: rt.clock, timeout: c.Timeout, contextTokens: c.ContextTokens, answerTokens: c.AnswerTokens}
	if hears.Kind != Fake {
		err = b.openTranscriber(hears, s, keys[0], c.Command)
	}
	if err == nil && writes.Kind != Fake {
		err = b.openLLM(writes, s, keys[1])
	}
	return b, err
}

// with returns the settings with the URL, key, and model of a service.
func (s settings) with(r role, key string) settings {
	s.url, s.key, s.model = r.address(), key, r.Model
	return s
}

func (b *Backends) openTranscriber(r role, s settings, key string, program []string) error {
	s = s.with(r, key)
	s.command = program
	b.NewTranscriber = func(media engine.Media) (engine.Transcriber, error) {
		s := s
		s.media = media
		return r.kind.transcriber(s)
	}
	_, err := b.NewTranscriber(noMedia{}) // report wrong settings early
	return err
}

func (b *Backends) openLLM(r role, s settings, key string) error {
	var model *llm.Model
	model, err := r.kind.writer(s.with(r, key))
	if err == nil {
		b.LLM, b.Translator = model, model
	}
	return err
}

// replayedKey replaces a required key during a replay.
const replayedKey = "replayed"

// keyOf returns the key of a service and its source. A replay needs no key, so that it works in CI.
func (c Config) keyOf(r role) (key, from string, err error) {
	switch {
	case r.Kind == Fake, r.kind.program:
		return "", "", nil
	case c.Replay == "":
		return r.key(c.Lookup)
	case r.needsKey():
		return replayedKey, "", nil
	}
	return "", "", nil
}

// route is how services and programs are called; the zero value calls them directly.
type route struct {
	transport http.RoundTripper
	around    around
	clock     engine.Clock
}

// route returns a route that records or replays if a folder is set. A replay's clock doesn't wait.
func (c Config) route(keys []string) (route, error) {
	switch {
	case c.Replay != "":
		player, err := backend.NewPlayer(c.Replay)
		if err != nil {
			return route{}, err
		}
		return route{player, replayed(player), replayClock{}}, nil
	case c.Record != "":
		var secrets []string
		for _, k := range keys {
			if k != "" {
				secrets = append(secrets, k)
			}
		}
		recorder, err := backend.NewRecorder(backend.RecorderConfig{Dir: c.Record, Secrets: secrets})
		if err != nil {
			return route{}, err
		}
		return route{recorder, recorded(recorder), nil}, nil
	}
	return route{}, nil
}

// describe returns the Description of a service.
func (c Config) describe(r role) Description {
	b := Description{Kind: r.Kind, Model: r.Model}
	switch {
	case r.Kind == Fake:
		return b
	case r.kind.program:
		b.Address = c.Command[0]
	default:
		b.Address = r.publicURL()
	}
	if c.Record != "" {
		b.Answers = Recorded
	}
	if c.Replay != "" {
		b.Answers = Replayed
	}
	return b
}

// live returns the classes of jobs that real services do. It includes downloads, imports, and renders, which are never
// simulated: next to real services, they aren't slowed down either.
func (c Config) live(hears, writes role) (classes []queue.Class) {
	works := func(r role) bool { return r.Kind != Fake && c.Replay == "" }
	if works(hears) {
		classes = append(classes, queue.ClassTranscribe, queue.ClassImport)
	}
	if works(writes) {
		classes = append(classes, queue.ClassGenerate)
	}
	if len(classes) > 0 {
		classes = append(classes, queue.ClassRender)
	}
	return classes
}
