package backends

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "backends"

// Config says which backends are wanted. The zero value is simulations. Errors name the flags of the command line that stand for the
// fields.
type Config struct {
	Transcriber Service
	LLM         Service

	Command       []string      // of a transcriber that is a program: its name or path, then its arguments
	Timeout       time.Duration // of the transcriber; default that of its kind
	ContextTokens int           // of the model; default that of its kind

	Record string // folder to keep every exchange with a service in; "" for none
	Replay string // folder to take every answer of a service from, in place of the service; "" for none

	// Lookup returns a variable of the environment, as os.LookupEnv does; default none has a value.
	Lookup func(name string) (value string, ok bool)
}

// Service says which service is wanted.
type Service struct {
	Kind    string // one of Transcribers or LLMs; "" is Fake, unless something else is said of the service
	URL     string // of its server; default that of its kind
	Model   string // default that of its kind
	KeyFile string // whose first line is the key; default the environment's
}

// Fake is the kind of a simulation.
const Fake = "fake"

// role is a Service with what is known of it.
type role struct {
	Service
	kind kind
	flag string // that names the kind: "transcriber"
	noun string // "transcriber", "language model"
}

// roles finds the kinds of both services and checks what is said of them, as CodeInvalid.
func (c Config) roles() (transcriber, llm role, err error) {
	if transcriber, err = find(c.Transcriber, transcribers, "transcriber", "transcriber", len(c.Command) > 0 || c.Timeout != 0); err != nil {
		return transcriber, llm, err
	}
	if llm, err = find(c.LLM, llms, "llm", "language model", c.ContextTokens != 0); err != nil {
		return transcriber, llm, err
	}
	switch t := transcriber; {
	case t.kind.program && len(c.Command) == 0:
		return t, llm, wrong("--transcriber command needs a program to run.").
			WithHint("Give its name and each of its arguments: --transcriber-command whisper-cli --transcriber-command -f --transcriber-command '{wav}' …")
	case !t.kind.program && len(c.Command) > 0:
		return t, llm, t.unused("command")
	case c.Timeout < 0:
		return t, llm, wrong("--transcriber-timeout must be longer than nothing.")
	case c.ContextTokens < 0:
		return t, llm, wrong("--llm-context-tokens must be a number of tokens.")
	}
	return transcriber, llm, c.checkFolders(transcriber, llm)
}

// checkFolders refuses to keep, or to give again, what there isn't.
func (c Config) checkFolders(services ...role) error {
	if c.Record == "" && c.Replay == "" {
		return nil
	}
	flag := "--record"
	if c.Replay != "" {
		flag = "--replay"
	}
	if c.Record != "" && c.Replay != "" {
		return wrong("--record and --replay can't be given together.").WithHint("Record first, then replay the same folder.")
	}
	if !slices.ContainsFunc(services, func(r role) bool { return r.Kind != Fake }) {
		return wrong("%s is about services, and none is chosen.", flag).WithHint("Choose one with --transcriber or --llm; simulations are not recorded.")
	}
	return nil
}

// find finds the kind of a service. also says whether a setting of the service is given that Service doesn't have.
func find(s Service, all []kind, flag, noun string, also bool) (role, error) {
	r := role{Service: s, flag: flag, noun: noun}
	if s.Kind == "" {
		if s != (Service{}) || also {
			return r, wrong("Settings of a %s are given, but not which it is.", noun).WithHint("Choose one: --" + flag + " " + strings.Join(names(all), ", ") + ".")
		}
		r.Kind = Fake
	}
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == r.Kind })
	if i < 0 {
		return r, wrong("There is no %s %q.", noun, r.Kind).WithHint("Use " + strings.Join(names(all), ", ") + ".")
	}
	if r.kind = all[i]; r.Kind == Fake {
		return role{Service: Service{Kind: Fake}, kind: r.kind, flag: flag, noun: noun}, nil
	}
	switch {
	case r.kind.program && s.URL != "":
		return r, r.unused("url")
	case r.kind.model == noModel && s.Model != "":
		return r, r.unused("model")
	case r.kind.program && s.KeyFile != "":
		return r, r.unused("key-file")
	case r.kind.model == wantedModel && strings.TrimSpace(s.Model) == "":
		return r, wrong("--%s %s needs the name of a model.", flag, r.Kind).WithHint("Give the name that the server knows it by: --" + flag + "-model " + r.kind.example + ".")
	}
	return r, r.checkURL()
}

// unused refuses a setting that would do nothing.
func (r role) unused(setting string) error {
	return wrong("--%s-%s has no use with --%s %s.", r.flag, setting, r.flag, r.Kind).WithHint("Leave one of them out.")
}

func wrong(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, format, args...)
}

func names(all []kind) []string {
	out := make([]string, len(all))
	for i, k := range all {
		out[i] = k.name
	}
	return out
}
