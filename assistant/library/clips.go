package library

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

type suggestIn struct {
	Recording recordingName `json:"recording" jsonschema:"id or number of the recording"`
	Limit     int           `json:"limit,omitempty" jsonschema:"most suggestions to return"`
}

type suggestOut struct {
	assistant.Untrusted
	ref
	Suggestions []suggestion `json:"suggestions"`
}

type suggestion struct {
	Suggestion int    `json:"suggestion" jsonschema:"number for make_clip; 1 is the best"`
	StartMS    int64  `json:"start_ms"`
	EndMS      int64  `json:"end_ms"`
	At         string `json:"at" jsonschema:"start_ms as h:mm:ss"`
	Score      int    `json:"score" jsonschema:"0 to 100"`
	Title      string `json:"title"`
	Excerpt    string `json:"excerpt"`
}

func (t *tools) suggest(ctx context.Context, _ assistant.Call, in suggestIn) (*suggestOut, error) {
	return use(ctx, t, Working, func(ctx context.Context, l Open) (*suggestOut, error) {
		r, list, err := l.suggestions(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		out := &suggestOut{ref: refer(r), Suggestions: []suggestion{}}
		for i, s := range list[:min(len(list), in.Limit)] {
			out.Suggestions = append(out.Suggestions, suggestion{
				Suggestion: i + 1, StartMS: s.Window.Start.Milliseconds(), EndMS: s.Window.End.Milliseconds(), At: clock(s.Window.Start), Score: s.Score,
				Title: assistant.Shorten(s.Title, maxTitle), Excerpt: assistant.Shorten(s.Excerpt, maxSnippet),
			})
		}
		return out, nil
	})
}

// suggestions returns the suggested clips of a recording, best first.
func (l Open) suggestions(ctx context.Context, name recordingName) (engine.Recording, []engine.Suggestion, error) {
	rt, err := l.read(ctx, name)
	if err != nil || len(clips.Suggest(rt.Transcript)) == 0 {
		return rt.Recording, nil, err
	}
	list, err := l.WaitSuggestions(ctx, l.Me, rt.Recording.ID)
	return rt.Recording, slices.DeleteFunc(list, func(s engine.Suggestion) bool { return s.Kind != clips.KindClip }), err
}

type clipIn struct {
	Recording  recordingName      `json:"recording" jsonschema:"id or number of the recording"`
	StartMS    int64              `json:"start_ms,omitempty" jsonschema:"start of the part"`
	EndMS      int64              `json:"end_ms,omitempty" jsonschema:"end of the part"`
	Suggestion int                `json:"suggestion,omitempty" jsonschema:"number of a suggestion, instead of start_ms and end_ms; default the best"`
	Title      string             `json:"title,omitempty" jsonschema:"title to show at the top; default the suggestion's"`
	Style      engine.RenderStyle `json:"style,omitempty" jsonschema:"style of the captions; default captions for video, audiogram for sound"`
	Aspect     engine.AspectRatio `json:"aspect,omitempty" jsonschema:"aspect ratio; default the target's, otherwise 9:16"`
	Target     engine.Target      `json:"target,omitempty" jsonschema:"where the clip will be posted"`
	File       string             `json:"file,omitempty" jsonschema:"name of the file, without a folder; default the title of the recording"`
}

type clipOut struct {
	assistant.Untrusted
	ref
	Path    string `json:"path" jsonschema:"of the file that was written"`
	Bytes   int64  `json:"bytes"`
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	Message string `json:"message,omitempty"`
}

func (t *tools) clip(ctx context.Context, call assistant.Call, in clipIn) (*clipOut, error) {
	n := engine.NewRender{
		RecordingID: "any", Title: in.Title, Style: in.Style, AspectRatio: in.Aspect, Target: in.Target,
		Window: transcript.Window{Start: time.Duration(in.StartMS) * time.Millisecond, End: time.Duration(in.EndMS) * time.Millisecond},
	}
	if n.Window == (transcript.Window{}) {
		n.SuggestionID = "any"
	} else if in.Suggestion != 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "make_clip", "Set either suggestion, or start_ms and end_ms.")
	}
	if err := cmp.Or(n.Validate(), t.checkFile(in.File)); err != nil {
		return nil, err
	}
	return use(ctx, t, Rendering, func(ctx context.Context, l Open) (*clipOut, error) {
		r, err := l.find(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		if n.RecordingID = r.ID; n.SuggestionID != "" {
			if n.SuggestionID, err = l.suggested(ctx, in.Recording, max(1, in.Suggestion)); err != nil {
				return nil, err
			}
		}
		made, err := l.render(ctx, n, call.Progress)
		if err != nil {
			return nil, err
		}
		file, err := t.save(ctx, l, r, made, in.File)
		if err != nil {
			return nil, err
		}
		return &clipOut{
			ref: file.ref, Path: file.Path, Bytes: file.Bytes, StartMS: made.Window.Start.Milliseconds(), EndMS: made.Window.End.Milliseconds(), Message: made.Message,
		}, nil
	})
}

// suggested returns a suggestion by its number.
func (l Open) suggested(ctx context.Context, name recordingName, number int) (engine.SuggestionID, error) {
	_, list, err := l.suggestions(ctx, name)
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", engine.Errorf(engine.CodeUnprocessable, "make_clip", "No part of the recording would make a clip.").WithHint("Set start_ms and end_ms.")
	case number > len(list):
		return "", engine.Errorf(engine.CodeInvalid, "make_clip", "There are only %d suggestions (got %d).", len(list), number).WithHint("Call suggest_clips.")
	}
	return list[number-1].ID, nil
}

// stopTimeout is how long stopping a job may take.
const stopTimeout = 10 * time.Second

// render renders a clip. If ctx ends, it stops the job.
func (l Open) render(ctx context.Context, n engine.NewRender, progress func(float64, string)) (engine.Render, error) {
	r, err := l.CreateRender(ctx, l.Me, n)
	for err == nil && !r.Status.Over() {
		changed := l.Changes()
		if r, err = l.GetRender(ctx, l.Me, r.ID); err != nil || r.Status.Over() {
			break
		}
		progress(r.Progress, "Rendering")
		select {
		case <-changed:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	switch {
	case ctx.Err() != nil && r.ID != "":
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		_, err := l.CancelJobsOf(stopping, string(r.ID))
		return r, cmp.Or(err, ctx.Err())
	case err == nil && r.Status != engine.RenderCompleted:
		err = engine.Errorf(engine.CodeUnprocessable, "make_clip", "The render failed: %s", r.Message)
	}
	return r, err
}

// save writes a clip to a file.
func (t *tools) save(ctx context.Context, l Open, r engine.Recording, made engine.Render, name string) (*fileOut, error) {
	video, err := l.OpenAsset(ctx, l.Me, made.ID, 0, -1)
	if err != nil {
		return nil, err
	}
	defer func() { _ = video.Close() }()
	w, err := t.create(cmp.Or(name, Stem(r.Title, r.Number)+"-clip"), ".mp4", name != "")
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(w, video)
	return t.written(w, r, err)
}
