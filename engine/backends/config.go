package backends

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

const op = "backends"

// Config selects the backends. The zero value selects simulations. Errors name the command-line flags that correspond to
// the fields.
type Config struct {
	Transcriber Service
	LLM         Service

	Command       []string      // of a transcriber program: its name or path, then its arguments
	Timeout       time.Duration // of the transcriber; default depends on its kind
	ContextTokens int           // of the language model; default depends on its kind
	AnswerTokens  int           // of the language model: limit of an answer, with its reasoning; default llm.DefaultAnswerTokens

	Record string // folder to record every exchange with a service in; "" for none
	Replay string // folder to replay every response from, instead of calling the service; "" for none

	// Lookup returns an environment variable, as os.LookupEnv does. When nil, no variable is set.
	Lookup func(name string) (value string, ok bool)
}

// Service selects a service.
type Service struct {
	Kind    string // one of Transcribers or LLMs; "" means Fake if all other fields are empty
	URL     string // of its server; default depends on Kind
	Model   string // default depends on Kind
	KeyFile string // file whose first line is the key; default from the environment
}

// Fake is the kind of simulated services.
const Fake = "fake"

// role is a Service with its kind.
type role struct {
	Service
	kind kind
	flag string // that selects the kind: "transcriber"
	noun string // "transcriber", "language model"
}

// roles finds the kinds of both services and checks their settings. It returns CodeInvalid.
func (c Config) roles() (transcriber, writer role, err error) {
	if transcriber, err = find(c.Transcriber, transcribers, "transcriber", "transcriber", len(c.Command) > 0 || c.Timeout != 0); err != nil {
		return transcriber, writer, err
	}
	if writer, err = find(c.LLM, llms, "llm", "language model", c.ContextTokens != 0 || c.AnswerTokens != 0); err != nil {
		return transcriber, writer, err
	}
	switch t := transcriber; {
	case t.kind.program && len(c.Command) == 0:
		return t, writer, invalid("--transcriber command needs a program to run.").
			WithHint("Set its name and each of its arguments: --transcriber-command whisper-cli --transcriber-command -f --transcriber-command '{wav}' …")
	case !t.kind.program && len(c.Command) > 0:
		return t, writer, t.unused("command")
	case c.Timeout < 0:
		return t, writer, invalid("--transcriber-timeout must not be negative (got %v).", c.Timeout)
	}
	if err := c.checkTokens(); err != nil {
		return transcriber, writer, err
	}
	return transcriber, writer, c.checkFolders(transcriber, writer)
}

// checkTokens refuses token limits that are too low.
func (c Config) checkTokens() error {
	switch {
	case c.ContextTokens != 0 && c.ContextTokens < llm.MinContextTokens:
		return invalid("--llm-context-tokens must be at least %d (got %d).", llm.MinContextTokens, c.ContextTokens).WithHint("Leave it out for a safe default.")
	case c.AnswerTokens != 0 && c.AnswerTokens < llm.MinAnswerTokens:
		return invalid("--llm-answer-tokens must be at least %d (got %d).", llm.MinAnswerTokens, c.AnswerTokens).WithHint("Leave it out for a safe default.")
	}
	return nil
}

// checkFolders refuses to record or replay without a service.
func (c Config) checkFolders(services ...role) error {
	if c.Record == "" && c.Replay == "" {
		return nil
	}
	flag := "--record"
	if c.Replay != "" {
		flag = "--replay"
	}
	if c.Record != "" && c.Replay != "" {
		return invalid("--record and --replay can't be used together.").WithHint("Record first, then replay the same folder.")
	}
	if !slices.ContainsFunc(services, func(r role) bool { return r.Kind != Fake }) {
		return invalid("%s needs a service, and none is chosen.", flag).WithHint("Choose one with --transcriber or --llm; simulations are not recorded.")
	}
	return nil
}

// find finds the kind of a service. also reports that a setting outside Service is set.
func find(s Service, all []kind, flag, noun string, also bool) (role, error) {
	r := role{Service: s, flag: flag, noun: noun}
	if s.Kind == "" {
		if s != (Service{}) || also {
			return r, invalid("Set --%s: its other settings are given, but no backend is chosen.", flag).WithHint("Choose one: --" + flag + " " + strings.Join(names(all), ", ") + ".")
		}
		r.Kind = Fake
	}
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == r.Kind })
	if i < 0 {
		return r, invalid("Unknown %s %q.", noun, r.Kind).WithHint("Use " + strings.Join(names(all), ", ") + ".")
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
	case r.kind.model == requiredModel && strings.TrimSpace(s.Model) == "":
		return r, invalid("--%s %s needs the name of a model.", flag, r.Kind).WithHint("Use the server's name of the model: --" + flag + "-model " + r.kind.example + ".")
	}
	return r, r.checkURL()
}

// unused returns the error for a setting that the kind doesn't have.
func (r role) unused(setting string) error {
	return invalid("--%s-%s has no effect with --%s %s.", r.flag, setting, r.flag, r.Kind).WithHint("Remove one of them.")
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, format, args...)
}

func names(all []kind) []string {
	out := make([]string, len(all))
	for i, k := range all {
		out[i] = k.name
	}
	return out
}
