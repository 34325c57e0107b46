package render

import (
	"cmp"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Request says what to render. The zero value of a field is its default.
type Request struct {
	// Window is the part of the media to render, already snapped to words (engine.Snap). It is clipped at the end of the
	// media, since the file's duration is more reliable than a stored one. At most engine.MaxWindow.
	Window   transcript.Window
	Words    []transcript.Word   // of the transcript or a part of it, in media time; words outside Window are ignored
	Language transcript.Language // of the words; default engine.DefaultLanguage
	Title    string              // at most two lines are shown; "" for none; also the title of the file
	Aspect   engine.AspectRatio  // default the target's, or AspectVertical, also for AspectOriginal of audio alone
	Target   engine.Target       // where it is posted, see Targets: loudness, and where text may be; default none
	Style    engine.RenderStyle  // default StyleCaptions for media with a picture, StyleAudiogram for audio alone
	// Look replaces Style by a style as data; nil for Style. Whether the result is an audiogram then depends on the media alone, unless
	// Style asks for one.
	Look *Style
	// MediaTitle is the title of the file if there is no Title. The media's own tags are never copied.
	MediaTitle string
	Names      map[string]string // of speakers by the label of their words, for Look's name plates; default the label
	KeyWords   []string          // that Look emphasizes, besides numbers and names
	// Quiet is Window with the silence around it, into which Look's handles of sound may reach. Zero for none.
	Quiet transcript.Window
	// Chapters are in media time, for the file and for Look's marks. nil for those of the media, and an empty slice for none.
	Chapters []Chapter
	Fit      Fit          // default Blur, or Crop with a Focus
	Focus    engine.Focus // what stays in a cropped picture; default FocusCentre; only with Crop
	Cues     CueBuilder   // breaks words into captions; by default like caption files, within Captions
	// Captions are limits of captions, as for caption files. Lines are never longer than the frame has room for, and gaps of less than
	// half a second are closed unless Captions.Gap is set. The zero value has the frame's limits only.
	Captions captions.Options
	// ShortSide is the shorter side of the result in pixels, default 1080; use less for a preview. With AspectOriginal, the
	// default is the media's own side, and ShortSide an upper limit.
	ShortSide int

	container Container // of the result; default MP4
}

// Fit is how a picture fills a frame of another aspect ratio.
type Fit string

// Ways to fit.
const (
	Blur Fit = "blur" // the whole picture on a blurred copy of itself
	Crop Fit = "crop" // its middle
	Pad  Fit = "pad"  // the whole picture on a plain background
)

// Fits returns every Fit, the default first.
func Fits() []Fit { return []Fit{Blur, Crop, Pad} }

// Limits and default of ShortSide, in pixels.
const (
	minShortSide = 144
	maxShortSide = 1440
	shortSide    = 1080
)

// withDefaults returns r with defaults for zero values except ShortSide, or CodeInvalid. picture is whether the media has a
// picture.
func (r Request) withDefaults(picture bool) (Request, error) {
	if r.Aspect == "" {
		r.Aspect = r.Target.AspectRatio()
	}
	switch {
	case r.Fit == "" && r.Focus != "":
		r.Fit = Crop
	case r.Fit == "":
		r.Fit = Blur
	}
	if r.Language == "" {
		r.Language = transcript.DefaultLanguage
	}
	if r.container == GIF && r.ShortSide == 0 {
		r.ShortSide = gifSide
	}
	if r.Cues == nil {
		r.Cues = cuesOf(r.Captions, r.Look == nil) // a Style has other ways to tell speakers apart
	}
	switch {
	case r.Style == "" && picture:
		r.Style = engine.StyleCaptions
	case r.Style == "":
		r.Style = engine.StyleAudiogram
	}
	return r, r.validate()
}

func (r Request) validate() error {
	const op = "Render"
	length := r.Window.End - r.Window.Start
	switch {
	case !slices.Contains(engine.AspectRatios(), r.Aspect):
		return engine.Errorf(engine.CodeInvalid, op, "Unknown aspect ratio %q.", r.Aspect).WithHint("Use 9:16, 1:1, 16:9, 4:5 or original.")
	case !slices.Contains(engine.RenderStyles(), r.Style):
		return engine.Errorf(engine.CodeInvalid, op, "Unknown style %q.", r.Style).
			WithHint("Use captions, boxed, karaoke, pop, lines, audiogram or bars.")
	case !slices.Contains(Fits(), r.Fit):
		return engine.Errorf(engine.CodeInvalid, op, "Unknown fit %q.", r.Fit).WithHint("Use blur, crop or pad.")
	case r.Focus != "" && r.Fit != Crop:
		return engine.Errorf(engine.CodeInvalid, op, "A focus is for pictures that are cropped, and the fit is %s.", r.Fit).WithHint("Use the fit crop, or leave out the focus.")
	case r.Focus != "" && r.Style.Audiogram():
		return engine.Errorf(engine.CodeInvalid, op, "A focus needs a picture to crop, and the style %s shows none.", r.Style).WithHint("Leave out the focus.")
	case r.ShortSide != 0 && (r.ShortSide < minShortSide || r.ShortSide > maxShortSide || r.ShortSide%2 != 0):
		return engine.Errorf(engine.CodeInvalid, op, "The shorter side must be an even number of pixels from %d to %d.", minShortSide, maxShortSide)
	case r.Window.Start < 0 || length < minLength:
		return engine.Errorf(engine.CodeInvalid, op, "The window must be at least %d ms long.", minLength.Milliseconds())
	case length > transcript.MaxWindow:
		return engine.Errorf(engine.CodeInvalid, op, "The window must be at most 3 minutes long (got %d ms).", length.Milliseconds())
	}
	if err := cmp.Or(r.Target.Validate(), r.Focus.Validate(), r.container.check(r.Window)); err != nil || r.Look == nil {
		return err
	}
	return r.Look.Validate()
}

// minLength is the shortest render: anything shorter has no frame to show.
const minLength = 100 * time.Millisecond
