package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// transcribeFlags are the parsed flags of `soundstage transcribe`.
type transcribeFlags struct {
	speechFlags
	format       string
	output       string
	noTimestamps bool
	names        speakerNames
	open         bool
}

func newTranscribe(std streams) *cobra.Command {
	var o transcribeFlags
	cmd := &cobra.Command{
		Use:   "transcribe FILE|URL",
		Short: "Transcribe a media file or URL",
		Long: `Transcribes any media file that ffmpeg reads, or a public HTTP(S) URL, and writes the transcript to standard output or a file.
Without --transcriber, the words are invented (see soundstage --help); times and speakers follow the sound.

With --open, it writes a page that plays the media with its transcript, and opens it in the browser. A click on a word goes there. The page
is one file that refers to the media by its path or URL, and loads nothing else. It is next to the output file or the media file, as
NAME.player.html, or is the output file if that is .html and --format is not set. Without -o and --format, nothing else is written. An
earlier page of --open is replaced; another file of that name is not.

` + backendHelp + `
Exit codes: 2 wrong flags, 3 no such file, 4 another file has the name of the page, 5 ffmpeg is missing, the transcriber doesn't work, or a
file can't be written, 6 the media can't be used, 7 the URL can't be downloaded.`,
		Example: `  soundstage transcribe interview.mp4
  soundstage transcribe talk.mp4 --open
  soundstage transcribe talk.mp3 --language de --speakers 1 --format srt
  soundstage transcribe https://media.example/talk.m4a -o talk.vtt
  soundstage transcribe talk.mp3 --transcriber whispercpp --transcriber-url http://127.0.0.1:8080
  soundstage transcribe talk.mp3 --transcriber openai --transcriber-key-file ~/.openai-key -o talk.srt
  soundstage transcribe talk.mp3 --transcriber command --transcriber-command '["whisper-cli","-m","ggml-base.bin","-f","{wav}","-l","{language}","-ojf"]'`,
		Args: exactArgs(1, "one file or URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.openBackends(cmd); err != nil {
				return err
			}
			return transcribe(cmd.Context(), args[0], o, std)
		},
	}
	f := cmd.Flags()
	o.speechFlags.add(f)
	f.StringVar(&o.format, "format", "", "`format`: "+strings.Join(spokenFormats(), ", ")+"; default from the output file's extension, otherwise txt")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write; default standard output, which is also -")
	f.BoolVar(&o.open, "open", false, "write a page with a player and the transcript, and open it in the browser; see above")
	f.BoolVar(&o.noTimestamps, "no-timestamps", false, "leave timestamps out of documents")
	o.names.add(f, speakerNameHelp)
	return cmd
}

func formatNames() (names []string) {
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	return names
}

func formatList() string { return strings.Join(formatNames(), ", ") }

// formatOf returns the name of the format whose extension a file has, the longest one. If no format has it, it returns the extension.
func formatOf(file string) string {
	file = strings.ToLower(file)
	name, longest := strings.TrimPrefix(filepath.Ext(file), "."), 0
	for _, f := range formats.All() {
		if strings.HasSuffix(file, f.Extension) && len(f.Extension) > longest {
			name, longest = f.Name, len(f.Extension)
		}
	}
	return name
}

// pickFormat returns the format of --format, or else of the output file's extension.
func (o transcribeFlags) pickFormat() (formats.Format, error) {
	name := o.format
	if name == "" && o.output != "" {
		name = formatOf(o.output)
	}
	if name == "" {
		name = "txt"
	}
	f, ok := formats.Lookup(name)
	if !ok {
		return formats.Format{}, unknownValue("transcribe", "format", name, spokenFormats())
	}
	if f.Name == chaptersFormat {
		return formats.Format{}, engine.Errorf(engine.CodeInvalid, "transcribe", "The format chapters needs chapters, and a new transcript has none.").
			WithHint("Transcribe to JSON, then use soundstage export --to chapters --chapters FILE.")
	}
	return f, nil
}

// chaptersFormat is the format that has nothing of what is said.
const chaptersFormat = "chapters"

// spokenFormats returns the names of the formats that a transcript alone fills.
func spokenFormats() []string {
	return slices.DeleteFunc(formatNames(), func(name string) bool { return name == chaptersFormat })
}

func transcribe(ctx context.Context, what string, o transcribeFlags, std streams) (err error) {
	if o.output == "-" {
		o.output, o.format = "", cmp.Or(o.format, "txt") // also with --open, which writes nothing without one
	}
	format, err := o.pickFormat()
	if err != nil {
		return err
	}
	if err := errors.Join(setSpoken("transcribe", &o.language), o.check("transcribe"), o.names.check("transcribe")); err != nil {
		return err
	}
	if o.open {
		if err := o.checkPlayer(what); err != nil {
			return err
		}
	}
	bar := newProgress(std.err, "Transcribing")
	defer bar.end()
	probed := &probedMedia{Media: wav.Media{Fallback: render.FFmpeg{}}}
	t, err := o.transcribe(ctx, std, probed, what, bar)
	if err != nil {
		return err
	}
	bar.end()
	if !o.open {
		return o.write(std, format, t, what)
	}
	return o.writeAndOpen(ctx, std, format, t, what, probed)
}

// isStdout reports whether a file of -o is standard output.
func isStdout(path string) bool { return path == "" || path == "-" }

func languageList() string {
	var codes []string
	for _, l := range transcript.Languages() {
		codes = append(codes, string(l))
	}
	slices.Sort(codes)
	return strings.Join(codes, ", ")
}

func fileError(path string, err error) error {
	return engine.Errorf(engine.CodeNotFound, "transcribe", "The file %s can't be read: %s.", path, fault.Reason(err)).
		WithHint("Check the path and its permissions.").Because(err)
}

// titleOf returns the title of what a file or URL has.
func titleOf(what string) string { return strings.TrimSuffix(filepath.Base(what), filepath.Ext(what)) }

// write writes the transcript to standard output, or atomically to a file. Names for labels that the transcript lacks are no reason to lose
// it: they are reported.
func (o transcribeFlags) write(std streams, format formats.Format, t engine.Transcript, what string) error {
	var doc bytes.Buffer
	options := formats.Options{
		RecordingID: string(t.ID), Title: titleOf(what), OmitTimestamps: o.noTimestamps,
	}
	var err error
	if options.Names, err = o.names.of("transcribe", t.Labels(), nil); err != nil {
		fmt.Fprintln(std.err, explain(err))
	}
	if !strings.Contains(what, "://") { // URLs may have secrets, and may not be those of media
		options = withMedia(format, options, filepath.Dir(o.output), what)
	}
	if err := format.Write(&doc, t.Transcript, options); err != nil {
		return err
	}
	if isStdout(o.output) {
		_, err := std.out.Write(doc.Bytes())
		return err
	}
	return writeFile(o.output, doc.Bytes())
}
