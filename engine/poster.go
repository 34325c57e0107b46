package engine

import (
	"bytes"
	"context"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// RenderPoster returns a JPEG of a completed render's video: its loudest moment that has a caption, in the size of the video. Each call
// renders the picture again, in about one second. Errors: CodeNotFound, CodeNotReady (the render isn't completed), CodeUnavailable
// (Config.Renderer is not a PosterRenderer, or a tool is missing).
func (e *Engine) RenderPoster(ctx context.Context, c Caller, id RenderID) ([]byte, error) {
	const op = "RenderPoster"
	if e.posters == nil {
		return nil, Errorf(CodeUnavailable, op, "Posters are not configured.").WithHint("Set Config.Renderer to one that is a PosterRenderer.")
	}
	req, err := e.posterRequest(ctx, c, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	var picture bytes.Buffer
	req.Output = &picture
	if err := e.posters.Poster(ctx, req); err != nil {
		return nil, wrap(op, err)
	}
	return picture.Bytes(), nil
}

// posterRequest returns what the renderer needs: the video, and words with times relative to the video's start.
func (e *Engine) posterRequest(ctx context.Context, c Caller, id RenderID) (PosterRequest, error) {
	var r Render
	var words []transcript.Word
	var language transcript.Language
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		rec, _, err := visibleRecording(tx, c, r.RecordingID)
		if err != nil {
			return notFoundAs("", "render", err)
		}
		if r.Status != RenderCompleted {
			return Errorf(CodeNotReady, "", "The render is not completed: its status is %s.", r.Status)
		}
		t, err := tx.Transcript(rec.TranscriptID)
		words, language = transcript.TouchedWords(t.JoinedWords(), rec.Duration, r.Window), t.Language
		return err
	})
	if err != nil {
		return PosterRequest{}, err
	}
	video, err := e.source(ctx, r.BlobKey)
	if err != nil {
		return PosterRequest{}, err
	}
	for i := range words {
		words[i].Start, words[i].End = max(words[i].Start-r.Window.Start, 0), words[i].End-r.Window.Start
	}
	return PosterRequest{Video: video, Words: words, Language: language, Style: r.Style, Look: r.Look, AspectRatio: r.AspectRatio}, nil
}
