package main

import (
	"io"

	"github.com/spf13/cobra"
)

// streams are the program's standard streams.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// newRoot makes the whole command line. Flags that are not given are looked up in the environment.
func newRoot(std streams, lookup lookupEnv) *cobra.Command {
	root := &cobra.Command{
		Use:   "soundstage",
		Short: "Transcripts from audio and video, and a sandbox of the Transcription and Content Service",
		Long: `Soundstage turns audio and video into speaker-labelled transcripts, and serves a sandbox that stands in
for the hosted Transcription and Content Service: the same /v1 API, offline, the same answer every time.

By default the words are invented: they are the same for the same media every time and line up with the sound,
but they are not what was said. --transcriber and --llm choose real services (see soundstage serve --help), and
soundstage doctor checks them. Everything else is real.

Every flag of every command may be given by the environment instead: --rate-limit as SOUNDSTAGE_RATE_LIMIT. Flags win. The commands
that transcribe also take --config, a YAML file of their flags, over which the environment wins.`,
		Example: `  soundstage demo
  soundstage serve
  soundstage exec -- npm test
  soundstage transcribe interview.mp4 -o interview.vtt`,
		SilenceErrors: true, // run prints them, with what to do
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newServe(std), newTranscribe(std), newExport(std), newRender(std), newDiarize(std), newImportFeed(std), newConformance(std), newDemo(std),
		newListen(std), newTrigger(std), newSnapshot(std), newReplay(std),
		newKeys(std), newExec(std), newDoctor(std), newHealthcheck(std), newVersion(std),
	)
	bindEnvironment(root, lookup)
	return root
}

// noCommand refuses a command that doesn't exist.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(cmd, unknownCommand(args[0]))
}

// exactly asks for n arguments and says which.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError(cmd, wrongArgs{what: what, got: len(args)})
		}
		return nil
	}
}
