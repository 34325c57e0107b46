package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	assisted "github.com/soundstage-dev/soundstage/assistant/library"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
)

// libraryExportFlags are the parsed flags of `soundstage library export`.
type libraryExportFlags struct {
	library libraryFlags
	all     bool
	export  exportFlags
}

func newLibraryExport(std streams) *cobra.Command {
	var o libraryExportFlags
	cmd := &cobra.Command{
		Use:   "export REC…",
		Short: "Export recordings of a library",
		Long: `Writes the transcripts of recordings in any format, as TITLE-NUMBER.EXTENSION, with the flags of “soundstage export”. Pages and
timelines play the file that a recording was added from, unless --media names another one.

Exit codes: that of the first recording that failed; 2 wrong flags, 3 no such recording, 4 another process uses the folder, 5 no font for
a script, 6 letters that EBU STL lacks, or the transcription failed, 10 it isn't finished.`,
		Example: `  soundstage library export 1 --to docx,pdf --data ./lib -o out
  soundstage library export --all --to srt --profile bbc --data ./lib -o captions --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.all == (len(args) > 0) {
				return usageError(cmd, errors.New("expected recordings, or --all"))
			}
			targets, err := o.check(args)
			if err != nil {
				return err
			}
			return o.library.open(cmd, func(ctx context.Context, lib *library) error { return o.run(ctx, lib, args, targets, std) })
		},
	}
	f := cmd.Flags()
	o.library.add(f)
	f.BoolVar(&o.all, "all", false, "export every recording that has a transcript")
	f.StringSliceVar(&o.export.to, "to", nil, "comma-separated `formats`: "+formatList()+" (required)")
	f.StringVarP(&o.export.dir, "output", "o", ".", "output `folder`")
	f.BoolVar(&o.export.wordTimes, "word-times", false, "give each word of lrc a time")
	o.export.documents.add(f)
	o.export.timelines.add(f)
	o.export.captions.add(cmd)
	return cmd
}

// check returns the formats, or CodeInvalid for flags that are wrong whatever the recordings are.
func (o *libraryExportFlags) check(args []string) ([]formats.Format, error) {
	const op = "export"
	targets, err := exportTargets(o.export.to)
	if err != nil {
		return nil, err
	}
	if _, err := o.export.captions.options(op); err != nil {
		return nil, err
	}
	d := o.export.documents
	if err := errors.Join(d.check(op, targets), o.export.timelines.check(op, targets, d.chapters), d.names.check(op)); err != nil {
		return nil, err
	}
	if one := d.title + d.source + d.media + d.summary + d.chapters + strings.Join(d.names, ""); one != "" && len(args) != 1 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "--title, --name, --source, --media, --summary, and --chapters are for one recording.").
			WithHint("Name one recording, or leave them out.")
	}
	return targets, nil
}

func (o *libraryExportFlags) run(ctx context.Context, lib *library, args []string, targets []formats.Format, std streams) error {
	list, err := lib.recordings(ctx, args, o.all)
	if err != nil {
		return err
	}
	if o.all {
		list = slices.DeleteFunc(list, func(r engine.Recording) bool { return !r.HasTranscript() })
	}
	if err := os.MkdirAll(o.export.dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "export", "The folder %s can't be created.", o.export.dir).WithHint("Choose another with -o.").Because(err)
	}
	bar := newLibraryProgress(std.err)
	bar.start("Exporting")
	bar.expect(len(list))
	defer bar.end()
	var failed []error
	for _, r := range list {
		err := o.exportOne(ctx, lib, r, targets, func(f formats.Format, path string) {
			bar.print(func() { o.printExport(std, r, f, path) })
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
		}
		if err != nil && len(list) > 1 { // a single error is returned
			bar.print(func() { fmt.Fprintln(std.err, explain(fmt.Errorf("#%d %s: %w", r.Number, r.Title, err))) })
		}
		bar.finish("")
	}
	return severalFailed("export", "recordings", failed, len(list))
}

func (o *libraryExportFlags) printExport(std streams, r engine.Recording, f formats.Format, path string) {
	if !o.library.asJSON {
		fmt.Fprintln(std.out, path)
		return
	}
	_ = json.NewEncoder(std.out).Encode(struct {
		Recording engine.RecordingID `json:"recording_id"`
		Number    int                `json:"number"`
		Format    string             `json:"format"`
		Path      string             `json:"path"`
	}{r.ID, r.Number, f.Name, path})
}

// exportOne writes a recording in each format and calls wrote. A format that fails doesn't stop the others.
func (o *libraryExportFlags) exportOne(ctx context.Context, lib *library, r engine.Recording, targets []formats.Format, wrote func(formats.Format, string)) error {
	t, err := lib.transcript(ctx, r.ID)
	if err != nil {
		return err
	}
	options, err := o.options(t)
	if err != nil {
		return err
	}
	var failed []error
	for _, f := range targets {
		path := filepath.Join(o.export.dir, assisted.Stem(r.Title, r.Number)+f.Extension)
		contents := withMedia(f, options, o.export.dir, options.Media)
		if isTimeline(f) {
			contents.Media = absoluteMedia(options.Media)
		}
		var doc bytes.Buffer
		err := f.Write(&doc, t.Transcript, contents)
		if err == nil {
			err = writeFile(path, doc.Bytes())
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		wrote(f, path)
	}
	return errors.Join(failed...)
}

// options returns what the flags and the recording say about its documents.
func (o *libraryExportFlags) options(t engine.RecordingTranscript) (formats.Options, error) {
	options, err := o.export.documents.options("export", formats.Parsed{Transcript: t.Transcript, Names: t.Names, RecordingID: string(t.Recording.ID)})
	if err == nil {
		err = o.export.timelines.set(&options, t.Transcript)
	}
	if err == nil {
		options.Captions, err = o.export.captions.options("export")
	}
	options.WordTimes = o.export.wordTimes
	if options.Title == "" {
		options.Title = t.Recording.Title
	}
	if id := t.Recording.ExternalID; options.Media == "" && !isURL(id) {
		if _, err := os.Stat(id); err == nil {
			options.Media = id
		}
	}
	return options, err
}
