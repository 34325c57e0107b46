package main

import (
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/internal/startgc"
)

// streams are the program's standard streams.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// commands make the subcommands, by name.
var commands = map[string]func(streams) *cobra.Command{
	"check": newCheck, "clip": newClip, "conformance": newConformance, "demo": newDemo, "diarize": newDiarize, "doctor": newDoctor, "drift": newDrift,
	"exec": newExec, "export": newExport, "fixtures": newFixtures, "healthcheck": newHealthcheck, "import-feed": newImportFeed, "keys": newKeys,
	"library": newLibrary, "listen": newListen, "mcp": newMCP, "migrate": newMigrate, "peaks": newPeaks, "proxy": newProxy, "render": newRender,
	"repair": newRepair, "replay": newReplay, "serve": newServe, "snapshot": newSnapshot, "sweep": newSweep, "transcribe": newTranscribe,
	"trigger": newTrigger, "verify": newVerify, "version": newVersion, "voices": newVoices, "work": newWork,
}

// newRootFor returns the root command for a command line: with the command that it calls, or with all if the first argument is none. The flags of
// all 60 commands would be a tenth of what a start costs.
func newRootFor(args []string, std streams, lookup lookupEnv) *cobra.Command {
	if len(args) == 0 || commands[args[0]] == nil {
		root := newRoot(std, lookup)
		if len(args) > 0 && args[0] == "help" {
			rejectUnknownTopics(root)
		}
		return root
	}
	return rootOf(std, lookup, commands[args[0]])
}

// newRoot returns the root command with all subcommands. Flags that are not set get their values from lookup.
func newRoot(std streams, lookup lookupEnv) *cobra.Command {
	return rootOf(std, lookup, slices.Collect(maps.Values(commands))...)
}

// rootOf returns the root command with some of its subcommands.
func rootOf(std streams, lookup lookupEnv, makers ...func(streams) *cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "soundstage",
		Short: "Transcribe audio and video, and serve a sandbox of the Transcription and Content Service",
		Long: `Soundstage turns audio and video into speaker-labelled transcripts. It also serves a sandbox that replaces the hosted
Transcription and Content Service in tests: the same /v1 API, offline, with the same response every time.

By default, the words are invented. They follow the sound and are always the same for the same media, but they are
not what was said. --transcriber and --llm choose real services (see soundstage serve --help); soundstage doctor
checks them. Everything else is real.

Every flag can also be set by an environment variable: --rate-limit by SOUNDSTAGE_RATE_LIMIT. Flags override
variables. Commands that transcribe also accept --config, a YAML file of flags, which variables override.`,
		Example: `  soundstage demo
  soundstage serve
  soundstage exec -- npm test
  soundstage transcribe interview.mp4 -o interview.vtt`,
		SilenceErrors: true, // run prints errors with their hints
		SilenceUsage:  true,
		Args:          rejectUnknown,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, make := range makers {
		root.AddCommand(make(std))
	}
	bindEnvironment(root, lookup)
	prepare := root.PersistentPreRunE
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Name() != "serve" && cmd.Name() != "exec" {
			startgc.Set(defaultGC)
		}
		return prepare(cmd, args)
	}
	addVersionFlag(root)
	return root
}

// rejectUnknown returns an error if there are arguments: the first one is an unknown command.
func rejectUnknown(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(cmd, unknownCommand(args[0]))
}

// rejectUnknownTopics makes the command help return an error for an unknown command, instead of printing the help of the program.
func rejectUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return // the program has no commands
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		cmd, rest, err := root.Find(args)
		if err != nil {
			return err
		}
		return rejectUnknown(cmd, rest)
	}
}

// exactArgs requires n arguments, which what describes in the error.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError(cmd, wrongArgs{what: what, got: len(args)})
		}
		return nil
	}
}
