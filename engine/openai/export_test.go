package openai

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Hear converts a response body to words.
func Hear(body []byte, language transcript.Language, duration time.Duration) ([]transcript.Word, error) {
	var a answer
	if err := backend.Decode(body, &a); err != nil {
		return nil, err
	}
	return speech.Words(a.heard(language, duration).Segments, language, duration), nil
}
