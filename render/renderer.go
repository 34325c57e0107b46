package render

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Renderer implements engine.Renderer and engine.PosterRenderer with ffmpeg. Use it as the Renderer of an engine.Config. The
// zero value runs the programs in PATH. It has no state and may be used concurrently.
type Renderer struct {
	FFmpeg FFmpeg // programs, limits, and the folder for unfinished videos
	Look   *Style // of renders without a look of their own; nil for their engine.RenderStyle
}

var (
	_ engine.Renderer       = Renderer{}
	_ engine.PosterRenderer = Renderer{}
	_ engine.LookChecker    = Renderer{}
)

// Render writes the video of a window to req.Output once it is complete, and returns a note for the user, usually "".
//
// It returns the errors of FFmpeg.Render and of req.Output, and a transient CodeUnavailable if temporary files can't be
// created.
func (r Renderer) Render(ctx context.Context, req engine.RenderRequest) (message string, err error) {
	const op = "Render"
	dir, err := os.MkdirTemp(r.FFmpeg.TempDir, "soundstage-render-")
	if err != nil {
		return "", engine.Errorf(engine.CodeUnavailable, op, "Temporary files could not be created.").Because(err).Transient()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	look, err := r.look(req.Look)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "render.mp4")
	result, err := r.FFmpeg.Render(ctx, req.Source, Request{
		Window: req.Window, Words: req.Words, Language: req.Language, Title: req.Title,
		Aspect: req.AspectRatio, Style: req.Style, Look: look, Names: req.Names, Target: req.Target, Focus: req.Focus, Quiet: req.Quiet, KeyWords: KeyWords(req.Title),
		MediaTitle: req.MediaTitle, Chapters: req.Chapters,
	}, path, req.Progress)
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", engine.Errorf(engine.CodeInternal, op, "The rendered video could not be opened.").Because(err)
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(req.Output, f)
	return result.Message, err
}

// Poster writes a JPEG of a video that Render wrote: of the loudest moment that has a caption, or of the middle. It returns
// the errors of FFmpeg.Loudest and FFmpeg.Poster.
func (r Renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	look, err := r.look(req.Look)
	if err != nil {
		return err
	}
	at, err := r.FFmpeg.Loudest(ctx, req.Video, Request{
		Window: transcript.Window{End: transcript.MaxWindow}, Words: req.Words, Language: req.Language,
		Aspect: req.AspectRatio, Style: req.Style, Look: look,
	})
	if err != nil {
		return err
	}
	return r.FFmpeg.Poster(ctx, req.Video, at, 0, req.Output)
}

// CheckLook returns a style as data in the form in which it is stored: JSON with every member. The errors are those of ParseStyle.
func (r Renderer) CheckLook(look string) (string, error) {
	s, err := ParseStyle([]byte(look))
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(s)
	if err != nil {
		return "", internal("CheckLook", err)
	}
	return string(b), nil
}

// shortestKey is the least letters of a title's word that is emphasized, too: shorter ones are mostly "about" and "their".
const shortestKey = 6

// KeyWords returns the words of a title, often a suggestion's, that captions emphasize.
func KeyWords(title string) (words []string) {
	for _, w := range strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if utf8.RuneCountInString(w) >= shortestKey {
			words = append(words, w)
		}
	}
	return words
}

// look returns the style of a render: its own, or the renderer's.
func (r Renderer) look(own string) (*Style, error) {
	if own == "" {
		return r.Look, nil
	}
	s, err := ParseStyle([]byte(own))
	return &s, err
}
