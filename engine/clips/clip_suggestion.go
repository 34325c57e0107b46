package clips

import "github.com/soundstage-dev/soundstage/engine/transcript"

// Kind says what can be made of a ClipSuggestion.
type Kind string

const (
	KindClip     Kind = "clip"     // a window that can be rendered
	KindCarousel Kind = "carousel" // a series of pictures with text; it has no window and can't be rendered
)

// Suggestion is a part of a recording that would make a good clip, or a thought that would make a good carousel.
type Suggestion struct {
	Kind    Kind
	Title   string
	Excerpt string            // verbatim from the transcript
	Score   int               // 0 to 100, the best first
	Window  transcript.Window // begins and ends with a sentence; zero for a carousel
}
