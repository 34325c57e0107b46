package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// libraryAddFlags are the parsed flags of `soundstage library add`.
type libraryAddFlags struct {
	work     workFlags
	language string
	speakers int
	tags     tagFlags
	watch    bool
	interval time.Duration
}

func newLibraryAdd(std streams) *cobra.Command {
	var o libraryAddFlags
	cmd := &cobra.Command{
		Use:   "add [FILE|FOLDER|URL…]",
		Short: "Add media to a library and transcribe it",
		Long: `Copies media into the library and transcribes it. Of a folder and its subfolders, it adds every file that is audio or video by its
content, and leaves out hidden ones. What is in the library already is not added again, by its path or URL, so you can repeat the
command at any time: after a kill, it goes on where it was. Unfinished work of earlier runs is finished, too. A file that has changed
since it was added is reported, and not added again.

--watch goes on until it is interrupted. It adds a new file when two further looks have found the same size and time.

` + backendHelp + `
Exit codes: that of the first input that failed, as for transcribe; 2 wrong flags, 3 no such file, 4 another process uses the folder,
5 ffmpeg is missing or the transcriber doesn't work.`,
		Example: `  soundstage library add interview.mp4 --data ./lib --speakers 2
  soundstage library add talks/ https://media.example/talk.m4a --data ./lib --tag show=News
  soundstage library add talks/ --watch --data ./lib --json | jq .recording.title`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, std) },
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "language", "", "language `code`; default the language tag of the file, otherwise en")
	f.IntVar(&o.speakers, "speakers", 0, "expected number of speakers; 0 to detect it")
	o.tags.add(f, "to find the recordings by")
	f.BoolVar(&o.watch, "watch", false, "go on watching the folders")
	f.DurationVar(&o.interval, "interval", 2*time.Second, "`time` between two looks at the folders")
	o.work.add(f)
	return cmd
}

func (o *libraryAddFlags) run(cmd *cobra.Command, args []string, std streams) error {
	settings, err := o.settings()
	if err != nil {
		return err
	}
	inputs, err := newInputs(args, o.work.library.data)
	if err != nil {
		return err
	}
	if o.watch && len(inputs.folders) == 0 {
		return usageError(cmd, errors.New("--watch needs a folder"))
	}
	return o.work.run(cmd, o.watch, std, func(ctx context.Context, w *worker) error {
		a := &adder{worker: w, settings: settings, out: newAddOutput(std, o.work.library.asJSON, w.progress), seen: map[string]bool{}}
		w.progress.start("Adding")
		if o.watch {
			return a.watch(ctx, inputs, o.interval)
		}
		return a.addAll(ctx, inputs)
	})
}

// settings returns the settings of new recordings, or CodeInvalid.
func (o *libraryAddFlags) settings() (engine.NewRecording, error) {
	const op = "library"
	metadata, err := o.tags.metadata(op)
	err = cmp.Or(err, setSpoken(op, &o.language), checkSpeakers(op, o.speakers))
	switch {
	case err != nil:
	case o.interval <= 0:
		err = engine.Errorf(engine.CodeInvalid, op, "--interval must be greater than zero (got %s).", o.interval)
	}
	return engine.NewRecording{
		Language: transcript.Language(o.language), DetectLanguage: o.language == "", SpeakersExpected: o.speakers, Tags: engine.Tags{Metadata: metadata},
	}, err
}

// inputs are what to add.
type inputs struct {
	single  []source // files and URLs
	folders []string
	data    string // the data folder, which is never scanned
}

// newInputs sorts the arguments. Errors: CodeNotFound (no such file), CodeInvalid (not a file or a folder).
func newInputs(args []string, data string) (in inputs, err error) {
	in.data = data
	for _, arg := range args {
		if isURL(arg) {
			in.single = append(in.single, source{name: arg, id: externalID(arg), url: true})
			continue
		}
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return in, fileError(arg, err)
		case info.IsDir():
			in.folders = append(in.folders, arg)
		case !info.Mode().IsRegular():
			return in, fileError(arg, errors.New("not a regular file"))
		default:
			in.single = append(in.single, source{name: arg, id: pathID(arg)})
		}
	}
	return in, nil
}

// scan returns the media files of the folders, and prints what can't be read.
func (in inputs) scan(a *adder) (found []mediaFile) {
	for _, folder := range in.folders {
		files, problems := scanFolder(folder, in.data)
		found = append(found, files...)
		for _, problem := range problems {
			a.out.warn(problem)
		}
	}
	return found
}

// addAll adds everything, and returns an error if something failed.
func (a *adder) addAll(ctx context.Context, in inputs) error {
	queue, err := a.unfinished(ctx)
	if err != nil {
		return err
	}
	queue = append(queue, in.single...)
	for _, f := range in.scan(a) {
		if f.isMedia() {
			queue = append(queue, f.source())
		}
	}
	n := 0
	a.run(ctx, queue, nil, nil, func(addition) { n++ })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.out.summary()
	if n == 0 && len(in.folders) > 0 {
		fmt.Fprintln(a.out.std.err, "soundstage: The folders have no audio or video.")
	}
	return severalFailed("library", "inputs", a.out.failed, n)
}
