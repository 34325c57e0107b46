package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// RenderID identifies a Render.
type RenderID string

// AspectRatio is the shape of a rendered video.
type AspectRatio string

const (
	AspectVertical  AspectRatio = "9:16" // the default
	AspectSquare    AspectRatio = "1:1"
	AspectWide      AspectRatio = "16:9"
	AspectPortrait  AspectRatio = "4:5"
	AspectOriginal  AspectRatio = "original" // the recording's own; vertical for recordings without picture
	defaultAspect   AspectRatio = AspectVertical
	maxOverlayTitle             = 500 // characters of a render's title
)

// AspectRatios returns every aspect ratio, the default first.
func AspectRatios() []AspectRatio {
	return []AspectRatio{AspectVertical, AspectSquare, AspectWide, AspectPortrait, AspectOriginal}
}

// RenderStyle is the style of a render.
type RenderStyle string

const (
	StyleCaptions  RenderStyle = "captions"  // video: highlights the spoken word; the default for video
	StyleBoxed     RenderStyle = "boxed"     // video: puts a box behind the spoken word
	StyleKaraoke   RenderStyle = "karaoke"   // video: fills words as they are spoken
	StylePop       RenderStyle = "pop"       // video: shows a few words at a time, the spoken one larger
	StyleLines     RenderStyle = "lines"     // video: plain subtitles
	StyleAudiogram RenderStyle = "audiogram" // sound only: cover, waveform, captions; the default for audio
	StyleBars      RenderStyle = "bars"      // sound only: cover, spectrum bars, captions
)

// RenderStyles returns every style.
func RenderStyles() []RenderStyle {
	return []RenderStyle{StyleCaptions, StyleBoxed, StyleKaraoke, StylePop, StyleLines, StyleAudiogram, StyleBars}
}

// Audiogram reports whether the style draws its own picture instead of the recording's.
func (s RenderStyle) Audiogram() bool { return s == StyleAudiogram || s == StyleBars }

// Render is a video of a part of a recording: a captioned clip, or an audiogram when the recording has only sound.
type Render struct {
	ID          RenderID
	UserID      UserID // who requested it
	RecordingID RecordingID
	Status      RenderStatus
	Style       RenderStyle
	Look        string // replaces Style if not "": JSON, as the Renderer's LookChecker returned it
	AspectRatio AspectRatio
	Target      Target            // where it is posted; "" for nowhere in particular
	Focus       Focus             // what stays in the frame; "" shows the whole picture
	Title       string            // overlay; "" for none
	Window      transcript.Window // snapped to words
	Progress    float64           // 0 to 1, never falls
	Message     string            // current step, note about the result, or error with what to do about it
	ErrorCode   Code              // of the error; "" if it failed before codes were stored
	ErrorHint   string            // what to do about the error, without the error; "" when unknown
	ErrorRule   Rule              // of the error; "" when its code is enough
	BlobKey     string            // of the video; "" until completed
	Size        int64             // of the video in bytes; 0 until completed
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// NewRender is the request for a render.
type NewRender struct {
	RecordingID  RecordingID       // required
	Window       transcript.Window // required without SuggestionID; snapped to words
	SuggestionID SuggestionID      // supplies the window and, if Title is "", the title
	AspectRatio  AspectRatio       // default the target's, or AspectVertical
	Target       Target            // where it will be posted
	Focus        Focus             // crops the picture to keep this in the frame; default the whole picture; for video only
	Title        string
	Style        RenderStyle // default Config.Renders', or StyleCaptions for video and StyleAudiogram for audio
	// Look is a style as data, in JSON or YAML, for a Renderer that is a LookChecker; "" for none. It replaces what Style says about
	// letters, colours, and motion. At most 256 KiB: it is stored with the render.
	Look string
	Snap transcript.Snapping // default SnapSentence for a suggestion, else SnapWord
}

// maxLook is the most bytes of a look: each write of a render's progress writes it, too.
const maxLook = 256 << 10

// Validate returns what is wrong with the request, as CodeInvalid. Checks that need the recording are left to Snap.
func (n NewRender) Validate() error {
	const op = "CreateRender"
	switch {
	case n.RecordingID == "":
		return Errorf(CodeInvalid, op, "recording_id is required.").WithRule("render.recording-required")
	case n.SuggestionID != "" && n.Window != transcript.Window{}:
		return Errorf(CodeInvalid, op, "Give either suggestion_id or start_ms and end_ms, not both.").WithRule("render.window-twice")
	case n.SuggestionID == "" && (n.Window.Start < 0 || n.Window.End <= n.Window.Start):
		return Errorf(CodeInvalid, op, "start_ms must be at least 0 and less than end_ms (got %d and %d).", n.Window.Start.Milliseconds(), n.Window.End.Milliseconds()).WithRule("render.window-backwards")
	case n.Window.End-n.Window.Start > transcript.MaxWindow:
		return Errorf(CodeInvalid, op, "The window is longer than 3 minutes.").WithRule("render.window-too-long")
	case n.AspectRatio != "" && !slices.Contains(AspectRatios(), n.AspectRatio):
		return Errorf(CodeInvalid, op, "aspect_ratio must be one of 9:16, 1:1, 16:9, 4:5 and original.").WithRule("render.aspect-ratio-unknown")
	case n.Style != "" && !slices.Contains(RenderStyles(), n.Style):
		return Errorf(CodeInvalid, op, "Unknown style %q.", n.Style).WithHint("Use one of " + input.Enumerate(RenderStyles()) + ".")
	case len(n.Look) > maxLook:
		return tooLarge(op, n.Look)
	case len([]rune(n.Title)) > maxOverlayTitle:
		return Errorf(CodeInvalid, op, "title is longer than %d characters.", maxOverlayTitle)
	}
	return cmp.Or(n.Target.Validate(), n.Focus.Validate(), n.Snap.Validate(), input.CheckLine(op, "title", n.Title))
}

// CreateRender queues a render. Errors: CodeInvalid, CodeNotFound (recording, suggestion), CodeNotReady (the transcript is not
// completed), CodeNoSpeech (no word in the window), CodeUnavailable.
func (e *Engine) CreateRender(ctx context.Context, c Caller, n NewRender) (Render, error) {
	const op = "CreateRender"
	if err := n.Validate(); err != nil {
		return Render{}, err
	}
	if err := e.canRender(op); err != nil {
		return Render{}, err
	}
	var err error
	if n.Look, err = e.checkLook(op, n.Look); err != nil {
		return Render{}, err
	}
	n.AspectRatio = cmp.Or(n.AspectRatio, n.Target.AspectRatio())
	now := e.created("render")
	r := Render{
		ID: RenderID(e.ids.NewID("render")), UserID: c.UserID, RecordingID: n.RecordingID, Status: renderMachine.Initial(),
		AspectRatio: n.AspectRatio, Target: cmp.Or(n.Target, e.renders.Target), Focus: n.Focus, Title: n.Title, Message: "Waiting.", CreatedAt: now, UpdatedAt: now,
	}
	err = e.update(ctx, func(tx Tx) error {
		rec, space, err := visibleRecording(tx, c, n.RecordingID)
		if err != nil {
			return err
		}
		window := n.Window
		if n.SuggestionID != "" {
			var title string
			if window, title, err = suggestionWindow(tx, rec.ID, n.SuggestionID); err != nil {
				return err
			}
			r.Title, n.Snap = cmp.Or(n.Title, title), cmp.Or(n.Snap, transcript.SnapSentence)
		}
		if !rec.HasTranscript() {
			return Errorf(CodeNotReady, op, "The transcript is not ready: its status is %s, and a render requires a completed transcript.", rec.TranscriptStatus)
		}
		t, err := tx.Transcript(rec.TranscriptID)
		if err != nil {
			return err
		}
		if r.Window, err = transcript.SnapTo(n.Snap, t.Transcript, rec.Duration, window); err != nil {
			return err
		}
		r.Style, r.Look = e.styleOf(n, rec.HasVideo)
		if !rec.HasVideo && !r.Style.Audiogram() {
			return Errorf(CodeInvalid, op, "The style %s needs a recording with a picture.", r.Style).WithHint("Use audiogram or bars.")
		}
		if r.Focus != "" && r.Style.Audiogram() {
			return Errorf(CodeInvalid, op, "A focus needs a picture to crop, and the style %s shows none.", r.Style).WithHint("Leave out the focus.")
		}
		if err := tx.PutRender(r); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobRender, string(r.ID), string(space.AccountID), e.now()))
	})
	if err != nil {
		return Render{}, wrap(op, err)
	}
	return r, nil
}

// canRender returns an error when a port that renders need is missing.
func (e *Engine) canRender(op string) error {
	if e.renderer == nil || e.media == nil {
		return Errorf(CodeUnavailable, op, "Rendering is not configured.").WithHint("Set Config.Renderer and Config.Media.")
	}
	return nil
}

// checkLook returns a look in its stored form.
func (e *Engine) checkLook(op, look string) (string, error) {
	if look == "" {
		return "", nil
	}
	checker, ok := e.renderer.(LookChecker)
	if !ok {
		return "", Errorf(CodeUnavailable, op, "Styles as data are not configured.").WithHint("Set Config.Renderer to one that is a LookChecker.")
	}
	stored, err := checker.CheckLook(look)
	if err == nil && len(stored) > maxLook {
		err = tooLarge(op, stored)
	}
	return stored, wrap(op, err)
}

func tooLarge(op, look string) error {
	return Errorf(CodeInvalid, op, "The look is larger than %d KiB (got %d KiB).", maxLook>>10, len(look)>>10).
		WithHint("Use a smaller logo, picture, or font.")
}

// GetRender returns a render of a recording that the caller may see, in any status, or CodeNotFound.
func (e *Engine) GetRender(ctx context.Context, c Caller, id RenderID) (r Render, err error) {
	const op = "GetRender"
	err = e.store.View(ctx, func(tx ReadTx) error {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		if _, _, err := visibleRecording(tx, c, r.RecordingID); err != nil {
			return notFoundAs(op, "render", err)
		}
		return nil
	})
	if err != nil {
		return Render{}, wrap(op, err)
	}
	return r, nil
}

// WaitRender waits until the render is completed, and returns it. If it failed or was canceled, the error says why, and the render is
// returned, too. Other errors: those of GetRender, and ctx's.
func (e *Engine) WaitRender(ctx context.Context, c Caller, id RenderID) (Render, error) {
	r, err := waitFor(ctx, e, func() (Render, bool, error) {
		r, err := e.GetRender(ctx, c, id)
		return r, r.Status.Over(), err
	})
	return r, wrap("WaitRender", cmp.Or(err, r.failure()))
}
