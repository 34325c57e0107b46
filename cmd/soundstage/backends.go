package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// backendFlags are the flags that choose and configure an engine's backends.
type backendFlags struct {
	backends.Config
	speakersBy string
	retryFor   time.Duration
	file       configPath
}

// backendHelp is the help text of the backend flags.
var backendHelp = `Backends. By default, transcripts and generated texts are invented offline, and are the same every time. --transcriber and --llm
choose real services instead, and send media and transcripts to them. Keys are never flags. They come from --transcriber-key-file
and --llm-key-file (mode 0600), or else from SOUNDSTAGE_TRANSCRIBER_KEY and SOUNDSTAGE_LLM_KEY. For a provider's own address, its
variable works as well: ` + orList(backends.Variables()) + `.

Programs run without a shell: repeat --transcriber-command for the program's name and each argument, or set it once to a JSON list.
“soundstage doctor” with the same flags checks all backends.

A config file is YAML whose keys are these flags without the leading dashes. Flags override the environment, which overrides
the file.
`

// register adds the flags to a command.
func (b *backendFlags) register(f *pflag.FlagSet) {
	f.Var(choice{&b.Transcriber.Kind, backends.Transcribers(), "transcriber"}, "transcriber", "transcription `backend`: "+strings.Join(backends.Transcribers(), ", ")+"; default fake")
	f.StringVar(&b.Transcriber.URL, "transcriber-url", "", "base `URL` of the transcriber; default the provider's own"+selfHosted(backends.TranscriberKinds()))
	f.StringVar(&b.Transcriber.Model, "transcriber-model", "", "`name` of the transcriber's model; default "+defaultModels(backends.TranscriberKinds()))
	f.StringVar(&b.Transcriber.KeyFile, "transcriber-key-file", "", "`file` whose first line is the transcriber's key")
	f.Var(arguments{&b.Command}, "transcriber-command", "`program` for --transcriber command, then each argument; {wav} is replaced by the audio file, {language} by the language")
	f.DurationVar(&b.Timeout, "transcriber-timeout", 0, "longest `time` for one attempt, or for one part of media that is sent in parts; 0 for the backend's default, minutes to hours")
	f.Var(choice{&b.speakersBy, []string{speakersByTranscriber, speakersByDiarizer}, "speakers-by"}, "speakers-by",
		"`source` of speaker labels: transcriber (the diarizer fills gaps) or diarizer (always); default transcriber")
	f.Var(choice{&b.LLM.Kind, backends.LLMs(), "model"}, "llm", "`backend` that generates, chats, and translates: "+strings.Join(backends.LLMs(), ", ")+"; default fake")
	f.StringVar(&b.LLM.URL, "llm-url", "", "base `URL` of the model's server, for example http://127.0.0.1:11434/v1 for Ollama; default the provider's own")
	f.StringVar(&b.LLM.Model, "llm-model", "", "`name` of the model; required with --llm "+modelRequired(backends.LLMKinds()))
	f.StringVar(&b.LLM.KeyFile, "llm-key-file", "", "`file` whose first line is the model's key")
	f.IntVar(&b.ContextTokens, "llm-context-tokens", 0, "context window in `tokens`, shared by a request and its response; 0 for a safe default. Configure local servers for the same size")
	f.IntVar(&b.AnswerTokens, "llm-answer-tokens", 0, "longest answer in `tokens`, with the model's reasoning; 0 for 4096. A longer answer is cut off")
	f.DurationVar(&b.retryFor, "retry-for", 0, "`time` to go on trying while a backend can't be reached, loads its model, or limits requests; 0 for 10m, or for seconds in commands that you wait for")
	f.StringVar(&b.Record, "record", "", "`folder` to record every exchange with a service in, without keys; must not contain recorded exchanges")
	f.StringVar(&b.Replay, "replay", "", "`folder` of recorded exchanges to answer from, without network or key; an unrecorded request fails")
	f.Var(&b.file, configFlag, "YAML `file` with these flags")
}

const (
	speakersByTranscriber = "transcriber"
	speakersByDiarizer    = "diarizer"
)

// selfHosted lists the default addresses of the kinds whose servers users run themselves.
func selfHosted(kinds []backends.Kind) (s string) {
	for _, k := range kinds {
		if k.URL != "" && k.Variable == "" {
			s += ", or " + k.URL + " for " + k.Name
		}
	}
	return s
}

func defaultModels(kinds []backends.Kind) string {
	var models []string
	for _, k := range kinds {
		if k.Model != "" {
			models = append(models, k.Model+" for "+k.Name)
		}
	}
	return strings.Join(models, ", ")
}

func modelRequired(kinds []backends.Kind) string {
	var names []string
	for _, k := range kinds {
		if k.ModelNeeded {
			names = append(names, k.Name)
		}
	}
	return orList(names)
}

// orList joins words with commas and an "or" before the last.
func orList(words []string) string {
	last := len(words) - 1
	switch {
	case last < 1:
		return strings.Join(words, "")
	case last == 1:
		return words[0] + " or " + words[1]
	}
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}

// open creates the chosen backends.
func (b *backendFlags) open(cmd *cobra.Command) (*backends.Backends, error) {
	if b.retryFor < 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "backends", "--retry-for must not be negative (got %s).", b.retryFor).
			WithHint("Use a duration such as 30m, or 1s to give up at once.")
	}
	c := b.Config
	c.Lookup = os.LookupEnv
	// A key in the environment overrides a key file that the config file names.
	for flag, s := range map[string]*backends.Service{"transcriber": &c.Transcriber, "llm": &c.LLM} {
		if value, ok := c.Lookup(backends.Variable(flag)); ok && value != "" && configLine(cmd.Flags().Lookup(flag+"-key-file")) != "" {
			s.KeyFile = ""
		}
	}
	return c.Open()
}

// diarizeAll reports whether the diarizer's speaker labels replace the transcriber's.
func (b *backendFlags) diarizeAll() bool { return b.speakersBy == speakersByDiarizer }

// applyTo sets the backends in a sandbox's options.
func (b *backendFlags) applyTo(o *emulator.Options, made *backends.Backends) {
	o.NewTranscriber, o.LLM, o.Translator = made.NewTranscriber, made.LLM, made.Translator
	o.DiarizeAll, o.Live, o.Backends, o.Outage = b.diarizeAll(), made.Live, healthBackends(made.Descriptions), b.retryFor
}

// healthBackends converts descriptions of backends to those of the health endpoint.
func healthBackends(d backends.Descriptions) control.Backends {
	return control.Backends{Transcriber: control.Backend(d.Transcriber), LLM: control.Backend(d.LLM)}
}

// describeBackend describes a backend in one line.
func describeBackend(b control.Backend) string {
	words := []string{b.Kind}
	if b.Model != "" {
		words = append(words, b.Model)
	}
	if b.Address != "" {
		words = append(words, "at "+b.Address)
	}
	if b.Answers != "" {
		words = append(words, "("+b.Answers+")")
	}
	return strings.Join(slices.Compact(words), " ")
}
