package fake_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/fake"
)

// The Translator passes the conformance suite.
func TestConformanceTranslator(t *testing.T) {
	t.Parallel()
	enginetest.TestTranslator(t, func(*testing.T) engine.Translator { return fake.Translator{} })
}

// The Transcriber passes the conformance suite, with and without a Diarizer.
func TestConformanceTranscriber(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]engine.Diarizer{"alone": nil, "with a diarizer": fake.Diarizer{}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestTranscriber(t, func(_ *testing.T, media engine.Media) engine.Transcriber {
				return &fake.Transcriber{Media: media, Diarizer: d}
			})
		})
	}
}

// The Diarizer passes the conformance suite.
func TestConformanceDiarizer(t *testing.T) {
	t.Parallel()
	enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return fake.Diarizer{} })
}
