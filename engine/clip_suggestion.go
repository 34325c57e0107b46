package engine

// SuggestionKind says what can be made of a ClipSuggestion.
type SuggestionKind string

const (
	SuggestionClip     SuggestionKind = "clip"     // a window that can be rendered
	SuggestionCarousel SuggestionKind = "carousel" // a series of pictures with text; it has no window and can't be rendered
)

// ClipSuggestion is a part of a recording that would make a good clip, or a thought that would make a good carousel.
type ClipSuggestion struct {
	Kind    SuggestionKind
	Title   string
	Excerpt string // verbatim from the transcript
	Score   int    // 0 to 100, the best first
	Window  Window // begins and ends with a sentence; zero for a carousel
}
