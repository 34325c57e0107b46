package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// writeExports writes a file for each format, named stem, to a folder, and returns the captions of the first of them that has some. If some of
// several formats fail, it prints each error; the exit code is that of the first.
func writeExports(std streams, path, stem, dir string, targets []formats.Format, t transcript.Transcript, o formats.Options) ([]captions.Cue, error) {
	var first, cues []captions.Cue
	o.OnCaptions = func(of []captions.Cue) { cues = of }
	var failed error
	for _, f := range targets {
		out := filepath.Join(dir, stem+f.Extension)
		cues = nil
		err := writeExport(path, out, f, t, o)
		switch {
		case err == nil:
			if first == nil {
				first = cues
			}
			fmt.Fprintln(std.out, out)
		case len(targets) == 1:
			return nil, err
		default:
			fmt.Fprintf(std.err, "%s was not written.\n%s\n", out, explain(err))
			if failed == nil {
				failed = exitStatus{code: exitCode(err)}
			}
		}
	}
	return first, failed
}

// writeExport writes a transcript that was read from path to a file.
func writeExport(path, out string, f formats.Format, t transcript.Transcript, o formats.Options) error {
	if sameFile(out, path) {
		return engine.Errorf(engine.CodeInvalid, "export", "The export would overwrite its input %s.", path).WithHint("Choose another folder with -o.")
	}
	media := o.Media
	o = withMedia(f, o, filepath.Dir(out), media)
	if isTimeline(f) {
		o.Media = absoluteMedia(media)
	}
	if hasCaptions(f) {
		o.Names = captionNames(t, o.Names)
	}
	var doc bytes.Buffer
	if err := f.Write(&doc, t, o); err != nil {
		return err
	}
	return writeFile(out, doc.Bytes())
}

// captionNames returns the names for captions. Captions have names only, so if Speaker 0 has one, a reader of the file takes Speaker 1 for the
// first speaker. The others are then counted from 1, as in documents.
func captionNames(t transcript.Transcript, names map[string]string) map[string]string {
	if names[transcript.SpeakerLabel(0)] == "" {
		return names
	}
	return formats.DocumentNames(t, names)
}
