package clips

import "github.com/soundstage-dev/soundstage/engine/transcript"

// Kind is the kind of a Suggestion.
type Kind string

const (
	KindClip     Kind = "clip"     // a window that can be rendered
	KindCarousel Kind = "carousel" // a series of pictures with text; it has no window and can't be rendered
)

// Suggestion is a part of a recording for a clip, or a series of points for a carousel.
type Suggestion struct {
	Kind    Kind
	Title   string
	Excerpt string            // verbatim from the transcript
	Score   int               // 0 to 100; higher is better
	Window  transcript.Window // whole sentences; zero for a carousel
}
