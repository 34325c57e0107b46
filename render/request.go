package render

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Request is what a render is to be. The zero value of a field is its default.
type Request struct {
	// Window is the stretch of the media, snapped to words already (engine.Snap). What lies behind the media's end is
	// cut off: the file knows better than a database how long it is. At most engine.MaxWindow.
	Window   transcript.Window
	Words    []transcript.Word   // of the whole transcript or of a part, on the media's clock; those outside Window don't count
	Language transcript.Language // of the words; default engine.DefaultLanguage
	Title    string              // at most two lines of it are shown; "" for none
	Aspect   engine.AspectRatio  // default AspectVertical; AspectOriginal of sound alone is that, too
	Style    engine.RenderStyle  // default StyleCaptions for media with a picture, StyleAudiogram for sound alone
	Fit      Fit                 // default Blur
	Cues     CueBuilder          // breaks words into captions; by default they break as in caption files
	// ShortSide is the shorter side of the picture in pixels, 1080 by default: fewer make a preview. With
	// AspectOriginal it is the media's own, at most this where it is set.
	ShortSide int
}

// Fit is how a picture of another aspect ratio fills the frame.
type Fit string

// The ways to fit.
const (
	Blur Fit = "blur" // whole, before a blurred copy of itself
	Crop Fit = "crop" // its middle
	Pad  Fit = "pad"  // whole, on a plain ground
)

// Fits returns every Fit, the default first.
func Fits() []Fit { return []Fit{Blur, Crop, Pad} }

// The smallest and the largest ShortSide.
const (
	minShortSide = 144
	maxShortSide = 1440
	shortSide    = 1080
)

// withDefaults returns r without zero values but for ShortSide, or CodeInvalid. picture says whether the media has one.
func (r Request) withDefaults(picture bool) (Request, error) {
	if r.Aspect == "" {
		r.Aspect = engine.AspectVertical
	}
	if r.Fit == "" {
		r.Fit = Blur
	}
	if r.Language == "" {
		r.Language = transcript.DefaultLanguage
	}
	if r.Cues == nil {
		r.Cues = buildCues
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
		return engine.Errorf(engine.CodeInvalid, op, "The aspect ratio is not known.").WithHint("Choose 9:16, 1:1, 16:9, 4:5 or original.")
	case !slices.Contains(engine.RenderStyles(), r.Style):
		return engine.Errorf(engine.CodeInvalid, op, "The style is not known.").
			WithHint("Choose captions, boxed, karaoke, pop, lines, audiogram or bars.")
	case !slices.Contains(Fits(), r.Fit):
		return engine.Errorf(engine.CodeInvalid, op, "The fit is not known.").WithHint("Choose blur, crop or pad.")
	case r.ShortSide != 0 && (r.ShortSide < minShortSide || r.ShortSide > maxShortSide || r.ShortSide%2 != 0):
		return engine.Errorf(engine.CodeInvalid, op, "The shorter side must be an even number of pixels from %d to %d.", minShortSide, maxShortSide)
	case r.Window.Start < 0 || length < minLength:
		return engine.Errorf(engine.CodeInvalid, op, "The window must be at least %d ms long.", minLength.Milliseconds())
	case length > transcript.MaxWindow:
		return engine.Errorf(engine.CodeInvalid, op, "The window is longer than 3 minutes.")
	}
	return nil
}

// minLength is the shortest render: less than that has no frame to show.
const minLength = 100 * time.Millisecond
