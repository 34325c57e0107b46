package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

func newLibrary(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "library",
		Short: "Keep recordings in a data folder: add, search, export, clip",
		Long: `Keeps recordings with their transcripts in a data folder, on this machine and without a server. “add” copies media into the folder
and transcribes it. A recording has the path or URL that it was added from; adding that again changes nothing.

REC is a recording: its number (12), its id, or the path or URL that it was added from. Only one process may use the folder.
“soundstage serve --data DIR” serves its recordings.`,
		Example: `  soundstage library add talks/ interview.mp4 --data ./lib
  soundstage library add talks/ --watch --data ./lib
  soundstage library search "quiet room" --data ./lib
  soundstage library relabel 1 --name "Speaker 0=Ann Lee" --data ./lib
  soundstage library export --all --to docx,srt -o out --data ./lib
  soundstage library clip 1 -o clip.mp4 --data ./lib`,
		Args: rejectUnknown,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLibraryAdd(std), newLibraryList(std), newLibraryShow(std), newLibrarySearch(std), newLibraryRelabel(std), newLibraryExport(std),
		newLibraryClip(std), newLibraryDelete(std), newLibraryEdit(std))
	return cmd
}

// libraryFlags are the flags of every command of a library.
type libraryFlags struct {
	data   string
	asJSON bool
}

// add adds the flags to a command.
func (l *libraryFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.data, "data", "", "data `folder` (required)")
	f.BoolVar(&l.asJSON, "json", false, "print one JSON object per line")
}

// check returns CodeInvalid without a data folder.
func (l *libraryFlags) check(cmd *cobra.Command) error {
	if l.data == "" {
		return usageError(cmd, errors.New("--data is required: the folder of the library"))
	}
	return nil
}

// tagFlags are the flags for metadata.
type tagFlags []string

// add adds the flag to a command.
func (t *tagFlags) add(f *pflag.FlagSet, help string) {
	f.StringArrayVar((*[]string)(t), "tag", nil, "`name=value` "+help+"; repeatable")
}

// cutPair splits name=value.
func cutPair(pair string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(pair, "=")
	return name, value, ok && strings.TrimSpace(name) != ""
}

// metadata returns the names and values, nil for none. CodeInvalid for a value that isn't name=value.
func (t tagFlags) metadata(op string) (map[string]string, error) {
	var all map[string]string
	for _, pair := range t {
		name, value, ok := cutPair(pair)
		if !ok {
			return nil, engine.Errorf(engine.CodeInvalid, op, "--tag must be name=value (got %.100q).", pair).WithHint("Use for example --tag show=News.")
		}
		if first, twice := all[name]; twice && first != value {
			return nil, engine.Errorf(engine.CodeInvalid, op, "--tag has two values for %q.", name)
		}
		if all == nil {
			all = map[string]string{}
		}
		all[name] = value
	}
	return all, engine.Tags{Metadata: all}.Validate()
}

// recordingArgs requires at least one recording.
func recordingArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError(cmd, wrongArgs{what: "recordings", got: 0})
	}
	return nil
}

// severalFailed returns the first of the errors of several items, with how many there are. nil if there are none.
func severalFailed(op, what string, failed []error, all int) error {
	if len(failed) == 0 {
		return nil
	}
	if all == 1 {
		return failed[0]
	}
	return engine.Errorf(engine.CodeOf(failed[0]), op, "%d of %d %s failed.", len(failed), all, what).
		WithHint("The lines above say why.").Because(fmt.Errorf("first: %w", failed[0]))
}
