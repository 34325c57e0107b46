package engine

import "time"

type (
	// SuggestionID identifies a Suggestion.
	SuggestionID string
	// SuggestionKind says what can be made of a Suggestion.
	SuggestionKind string
)

const (
	SuggestionClip     SuggestionKind = "clip"     // a window that can be rendered
	SuggestionCarousel SuggestionKind = "carousel" // a series of pictures with text; it has no window and can't be rendered
)

// Suggestion is a part of a recording that would make a good clip, or a thought that would make a good carousel.
type Suggestion struct {
	ID          SuggestionID
	RecordingID RecordingID
	Kind        SuggestionKind
	Title       string
	Excerpt     string // verbatim from the transcript
	Score       int    // 0 to 100, the best first
	Window      Window // begins and ends with a sentence; zero for a carousel
	CreatedAt   time.Time
}
