package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// cutFlags are the flags of commands that render parts of a media file.
type cutFlags struct {
	look     lookFlags
	fit      string
	part     clipWindow
	names    speakerNames
	captions captionFlags
	files    clipFiles
	titled   bool // --title is set
}

// cutHelp says what flags are by default.
type cutHelp struct{ title, start, end, output string }

// add adds the flags to a command.
func (c *cutFlags) add(cmd *cobra.Command, help cutHelp) {
	f := cmd.Flags()
	c.part.add(f, "from", "to", help.start, help.end)
	setVariable(f, "to", "render-to") // export's --to has formats
	c.look.add(f, help.title)
	f.StringVar(&c.fit, "fit", "", "`way` that a picture of another aspect ratio fills the frame: "+joinNames(render.Fits())+"; default blur, or crop with --focus")
	c.files.add(f, help.output)
	c.names.add(f, speakerNameHelp+"; captions show it where the speaker begins")
	c.captions.add(cmd)
}

// check returns CodeInvalid for values that are wrong whatever the media is.
func (c *cutFlags) check(op string) error {
	if c.fit != "" && !slices.Contains(render.Fits(), render.Fit(c.fit)) {
		return unknownValue(op, "fit", c.fit, render.Fits())
	}
	if c.part.end != 0 && c.part.check(op) != nil {
		return c.part.check(op)
	}
	_, err := c.limits(op)
	return cmp.Or(c.look.check(op), c.names.check(op), c.files.check(op), err)
}

// limits returns the limits of captions; none but those of the frame by default.
func (c *cutFlags) limits(op string) (captions.Options, error) {
	if !c.captions.anything() {
		return captions.Options{}, nil
	}
	return c.captions.options(op)
}

// cutter renders parts of one media file.
type cutter struct {
	*cutFlags
	ffmpeg  render.FFmpeg
	src     engine.Source
	limited engine.Media // decodes no more than the longest duration
	info    engine.MediaInfo

	words []transcript.Word     // of the captions
	said  transcript.Transcript // the same words in paragraphs
	known map[string]string     // names of speakers besides those of the flags, by label; for the plates of looks
}

// openCutter probes a media file that must not be longer than longest (0 for the default). remove deletes its temporary files.
func (c *cutFlags) openCutter(ctx context.Context, path string, longest time.Duration) (this *cutter, remove func() error, err error) {
	this = &cutter{cutFlags: c, src: files.Source(path), ffmpeg: render.FFmpeg{Known: new(render.KnownMedia)}}
	if this.ffmpeg.TempDir, remove, err = render.NewTempDir(""); err != nil {
		return nil, nil, err
	}
	this.limited = media.Limit(wav.Media{Fallback: this.ffmpeg}, longest)
	if err = this.probe(ctx); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return this, remove, nil
}

// probe finds out what the media is. CodeInvalid if the part of the flags begins after its end: before anything is transcribed.
func (c *cutter) probe(ctx context.Context) (err error) {
	if c.info, err = c.limited.Probe(ctx, c.src); err != nil {
		return err
	}
	if start := time.Duration(c.part.start); start >= c.info.Duration {
		return engine.Errorf(engine.CodeInvalid, "clip", "--%s must be before the end of the media, %s (got %s).", c.part.first, clock(c.info.Duration), clock(start))
	}
	return nil
}

// read takes the words of a transcript file.
func (c *cutter) read(std streams, path, language string) error {
	parsed, err := readTranscript(std, path, transcript.Language(language))
	if err == nil {
		c.say(withWords(parsed.Transcript))
	}
	return err
}

// say takes the words of a transcript.
func (c *cutter) say(t transcript.Transcript) {
	t.Duration = c.info.Duration
	c.said, c.words = t, captions.Prepare(t, nil, true).Words()
}

// window returns the part of the flags, snapped; without an end, as long as a window may be.
func (c *cutter) window() (transcript.Window, error) {
	w := c.part.window()
	if w.End == 0 {
		w.End = min(c.info.Duration, w.Start+transcript.MaxWindow)
	}
	return c.snap(w, transcript.SnapWord)
}

// snap snaps a part as the flag says, or else to usual.
func (c *cutter) snap(w transcript.Window, usual transcript.Snapping) (transcript.Window, error) {
	return transcript.SnapTo(cmp.Or(transcript.Snapping(c.look.snap), usual), c.said, c.info.Duration, w)
}

// cut is a part of the media to render.
type cut struct {
	window transcript.Window
	title  string // "" for none
	files  cutFiles
}

// render renders a part, or with --preview a still of it, with its captions and its poster next to it if they are wanted.
func (c *cutter) render(ctx context.Context, op string, one cut, report func(float64)) (render.Result, error) {
	r, names, err := c.request(op, one)
	if err != nil {
		return render.Result{}, err
	}
	_ = render.RemoveParts(filepath.Dir(one.files.video)) // partial files of killed renders; harmless if they stay
	var result render.Result
	if c.files.preview {
		result, err = writeStill(one.files.video, func(to io.Writer) (render.Result, error) { return c.ffmpeg.Still(ctx, c.src, r, to) })
	} else {
		result, err = c.ffmpeg.Render(ctx, c.src, r, one.files.video, func(done float64, _ string) { report(done) })
	}
	if err == nil && one.files.poster != "" {
		_, err = writeStill(one.files.poster, func(to io.Writer) (render.Result, error) {
			return result, c.ffmpeg.Poster(ctx, files.Source(one.files.video), result.Poster, 0, to)
		})
	}
	if err == nil && one.files.sidecar != "" {
		err = writeSidecar(one.files.sidecar, c.files.sidecar, c.said, one.window, names, r.Captions)
	}
	return result, err
}

// request returns what to render, and the names that are shown.
func (c *cutter) request(op string, one cut) (r render.Request, names map[string]string, err error) {
	if r, err = c.look.request(op); err != nil {
		return r, nil, err
	}
	var known map[string]string
	if r.Look != nil {
		known = c.known
	}
	if names, err = c.names.of(op, labelsOf(c.words), known); err != nil {
		return r, nil, err
	}
	r.Captions, _ = c.limits(op) // they were checked
	r.Window, r.Words, r.Language, r.Title = one.window, nameTurns(c.words, one.window, names), c.said.Language, one.title
	r.Fit = render.Fit(c.fit)
	if c.files.draft {
		r.ShortSide = draftSide
	}
	if r.Look != nil {
		r.Words, r.Names = c.words, names // the style says how names are shown
		r.KeyWords, r.Quiet = render.KeyWords(one.title), transcript.QuietAround(c.said.Words(), one.window)
	}
	return r, names, nil
}

// writeStill writes a picture to a file.
func writeStill(path string, draw func(io.Writer) (render.Result, error)) (render.Result, error) {
	var still bytes.Buffer
	result, err := draw(&still)
	if err == nil {
		err = writeFile(path, still.Bytes())
	}
	return result, err
}

// reportClip prints what a user should know about a result.
func reportClip(std streams, result render.Result) {
	if len(result.Fast) > 0 {
		printFast(std, result.ReadingSpeed, len(result.Fast), result.Captions, result.Fast[0].Start)
	}
	if result.Message != "" {
		fmt.Fprintln(std.err, "soundstage: "+result.Message)
	}
}

// checkMedia returns an error for a file that doesn't exist.
func checkMedia(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fileError(path, err)
	}
	return nil
}

// withExtension returns a path with another extension.
func withExtension(path, extension string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + extension
}
