package backends

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Backends are what an engine is to work with. A port that is nil is to be simulated.
type Backends struct {
	NewTranscriber func(engine.Media) (engine.Transcriber, error)
	LLM            engine.LLM // which may be an engine.Suggester, too
	Translator     engine.Translator

	Live         []queue.Class // classes of jobs whose work is done by others, in the time that they take
	Descriptions Descriptions
	Sources      Sources
	Notices      []string // sentences about what the operator should know
}

// Sources say where the keys come from: a variable, "the key file", or "" for none. They don't have them.
type Sources struct{ Transcriber, LLM string }

// Open checks a Config and makes what it asks for. It sends nothing. Errors: CodeInvalid says what can't be so; of Record and Replay
// CodeUnavailable too, when the folder can't be used.
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
	by, err := c.way(keys[:])
	if err != nil {
		return nil, err
	}
	b.Descriptions = Descriptions{Transcriber: c.describe(hears), LLM: c.describe(writes)}
	b.Live = c.live(hears, writes)
	for i, r := range []role{hears, writes} {
		if keys[i] != "" && r.inClear() && c.Replay == "" {
			b.Notices = append(b.Notices, "The key of the "+r.noun+" goes to "+r.told()+" without TLS: whoever is on the way can read it.")
		}
	}
	s := settings{transport: by.transport, around: by.around, clock: by.clock, timeout: c.Timeout, contextTokens: c.ContextTokens}
	if hears.Kind != Fake {
		err = b.openTranscriber(hears, s, keys[0], c.Command)
	}
	if err == nil && writes.Kind != Fake {
		err = b.openLLM(writes, s, keys[1])
	}
	return b, err
}

// with completes settings by those of a service.
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
	_, err := b.NewTranscriber(nowhere{}) // what is wrong is told before anything is opened
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

// replayedKey stands for a key where the answers come from a folder.
const replayedKey = "replayed"

// keyOf finds the key of a service. A replay needs none, and looks for none: a CI has none.
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

// way is how services and programs are reached; the zero way is as they are.
type way struct {
	transport http.RoundTripper
	around    around
	clock     engine.Clock
}

// way returns a way by a folder, where one is wanted. A replay's clock waits for nothing.
func (c Config) way(keys []string) (way, error) {
	switch {
	case c.Replay != "":
		player, err := backend.NewPlayer(c.Replay)
		if err != nil {
			return way{}, err
		}
		return way{player, replayed(player), hurried{}}, nil
	case c.Record != "":
		var secrets []string
		for _, k := range keys {
			if k != "" {
				secrets = append(secrets, k)
			}
		}
		recorder, err := backend.NewRecorder(backend.RecorderConfig{Dir: c.Record, Secrets: secrets})
		if err != nil {
			return way{}, err
		}
		return way{recorder, recorded(recorder), nil}, nil
	}
	return way{}, nil
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
		b.Address = r.told()
	}
	if c.Record != "" {
		b.Answers = Recorded
	}
	if c.Replay != "" {
		b.Answers = Replayed
	}
	return b
}

// live returns the classes of jobs that services do. Downloads, imports and renders are never simulated; beside real work they aren't
// slowed down either.
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
