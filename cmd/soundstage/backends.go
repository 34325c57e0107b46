package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// backendFlags are what the command line says of the backends that an engine works with.
type backendFlags struct {
	backends.Config
	speakersBy string
	file       configPath
}

// backendHelp is what the help of a command says of its backends.
var backendHelp = `Backends. By default words and texts are invented: the same ones every time, offline. --transcriber and --llm choose real
services instead, and media and transcripts are sent to those. Keys are never flags: they are taken from --transcriber-key-file
and --llm-key-file, whose mode must be 0600, else from SOUNDSTAGE_TRANSCRIBER_KEY and SOUNDSTAGE_LLM_KEY, else, at the provider's
own address only, from
` + oneOf(backends.Variables()) + `. A program is run without a shell: give
--transcriber-command once for its name and once for each argument, or one JSON list. “soundstage doctor” with the same flags
checks them all.

A config file is YAML whose keys are these flags without the dashes in front. Flags win over the environment, which wins over
the file.
`

// register adds the flags to a command.
func (b *backendFlags) register(f *pflag.FlagSet) {
	f.Var(choice{&b.Transcriber.Kind, backends.Transcribers(), "transcriber"}, "transcriber", "`who` transcribes: "+strings.Join(backends.Transcribers(), ", ")+"; none is fake")
	f.StringVar(&b.Transcriber.URL, "transcriber-url", "", "`address` of the transcriber; none is the provider's own"+ownServers(backends.TranscriberKinds()))
	f.StringVar(&b.Transcriber.Model, "transcriber-model", "", "`name` of its model; none is "+usualModels(backends.TranscriberKinds()))
	f.StringVar(&b.Transcriber.KeyFile, "transcriber-key-file", "", "`file` whose first line is its key")
	f.Var(arguments{&b.Command}, "transcriber-command", "`program` of --transcriber command, then each argument; {wav} stands for the sound, {language} for the language")
	f.DurationVar(&b.Timeout, "transcriber-timeout", 0, "longest `time` that it may take for one try, or one part of what is sent in parts; 0 is its own: minutes to hours")
	f.Var(choice{&b.speakersBy, []string{speakersByTranscriber, speakersByDiarizer}, "speakers-by"}, "speakers-by",
		"`who` tells speakers apart: transcriber, with the diarizer where it doesn't, or always the diarizer; none is transcriber")
	f.Var(choice{&b.LLM.Kind, backends.LLMs(), "model"}, "llm", "`who` writes, answers and translates: "+strings.Join(backends.LLMs(), ", ")+"; none is fake")
	f.StringVar(&b.LLM.URL, "llm-url", "", "`address` of the model's server, as http://127.0.0.1:11434/v1 for Ollama; none is the provider's own")
	f.StringVar(&b.LLM.Model, "llm-model", "", "`name` of the model; needed with --llm "+needModel(backends.LLMKinds()))
	f.StringVar(&b.LLM.KeyFile, "llm-key-file", "", "`file` whose first line is the model's key")
	f.IntVar(&b.ContextTokens, "llm-context-tokens", 0, "`tokens` that a request and its answer may have together; 0 is a safe number. Local servers must be told, too")
	f.StringVar(&b.Record, "record", "", "`folder` to keep every exchange with a service in, without its keys; it must have none yet")
	f.StringVar(&b.Replay, "replay", "", "`folder` of recorded exchanges to take all answers from: no network, no key; an unknown request fails")
	f.Var(&b.file, configFlag, "`file` of YAML with these flags; see the README")
}

const (
	speakersByTranscriber = "transcriber"
	speakersByDiarizer    = "diarizer"
)

// ownServers are the addresses of those kinds whose server one runs oneself.
func ownServers(kinds []backends.Kind) (s string) {
	for _, k := range kinds {
		if k.URL != "" && k.Variable == "" {
			s += ", and " + k.URL + " of " + k.Name
		}
	}
	return s
}

func usualModels(kinds []backends.Kind) string {
	var models []string
	for _, k := range kinds {
		if k.Model != "" {
			models = append(models, k.Model+" of "+k.Name)
		}
	}
	return strings.Join(models, ", ")
}

func needModel(kinds []backends.Kind) string {
	var names []string
	for _, k := range kinds {
		if k.ModelNeeded {
			names = append(names, k.Name)
		}
	}
	return oneOf(names)
}

// oneOf lists words with an or before the last.
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// open makes the backends that are wanted.
func (b *backendFlags) open(cmd *cobra.Command) (*backends.Backends, error) {
	c := b.Config
	c.Lookup = os.LookupEnv
	// The environment wins over the file also where one has the key and the other the name of its file.
	for flag, s := range map[string]*backends.Service{"transcriber": &c.Transcriber, "llm": &c.LLM} {
		if value, ok := c.Lookup(backends.Variable(flag)); ok && value != "" && filed(cmd.Flags().Lookup(flag+"-key-file")) != "" {
			s.KeyFile = ""
		}
	}
	return c.Open()
}

// diarizeAll reports whether the diarizer is believed more than the transcriber.
func (b *backendFlags) diarizeAll() bool { return b.speakersBy == speakersByDiarizer }

// give has a sandbox work with backends.
func (b *backendFlags) give(o *emulator.Options, made *backends.Backends) {
	o.NewTranscriber, o.LLM, o.Translator = made.NewTranscriber, made.LLM, made.Translator
	o.DiarizeAll, o.Live, o.Backends = b.diarizeAll(), made.Live, healthOf(made.Descriptions)
}

// healthOf returns what the health endpoint says of backends.
func healthOf(d backends.Descriptions) control.Backends {
	return control.Backends{Transcriber: control.Backend(d.Transcriber), LLM: control.Backend(d.LLM)}
}

// toldOf says in a line what a backend is.
func toldOf(b control.Backend) string {
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
